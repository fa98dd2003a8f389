//! Memory that goes from worker to worker, and is used again.
//!
//! In one process, a buffer goes to the receiver as it is, and the receiver hands it back. To another process
//! only its content goes: what was sent leaves its memory in a pool of the sender, what is received takes
//! memory from a pool of the receiver, and buffers that are handed back travel as their number.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::mem::take;
use std::ops::{Deref, DerefMut};
use std::thread::LocalKey;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A vertex that was found, and its parent.
pub type Pair = (u32, u32);

/// The most buffers of each kind that a thread keeps.
const MOST: usize = 256;

/// Unused memory.
type Pool<T> = LocalKey<RefCell<Vec<Vec<T>>>>;

/// What a buffer holds: something of eight bytes.
pub trait Word: Copy + 'static {
    /// Its bits.
    fn bits(self) -> u64;
    /// The one with these bits.
    fn of(bits: u64) -> Self;
    /// The unused memory of this thread.
    fn pool() -> &'static Pool<Self>;
}

thread_local! {
    static WORDS: RefCell<Vec<Vec<u64>>> = const { RefCell::new(Vec::new()) };
    static PAIRS: RefCell<Vec<Vec<Pair>>> = const { RefCell::new(Vec::new()) };
    /// Where a buffer becomes bytes.
    static BYTES: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl Word for u64 {
    fn bits(self) -> u64 {
        self
    }

    fn of(bits: u64) -> u64 {
        bits
    }

    fn pool() -> &'static Pool<u64> {
        &WORDS
    }
}

impl Word for Pair {
    fn bits(self) -> u64 {
        u64::from(self.0) | u64::from(self.1) << 32
    }

    fn of(bits: u64) -> Pair {
        (bits as u32, (bits >> 32) as u32)
    }

    fn pool() -> &'static Pool<Pair> {
        &PAIRS
    }
}

/// A vector whose memory is used again.
pub struct Buffer<T: Word>(Vec<T>);

impl<T: Word> Buffer<T> {
    /// An empty buffer with used memory, or with room for this many items.
    pub fn empty(room: usize) -> Buffer<T> {
        Buffer(unused().unwrap_or_else(|| Vec::with_capacity(room)))
    }
}

impl<T: Word> Default for Buffer<T> {
    /// A buffer without memory.
    fn default() -> Buffer<T> {
        Buffer(Vec::new())
    }
}

impl<T: Word> Deref for Buffer<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Word> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T: Word> Drop for Buffer<T> {
    fn drop(&mut self) {
        if self.0.capacity() > 0 {
            let mut memory = take(&mut self.0);
            memory.clear();
            // If the thread ends, so does its pool.
            let _ = T::pool().try_with(|pool| {
                let mut pool = pool.borrow_mut();
                if pool.len() < MOST {
                    pool.push(memory);
                }
            });
        }
    }
}

/// Used memory of this thread, if there is any.
fn unused<T: Word>() -> Option<Vec<T>> {
    T::pool().try_with(|pool| pool.borrow_mut().pop()).ok().flatten()
}

impl<T: Word> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer").field("len", &self.0.len()).finish_non_exhaustive()
    }
}

/// The bytes of the words, the lowest first. Not number by number, with as many bytes as each needs: dense
/// bits need all of them, and copying is faster.
impl<T: Word> Serialize for Buffer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = BYTES.take();
        let size = size_of::<u64>() * self.0.len();
        if bytes.len() < size {
            bytes.resize(size, 0);
        }
        let (places, _) = bytes[..size].as_chunks_mut();
        places.iter_mut().zip(&self.0).for_each(|(place, item)| *place = item.bits().to_le_bytes());
        let done = serializer.serialize_bytes(&bytes[..size]);
        BYTES.set(bytes);
        done
    }
}

impl<'de, T: Word> Deserialize<'de> for Buffer<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words<T>(Buffer<T>)
        where
            T: Word;
        impl<T: Word> Visitor<'_> for Words<T> {
            type Value = Buffer<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of words")
            }

            fn visit_bytes<E: Error>(mut self, bytes: &[u8]) -> Result<Buffer<T>, E> {
                let (words, rest) = bytes.as_chunks();
                if !rest.is_empty() {
                    return Err(E::invalid_length(bytes.len(), &self));
                }
                self.0.extend(words.iter().map(|word| T::of(u64::from_le_bytes(*word))));
                Ok(self.0)
            }
        }
        deserializer.deserialize_bytes(Words(Buffer::empty(0)))
    }
}

/// Empty buffers that go back to where they came from. To another process only their number goes.
#[derive(Debug, Default)]
pub struct Spent(pub Vec<Buffer<Pair>>);

impl Serialize for Spent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0.len() as u64)
    }
}

impl<'de> Deserialize<'de> for Spent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        // What was sent has left its memory in the pool: no more than that is taken, whatever the number.
        Ok(Spent((0..number).map_while(|_| unused()).map(Buffer).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends something to another process and back.
    fn sent<T: Serialize + for<'de> Deserialize<'de>>(value: T) -> (T, usize) {
        let bytes = postcard::to_stdvec(&value).expect("it becomes bytes");
        drop(value);
        (postcard::from_bytes(&bytes).expect("they are what was sent"), bytes.len())
    }

    #[test]
    fn what_is_sent_arrives_in_memory_that_is_used_again() {
        let mut buffer = Buffer::empty(100);
        buffer.extend([(1, 2), (u32::MAX, 0)]);
        let memory = buffer.as_ptr();
        let (buffer, bytes) = sent(buffer);
        assert_eq!((buffer.as_slice(), bytes), (&[(1, 2), (u32::MAX, 0)][..], 17));
        assert_eq!(buffer.as_ptr(), memory);

        let mut words = Buffer::default();
        words.extend([u64::MAX, 7, 1 << 40]);
        assert_eq!(sent(words).0.as_slice(), [u64::MAX, 7, 1 << 40]);
        assert!(sent(Buffer::<u64>::default()).0.is_empty());
    }

    #[test]
    fn buffers_that_are_handed_back_travel_as_their_number() {
        let spent = Spent((0..3).map(|_| Buffer(Vec::with_capacity(1000))).collect());
        let (spent, bytes) = sent(spent);
        assert_eq!(bytes, 1);
        assert_eq!(spent.0.iter().map(|buffer| buffer.capacity()).collect::<Vec<_>>(), [1000; 3]);
    }

    #[test]
    fn numbers_that_cannot_be_right_take_what_is_there() {
        let bytes = postcard::to_stdvec(&u64::MAX).expect("it is a number");
        let spent: Spent = postcard::from_bytes(&bytes).expect("it is one");
        assert!(spent.0.len() <= MOST);
        for bytes in [&[5, 1, 2, 3, 4, 5][..], &[9, 1]] {
            assert!(postcard::from_bytes::<Buffer<u64>>(bytes).is_err(), "{bytes:?}");
        }
    }
}
