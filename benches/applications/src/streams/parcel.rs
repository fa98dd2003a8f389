//! What travels from stage to stage: an item or a batch of items, with its number.

/// An item or a batch, with its number and its time stamp. It is kept small, because programs with trivial
/// items measure little else than its hand-over.
#[derive(Debug)]
pub struct Parcel<T> {
    /// Its place in the order of the source. It starts again from zero after the largest number.
    pub number: u32,
    /// When it left the source, on the clock of the run; only if latencies are measured.
    pub born: u32,
    /// What it carries.
    pub load: Load<T>,
}

/// What a parcel carries.
#[derive(Debug)]
pub enum Load<T> {
    /// One item.
    One(T),
    /// A batch. It is boxed twice so that a single item does not need the place of a vector.
    #[expect(clippy::box_collection)]
    Batch(Box<Vec<T>>),
}

impl<T> Load<T> {
    /// Replaces each item.
    #[inline]
    pub fn map(self, mut f: impl FnMut(T) -> T) -> Load<T> {
        match self {
            Load::One(item) => Load::One(f(item)),
            Load::Batch(mut batch) => {
                *batch = std::mem::take(&mut *batch).into_iter().map(f).collect();
                Load::Batch(batch)
            }
        }
    }

    /// Gives each item away, until there is an error.
    #[inline]
    pub fn try_for_each<E>(self, mut f: impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
        match self {
            Load::One(item) => f(item),
            Load::Batch(batch) => batch.into_iter().try_for_each(f),
        }
    }

    /// The number of items.
    pub fn len(&self) -> u64 {
        match self {
            Load::One(_) => 1,
            Load::Batch(batch) => batch.len() as u64,
        }
    }
}
