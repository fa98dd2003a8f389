//! Items, which are encoded only once even if they are sent several times.

use crate::codec::Postcard;
use pipes::remote::Carries;
use pipes::remote::Fault;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// An item on its way to a worker. It is encoded before it is sent, and a `T` after it was received.
#[derive(Debug)]
pub struct Item<T>(Form<T>);

#[derive(Debug)]
enum Form<T> {
    Encoded(Arc<[u8]>),
    Decoded(T),
}

impl<T> Item<T> {
    pub(super) fn encoded(bytes: Arc<[u8]>) -> Self {
        Item(Form::Encoded(bytes))
    }

    /// Returns the item. Must be called only where it was received.
    ///
    /// # Panics
    ///
    /// Panics if the item has not been sent.
    #[track_caller]
    pub fn into_inner(self) -> T {
        match self.0 {
            Form::Encoded(_) => panic!("`Item::into_inner`: the item has not been sent"),
            Form::Decoded(item) => item,
        }
    }
}

impl<T: Serialize + DeserializeOwned> Carries<Item<T>> for Postcard {
    fn put(&self, item: &Item<T>, out: &mut Vec<u8>) -> Result<(), Fault> {
        match &item.0 {
            Form::Encoded(bytes) => {
                out.extend_from_slice(bytes);
                Ok(())
            }
            Form::Decoded(item) => self.put(item, out),
        }
    }

    fn get(&self, bytes: &[u8]) -> Result<Item<T>, Fault> {
        self.get(bytes).map(|item| Item(Form::Decoded(item)))
    }
}
