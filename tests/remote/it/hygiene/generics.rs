//! Protocols with parameters.

use super::meet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// As many bytes as its parameter says.
#[derive(Debug, PartialEq)]
struct Bytes<const N: usize>([u8; N]);

impl<const N: usize> Serialize for Bytes<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0[..].serialize(serializer)
    }
}

impl<'a, const N: usize> Deserialize<'a> for Bytes<N> {
    fn deserialize<D: serde::Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Vec::<u8>::deserialize(deserializer)?;
        bytes.try_into().map(Bytes).map_err(|_| serde::de::Error::custom("another length"))
    }
}

pipes::proto! {
    /// Bounds in both places, a constant, and a projection.
    #[remote]
    all<K: Ord + Debug, I, const N: usize>
    where
        I: IntoIterator,
        I::Item: Debug,
    {
        keys: send { key(K) -> keys, bytes(Bytes<N>) -> keys, done(BTreeMap<K, I::Item>) -> answer }
        answer: recv { item(I::Item) -> answer, key(K) -> !, bytes(Bytes<N>) -> ! }
    }

    /// Bounded.
    #[remote]
    bounded<T: Send + 'static, const N: usize> {
        ask: send { ask(T, Bytes<N>) -> answer, leave -> ! }
        answer: recv { answer(Option<T>) -> ask }
    }

    /// With a comma at the end of its bounds, and names that generic code may use as well.
    #[remote]
    letters<A, B, C, D, E, P, V> where A: Debug, {
        ask: send { ask(A, B, C) -> ask, turn(D, E) -> answer }
        answer: recv { answer(P, V) -> ! }
    }

    /// A constant called like what each protocol has.
    #[remote]
    constant<const BOUND: usize> { ask: send { ask(Bytes<BOUND>) -> ask, end -> ! } }

    /// Sizes that are not known.
    #[remote]
    unsized_<T: ?Sized> { ask: send { ask(Box<T>) -> ask, end -> ! } }
}

#[test]
fn bounds_and_constants() {
    let ((client, _), (server, _)) = meet::<all::Protocol<String, Vec<u16>, 3>>();
    let client = client.key("a".into()).unwrap().bytes(Bytes([1, 2, 3])).unwrap();
    let client = client.done([(String::from("b"), 4)].into()).unwrap();
    let Ok(all::Keys::Key(key, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!(key, "a");
    let Ok(all::Keys::Bytes(Bytes([1, 2, 3]), server)) = server.recv() else { panic!("it was sent") };
    let Ok(all::Keys::Done(map, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!(map["b"], 4);
    server.item(5).unwrap().bytes(Bytes([6; 3])).unwrap();
    let Ok(all::Answer::Item(5, client)) = client.recv() else { panic!("it was sent") };
    assert!(matches!(client.recv(), Ok(all::Answer::Bytes(Bytes([6, 6, 6])))));
}

#[test]
fn by_the_generated_functions() {
    let via = pipes_remote::memory();
    let mut listener = bounded::listen_with_links(&via).unwrap();
    let (client, _) = bounded::connect_with_link(&via).unwrap();
    let client = client.ask(7_u8, Bytes([8; 2])).unwrap();
    let (server, link): (bounded::Server<bounded::Ask<u8, 2>>, _) = listener.accept().unwrap();
    assert_eq!(link.peer().to_string(), "memory");
    let Ok(bounded::Ask::Ask(7, Bytes([8, 8]), server)) = server.recv() else { panic!("it was sent") };
    let _server = server.answer(None).unwrap();
    let Ok(bounded::Answer::Answer(None, client)) = client.recv() else { panic!("it was sent") };
    client.leave().unwrap();
}

/// A function that knows no more of the type than its protocol does.
fn serve_any<T, V>(via: &V) -> Result<pipes::Listener<bounded::Protocol<T, 2>>, V::Error>
where
    T: Send + 'static,
    V: pipes::remote::Serve<bounded::Protocol<T, 2>, bounded::Server<bounded::Ask<T, 2>>>,
{
    bounded::listen(via)
}

#[test]
fn in_generic_functions() {
    let via = pipes_remote::memory();
    let _listener = serve_any::<u8, _>(&via).unwrap();
    drop(bounded::connect::<u8, 2, _>(&via).unwrap());
}

#[test]
fn letters_constants_and_types_of_unknown_size() {
    let ((client, _), (server, _)) = meet::<letters::Protocol<u8, u16, u32, String, (), i8, bool>>();
    let _client = client.ask(1, 2, 3).unwrap();
    assert!(matches!(server.recv(), Ok(letters::Ask::Ask(1, 2, 3, _))));
    drop((meet::<constant::Protocol<2>>(), meet::<unsized_::Protocol<str>>()));
}
