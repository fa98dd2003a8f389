//! Parameters of every kind, on protocols and on states.
#![allow(clippy::multiple_bound_locations, reason = "both locations are tried")]

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

pipes::proto! {
    /// On the protocol, with bounds both inline and in the `where` clause.
    on_the_protocol<'a, 'b: 'a, K: Eq + Hash + 'a, V: ?Sized, const N: usize>
    where
        V: ToOwned + 'b,
        <V as ToOwned>::Owned: Clone,
        &'a K: PartialEq,
    {
        keys: send { keys([K; N], &'a [u8; N]) -> values }
        values: recv { values(&'b V) -> maps, none -> ! }
        maps: send { maps(HashMap<K, V::Owned>, Cow<'b, V>) -> keys }
    }

    /// On the states: behind the name, and behind the direction, which is the former syntax.
    on_the_states {
        today<'a, T: Copy + Debug, const N: usize>: send {
            array(&'a [T; N]) -> once<T, N>,
            other(&'a T) -> today<'a, u8, 3>
        }
        once: recv<U: Copy + Debug, const M: usize> {
            array([U; M]) -> once<U, M>,
            end -> today<'static, u16, 2>
        }
    }

    /// On both.
    on_both<T: Iterator> where T::Item: Clone {
        items: send { item(T::Item) -> own<u8>, whole(T) -> own<Vec<T::Item>> }
        own<U>: recv { own(U, Option<<T as Iterator>::Item>) -> items, changed(U) -> own<[u8; 2]> }
    }

    /// States that need different sets of parameters.
    #[remote]
    by_need<A, B, C: PartialEq<A>> {
        all: send { first(A) -> two, end -> nothing }
        two: recv { second(B) -> one }
        one: recv { third(C) -> nothing }
        nothing: send { end -> ! }
    }

    /// Lifetimes, some of them bound by the payload types themselves.
    lifetimes<'a> {
        lend: send { lend(&'a str, fn(&'a str) -> &'a str, for<'c> fn(&'c str) -> &'c str) -> again<'a> }
        again<'b>: recv { again(&'b str, Box<dyn Fn(&str) -> usize + 'b>) -> lend }
    }

    /// Constants of several types.
    constants<const COUNT: usize, const YES: bool, const LETTER: char> {
        array: send { array([Flag<YES, LETTER>; COUNT]) -> fixed<4, -1> }
        fixed<const N: usize, const SIGN: i8>: recv { fixed([Sign<SIGN>; N]) -> array }
    }
}

pipes::proto! {
    /// Between programs: bounds in both places, a constant, and a projection.
    #[remote]
    between<K: Ord + Debug, I, const N: usize>
    where
        I: IntoIterator,
        I::Item: Debug,
    {
        keys: send { key(K) -> keys, bytes([u8; N]) -> keys, done(HashMap<K, I::Item>) -> answer }
        answer: recv { item(I::Item) -> answer, key(K) -> !, bytes([u8; N]) -> ! }
    }

    /// With a comma at the end of its bounds, and names that generic code may use as well.
    #[remote(version = 2)]
    letters<A, B, C, D, E, P, V> where A: Debug, {
        ask: send { ask(A, B, C) -> ask, turn(D, E) -> answer }
        answer: recv { answer(P, V) -> ! }
    }

    /// A constant called like what each protocol has.
    #[remote]
    constant<const BOUND: usize> { ask: send { ask([u8; BOUND]) -> ask, end -> ! } }

    /// Sizes that are not known.
    #[remote]
    unsized_<T: ?Sized> { ask: send { ask(Box<T>) -> ask, end -> ! } }
}

struct Flag<const YES: bool, const LETTER: char>;

struct Sign<const SIGN: i8>;

#[test]
fn parameters_of_the_protocol() {
    let (text, bytes) = (String::from("text"), [1, 2]);
    let (client, server) = on_the_protocol::pipe::<&str, str, 2>();
    let client = client.keys(["a", "b"], &bytes).unwrap();
    take!(server, on_the_protocol::Keys::Keys(keys, [1, 2], server));
    let server = server.values(&text).unwrap();
    take!(client, on_the_protocol::Values::Values(value, client));
    let map = HashMap::from([(keys[0], value.to_owned())]);
    let client: on_the_protocol::Client<on_the_protocol::Keys<'_, '_, &str, str, 2>> =
        client.maps(map, Cow::Borrowed(value)).unwrap();
    take!(server, on_the_protocol::Maps::Maps(map, _, _server));
    assert_eq!(map["a"], "text");
    drop(client);
}

#[test]
fn parameters_of_states() {
    let (client, server) = on_the_states::pipe::<char, 2>();
    let client = client.array(&['a', 'b']).unwrap();
    take!(server, on_the_states::Today::Array(['a', 'b'], server));
    let server = server.array(['c', 'd']).unwrap();
    take!(client, on_the_states::Once::Array(['c', 'd'], client));
    let server = server.end().unwrap();
    take!(client, on_the_states::Once::End(client));
    let _client = client.array(&[1_u16, 2]).unwrap();
    take!(server, on_the_states::Today::Array([1, 2], _));
}

#[test]
fn states_have_the_parameters_that_they_need() {
    let (client, server) = by_need::pipe::<u8, u16, u8>();
    let client: by_need::Client<by_need::Two<u16, u8>> = client.first(1).unwrap();
    take!(server, by_need::All::First(1, server));
    let server: by_need::Server<by_need::One<u8>> = server.second(2).unwrap();
    drop(client);
    let back = server.third(3).unwrap_err();
    assert_eq!(back.into_payload(), 3);
}

#[test]
fn lifetimes_of_protocols_and_states() {
    let text = String::from(" text ");
    drop((constant::pipe::<2>(), unsized_::pipe::<str>(), between::pipe::<u8, Vec<u16>, 3>()));
    drop(letters::pipe::<u8, u16, u32, String, (), i8, bool>());
    let (client, server) = lifetimes::pipe();
    drop(client.lend(&text, str::trim, str::trim).unwrap());
    take!(server, lifetimes::Lend::Lend(lent, trim, ..));
    assert_eq!(trim(lent), "text");
    drop((on_both::pipe::<std::ops::Range<u32>>(), constants::pipe::<1, true, 'x'>()));
}
