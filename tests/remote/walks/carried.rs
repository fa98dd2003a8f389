//! How counted payloads travel: what is decoded is counted as well.

use crate::payload::{Aligned, Padded, Payload};
use crate::player::Player;
use crate::support::{Counted, DropCounter};
use pipes::remote::Fault;
use pipes::remote::{Carries, Describes};
use pipes_remote::{Codec, Postcard};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::type_name;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

thread_local! {
    /// Counts what is decoded on this thread now.
    static DECODING: RefCell<Option<DropCounter>> = const { RefCell::new(None) };
}

/// Postcard, which counts what it decodes. A pump has one, so they tell when the pumps have ended.
#[derive(Clone)]
pub struct Carrier {
    pub drops: DropCounter,
    /// Only its clones are counted.
    #[expect(dead_code, reason = "it counts")]
    pub alive: Arc<()>,
}

impl Codec for Carrier {
    const NAME: &'static str = "counted postcard";
}

impl<T: Serialize + DeserializeOwned> Carries<T> for Carrier {
    fn put(&self, payload: &T, out: &mut Vec<u8>) -> Result<(), Fault> {
        Postcard.put(payload, out)
    }

    fn get(&self, bytes: &[u8]) -> Result<T, Fault> {
        let before = DECODING.replace(Some(self.drops.clone()));
        let decoded = Postcard.get(bytes);
        DECODING.set(before);
        decoded
    }
}

impl<T> Describes<T> for Carrier {
    fn shape(&self) -> u128 {
        type_name::<T>().bytes().fold(7, |hash, byte| pipes::remote::combine(hash, byte.into()))
    }
}

/// A zero-sized payload whose destructor is counted.
#[derive(Debug)]
pub struct Nothing(());

/// How many were made, minus those that were dropped.
static LEFT: AtomicIsize = AtomicIsize::new(0);

impl Nothing {
    fn new() -> Self {
        LEFT.fetch_add(1, Ordering::SeqCst);
        Nothing(())
    }

    pub fn left() -> isize {
        LEFT.load(Ordering::SeqCst)
    }
}

impl Drop for Nothing {
    fn drop(&mut self) {
        LEFT.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Payload for Nothing {
    fn make(_: &mut Player) -> Self {
        Nothing::new()
    }

    fn seen(self, _: &mut Player) {}
}

impl Serialize for Nothing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'a> Deserialize<'a> for Nothing {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        <()>::deserialize(deserializer).map(|()| Nothing::new())
    }
}

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number.serialize(serializer)
    }
}

impl<'a> Deserialize<'a> for Counted {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        let made = DECODING.with_borrow(|drops| drops.as_ref().map(|drops| drops.make(number)));
        made.ok_or_else(|| D::Error::custom("nothing is being decoded"))
    }
}

impl Serialize for Aligned {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'a> Deserialize<'a> for Aligned {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        Counted::deserialize(deserializer).map(Aligned)
    }
}

impl<const N: usize> Serialize for Padded<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.counted, &self.ballast[..]).serialize(serializer)
    }
}

impl<'a, const N: usize> Deserialize<'a> for Padded<N> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let (counted, ballast) = <(Counted, Vec<u8>)>::deserialize(deserializer)?;
        let ballast = ballast.try_into().map_err(|_| D::Error::custom("the ballast has another length"))?;
        Ok(Padded { counted, ballast })
    }
}
