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

    /// All short names, which generic code around the parameters may use as well.
    letters<A, B, C, D, E, F, G, H, I, J, K, L, M> {
        ask: send { ask(A, B, C, D, E, F, G, H, I, J, K, L, M) -> answer<A, B, C, D, E, F, G, H, I, J, K, L, M> }
        answer: recv<N, O, P, Q, R, S, T, U, V, W, X, Y, Z> {
            answer(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z) -> !
        }
    }

    /// States that need different sets of parameters.
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

#[derive(Clone, Copy, Debug)]
struct Flag<const YES: bool, const LETTER: char>;

struct Sign<const SIGN: i8>;

#[test]
fn parameters_of_the_protocol() {
    let (text, bytes) = (String::from("text"), [1, 2]);
    let (client, server) = on_the_protocol::pipe::<&str, str, 2>();
    let client = client.keys(["a", "b"], &bytes).expect("the server is here");
    let on_the_protocol::Keys::Keys(keys, [1, 2], server) = server.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    let server = server.values(&text).expect("the client is here");
    let on_the_protocol::Values::Values(value, client) = client.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    let map = HashMap::from([(keys[0], value.to_owned())]);
    let client: on_the_protocol::Client<on_the_protocol::Keys<'_, '_, &str, str, 2>> =
        client.maps(map, Cow::Borrowed(value)).expect("the server is here");
    let on_the_protocol::Maps::Maps(map, _, _server) = server.try_recv().expect("it was sent");
    assert_eq!(map["a"], "text");
    drop(client);
}

#[test]
fn parameters_of_states() {
    let (client, server) = on_the_states::pipe::<char, 2>();
    let client = client.array(&['a', 'b']).expect("the server is here");
    let on_the_states::Today::Array(['a', 'b'], server) = server.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    let server = server.array(['c', 'd']).expect("the client is here");
    let Ok(on_the_states::Once::Array(['c', 'd'], client)) = client.try_recv() else {
        panic!("something else was sent");
    };
    let server = server.end().expect("the client is here");
    let Ok(on_the_states::Once::End(client)) = client.try_recv() else { panic!("something else was sent") };
    let _client = client.array(&[1_u16, 2]).expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(on_the_states::Today::Array([1, 2], _))));
}

#[test]
fn parameters_of_both() {
    let (client, server) = on_both::pipe::<std::ops::Range<u32>>();
    let client = client.whole(0..3).expect("the server is here");
    let on_both::Items::Whole(range, server) = server.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    let server = server.own(range.collect(), Some(3)).expect("the client is here");
    let on_both::Own::Own(items, Some(3), client) = client.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    assert_eq!(items, [0, 1, 2]);
    let _client = client.item(4).expect("the server is here");
    let Ok(on_both::Items::Item(4, server)) = server.try_recv() else { panic!("something else was sent") };
    let _server = server.changed(5).expect("the client is here");
}

#[test]
fn states_have_the_parameters_that_they_need() {
    let (client, server) = by_need::pipe::<u8, u16, u8>();
    let client: by_need::Client<by_need::Two<u16, u8>> = client.first(1).expect("the server is here");
    let by_need::All::First(1, server) = server.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    let server: by_need::Server<by_need::One<u8>> = server.second(2).expect("the client is here");
    drop(client);
    let back = server.third(3).expect_err("nobody is there");
    assert_eq!(back.into_payload(), 3);
}

#[test]
fn lifetimes_of_protocols_and_states() {
    let text = String::from(" text ");
    let (client, server) = lifetimes::pipe();
    let client = client.lend(&text, str::trim, str::trim).expect("the server is here");
    let lifetimes::Lend::Lend(lent, trim, _, server) = server.try_recv().expect("it was sent");
    let server =
        server.again(trim(lent), Box::new(|text| text.len() + lent.len())).expect("the client is here");
    let lifetimes::Again::Again(again, count, client) = client.try_recv().expect("it was sent");
    assert_eq!((again, count("1")), ("text", 7));
    drop((client, server));
}

#[test]
fn constants_of_protocols_and_states() {
    let (client, server) = constants::pipe::<1, true, 'x'>();
    let client = client.array([Flag]).expect("the server is here");
    let constants::Array::Array([Flag], server) = server.try_recv().expect("it was sent");
    let _server = server.fixed([Sign, Sign, Sign, Sign]).expect("the client is here");
    assert!(matches!(client.try_recv(), Ok(constants::Fixed::Fixed([Sign::<-1>, ..], _))));
}
