//! What travels from stage to stage: an item or a batch of items, with its number.

/// An item or a batch, with its place in the order of the source. The numbers start again from zero after the
/// largest one. It is kept small, because programs with trivial items measure little else than its hand-over.
#[derive(Debug)]
pub enum Parcel<T> {
    /// One item.
    One {
        /// Its place.
        number: u32,
        /// The item.
        item: T,
    },
    /// A batch.
    Batch {
        /// Its place.
        number: u32,
        /// The items. They are boxed twice so that a single item does not need the place of a vector.
        #[expect(clippy::box_collection)]
        items: Box<Vec<T>>,
    },
}

impl<T> Parcel<T> {
    /// Its place in the order of the source.
    #[inline]
    pub fn number(&self) -> u32 {
        let (Parcel::One { number, .. } | Parcel::Batch { number, .. }) = self;
        *number
    }

    /// The number of items.
    pub fn len(&self) -> u64 {
        match self {
            Parcel::One { .. } => 1,
            Parcel::Batch { items, .. } => items.len() as u64,
        }
    }

    /// Replaces each item.
    pub fn map(self, mut f: impl FnMut(T) -> T) -> Parcel<T> {
        match self {
            Parcel::One { number, item } => Parcel::One { number, item: f(item) },
            Parcel::Batch { number, mut items } => {
                *items = std::mem::take(&mut *items).into_iter().map(f).collect();
                Parcel::Batch { number, items }
            }
        }
    }

    /// Gives each item away, until there is an error.
    pub fn try_for_each<E>(self, mut f: impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
        match self {
            Parcel::One { item, .. } => f(item),
            Parcel::Batch { items, .. } => items.into_iter().try_for_each(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Parcel;

    #[test]
    fn a_parcel_is_small() {
        assert_eq!(size_of::<Parcel<u64>>(), 16);
    }

    #[test]
    fn each_item_is_replaced_and_given_away() {
        let parcels =
            [Parcel::One { number: 3, item: 1 }, Parcel::Batch { number: 4, items: Box::new(vec![2, 3]) }];
        let mut items = Vec::new();
        for (parcel, (number, len)) in parcels.into_iter().zip([(3, 1), (4, 2)]) {
            let parcel = parcel.map(|item| 10 * item);
            assert_eq!((parcel.number(), parcel.len()), (number, len));
            let given = parcel.try_for_each(|item| {
                items.push(item);
                if item == 30 { Err("no more") } else { Ok(()) }
            });
            assert_eq!(given.is_err(), number == 4);
        }
        assert_eq!(items, [10, 20, 30]);
    }
}
