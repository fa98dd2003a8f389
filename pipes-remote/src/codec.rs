//! How payloads become bytes.

mod round_trip;

use pipes::remote::Carries;
use pipes::remote::Fault;
use postcard::ser_flavors::Flavor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::type_name;

/// A codec turns payloads into bytes, and has a name that both programs compare.
///
/// It implements [`Carries`] for each type that it can carry.
pub trait Codec: Clone + Send + Sync + 'static {
    /// The name, with the version of the format. It has at most 64 bytes.
    const NAME: &'static str;
}

/// The codec that uses serde and the format [postcard](https://postcard.jamesmunns.com), which is compact,
/// specified, and stable since its version 1. It carries every type that is `Serialize` and
/// `DeserializeOwned`.
///
/// # What it cannot carry
///
/// Postcard writes values and no names, so a payload must be read in the order in which it was written. Some
/// of serde's attributes and types need a format that describes itself:
///
/// - `#[serde(untagged)]`, `#[serde(tag = "…")]`, `serde_json::Value` and all else that calls
///   `deserialize_any` cannot be decoded.
/// - `#[serde(flatten)]`, and sequences and maps that do not know their length, cannot be encoded.
/// - `#[serde(skip_serializing_if = "…")]`, and `skip_serializing` or `skip_deserializing` alone on a field:
///   the fields behind it are misread.
/// - `#[serde(skip)]` on a variant that is not the last one: the variants after it are **decoded as others**.
///   serde counts the skipped variant when it writes, and not when it reads. Move it to the end.
///
/// Such a payload ends the session with a [`Fault`] that names the message and the type. Some of these
/// mistakes would be noticed only by the receiver, or by neither side. **In debug builds** the sender finds
/// them, because it also decodes each payload and compares it. So at the sender, a payload's `Deserialize`
/// runs, too, its `Serialize` runs twice more, and a copy is dropped; and a test that sends a variant shows
/// whether it arrives. A type that is meant to become another variant when it is read cannot be sent in debug
/// builds. Release builds do not compare, because that takes longer than the encoding itself.
///
/// # What a stranger can do
///
/// Postcard reserves at most 1 MiB for a length that it reads, and a message has a limit. Two kinds of
/// payload types are still dangerous:
///
/// - **Elements without bytes.** A `Vec<()>` of 2⁶⁴ elements is ten bytes long and takes for ever to read.
///   `#[remote]` refuses it where it is written in the protocol, and `#[remote(schema)]` wherever it is.
///   Without `schema`, avoid collections of structs without fields. Send the number instead.
/// - **Types that contain themselves**, as a tree does. They are read by recursion, and a message may be
///   nested as deep as it has bytes: at the usual limit of 1 MiB a stranger's message can use up the stack,
///   which ends the process. `#[remote(schema)]` does not compile with such a type. Otherwise send the tree
///   as a list of nodes, or set [`Via::limit`](crate::Via::limit) to some kilobytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Postcard;

impl Codec for Postcard {
    const NAME: &'static str = "postcard 1";
}

// With this, a compile error says which payload cannot travel, and not which trait of serde it lacks.
#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Carries<T> for Postcard {
    #[inline]
    fn put(&self, payload: &T, out: &mut Vec<u8>) -> Result<(), Fault> {
        let begin = out.len();
        let written = postcard::serialize_with_flavor(payload, Tail(out));
        written.map_err(|error| Fault::Unencodable(reason::<T>(error)))?;
        // Only in debug builds: it takes longer than the encoding.
        if cfg!(debug_assertions) {
            let found = round_trip::check(payload, &out[begin..]);
            found.map_err(|found| Fault::Unencodable(format!("`{}`: {found}", type_name::<T>())))?;
        }
        Ok(())
    }

    #[inline]
    fn get(&self, bytes: &[u8]) -> Result<T, Fault> {
        let read = postcard::take_from_bytes(bytes);
        let (payload, rest) = read.map_err(|error| Fault::Undecodable(reason::<T>(error)))?;
        if rest.is_empty() { Ok(payload) } else { Err(Fault::LeftOver { bytes: rest.len() }) }
    }
}

/// Returns why a `T` cannot be encoded or decoded.
#[cold]
fn reason<T>(error: postcard::Error) -> String {
    format!("`{}`: {}", type_name::<T>(), round_trip::explain(error))
}

/// Lets postcard append to a vector.
struct Tail<'a>(&'a mut Vec<u8>);

impl Flavor for Tail<'_> {
    type Output = ();

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}
