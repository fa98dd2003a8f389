//! What travels between the stages of a region: the items that one item of the region's source has become.

/// The items that the item number `tag` has become: one, none, or several. Each number reaches the end of the region once.
pub(super) struct Envelope<T> {
    pub(super) tag: usize,
    pub(super) items: Group<T>,
}

/// None, one, or several.
pub(super) enum Group<T> {
    None,
    One(T),
    Many(Vec<T>),
}

impl<T> Group<T> {
    pub(super) fn push(&mut self, item: T) {
        *self = match std::mem::replace(self, Group::None) {
            Group::None => Group::One(item),
            Group::One(first) => Group::Many(vec![first, item]),
            Group::Many(mut items) => {
                items.push(item);
                Group::Many(items)
            }
        };
    }

    /// Does it with each, in order, as long as all is well.
    #[inline]
    pub(super) fn try_for_each<E>(self, mut step: impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
        match self {
            Group::None => Ok(()),
            Group::One(item) => step(item),
            Group::Many(items) => items.into_iter().try_for_each(step),
        }
    }
}
