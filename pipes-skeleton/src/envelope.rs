//! Envelopes, in which items travel between the stages of a region.

/// What an item of a region has become: no item, one, or several. The tag is the number of the item at the
/// beginning of the region. Each tag reaches the end of the region at most once.
pub(crate) struct Envelope<T> {
    pub(crate) tag: usize,
    pub(crate) items: Group<T>,
}

/// The items of an envelope.
///
/// Several items are behind a pointer, so that an envelope is hardly larger than an item. Most envelopes have
/// one item, and are copied from stage to stage. A larger envelope was copied in parts, and the processor
/// stalled when it was then read as a whole.
#[derive(Default)]
pub(crate) enum Group<T> {
    #[default]
    None,
    One(T),
    #[expect(clippy::box_collection, reason = "a vector by itself takes the room of three pointers")]
    Many(Box<Vec<T>>),
}

impl<T> Group<T> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Group::None => 0,
            Group::One(_) => 1,
            Group::Many(items) => items.len(),
        }
    }

    pub(crate) fn push(&mut self, item: T) {
        match self {
            Group::None => *self = Group::One(item),
            Group::One(_) => self.push_second(item),
            Group::Many(items) => items.push(item),
        }
    }

    fn push_second(&mut self, item: T) {
        let mut items = Vec::with_capacity(2);
        if let Group::One(first) = std::mem::replace(self, Group::None) {
            items.push(first);
        }
        items.push(item);
        *self = Group::Many(Box::new(items));
    }

    /// Calls the function with each item, in order, until it returns an error. Drops the others.
    pub(crate) fn try_for_each<E>(self, mut step: impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
        match self {
            Group::None => Ok(()),
            Group::One(item) => step(item),
            Group::Many(items) => items.into_iter().try_for_each(step),
        }
    }

    /// Calls the function with each item, in order.
    pub(crate) fn for_each(self, mut step: impl FnMut(T)) {
        match self {
            Group::None => {}
            Group::One(item) => step(item),
            Group::Many(items) => items.into_iter().for_each(step),
        }
    }
}
