//! Payloads of every kind of type.

use std::fmt::Display;
use std::rc::Rc;

macro_rules! pair {
    ($first:ty, $second:ty) => {
        ($first, $second)
    };
}

const LENGTH: usize = 2;

trait Named {
    type Name;
}

impl Named for u8 {
    type Name = String;
}

enum Never {}

pipes::proto! {
    kinds<'a, T> {
        first: send {
            nothing -> first,
            empty() -> first,
            unit(()) -> first,
            one_tuple((u8,)) -> first,
            tuple((u8, u16), u8,) -> first,
            array([u8; LENGTH], [[u8; LENGTH + 1]; 1], [u8; "text".len()]) -> first,
            slice(&'a [T], &'a mut [T]) -> first,
            object(
                Box<dyn Fn(u8) -> u8 + Send + 'a>,
                &'a dyn Display,
                Box<dyn Iterator<Item = (u8, T)>>
            ) -> first,
            function(
                fn(u8) -> u8,
                fn(),
                extern "C" fn(u8) -> u8,
                for<'b> fn(&'b T) -> &'b T
            ) -> first,
            raw(*const u8, *mut T) -> first,
            qualified(<u8 as Named>::Name, <Vec<T> as IntoIterator>::IntoIter) -> first,
            by_macro(pair!(u8, T), Vec<pair!(pair!(T, u8), &'a T)>) -> second,
            local(Rc<T>) -> first
        }
        second: recv {
            never(Never) -> first,
            infallible(std::convert::Infallible) -> second,
            large([u64; 512]) -> first,
            end -> !
        }
    }

    /// Messages without payloads.
    bare { ping: send { ping -> pong } pong: recv { pong -> ping } }

    /// Payloads without values, which can never be sent.
    impossible { begin: send { never(Never) -> ! } }
}

#[test]
fn payloads_of_no_fields() {
    let (client, server) = kinds::pipe::<u8>();
    let client = client.nothing().expect("the server is here");
    let client = client.empty().expect("the server is here");
    let client = client.unit(()).expect("the server is here");
    let Ok(kinds::First::Nothing(server)) = server.try_recv() else { panic!("something else was sent") };
    let Ok(kinds::First::Empty(server)) = server.try_recv() else { panic!("something else was sent") };
    let Ok(kinds::First::Unit((), server)) = server.try_recv() else { panic!("something else was sent") };
    drop(server);
    assert_eq!(client.nothing().expect_err("nobody is there").into_payload(), ());
}

#[test]
fn payloads_of_tuples_and_arrays() {
    let (client, server) = kinds::pipe::<u8>();
    let client = client.one_tuple((1,)).expect("the server is here");
    let client = client.tuple((1, 2), 3).expect("the server is here");
    let client = client.array([1, 2], [[1, 2, 3]], *b"text").expect("the server is here");
    let Ok(kinds::First::OneTuple((1,), server)) = server.try_recv() else {
        panic!("something else was sent")
    };
    let Ok(kinds::First::Tuple((1, 2), 3, server)) = server.try_recv() else {
        panic!("something else was sent")
    };
    let Ok(kinds::First::Array([1, 2], [[1, 2, 3]], _, server)) = server.try_recv() else {
        panic!("something else was sent");
    };
    drop(server);
    let back = client.one_tuple((1,)).expect_err("nobody is there");
    assert_eq!(back.into_payload(), (1,));
}

#[test]
fn payloads_of_objects_and_functions() {
    extern "C" fn same(number: u8) -> u8 {
        number
    }
    let (increment, text) = (1, String::from("text"));
    let (client, server) = kinds::pipe::<u8>();
    let client = client
        .object(Box::new(|number| number + increment), &text, Box::new(std::iter::once((1, 2))))
        .expect("the server is here");
    let _client = client.function(|number| number + 2, || {}, same, |same| same);
    let Ok(kinds::First::Object(add, shown, items, server)) = server.try_recv() else {
        panic!("something else was sent");
    };
    assert_eq!((add(1), shown.to_string(), items.count()), (2, String::from("text"), 1));
    let Ok(kinds::First::Function(add, ..)) = server.try_recv() else { panic!("something else was sent") };
    assert_eq!(add(1), 3);
}

#[test]
fn payloads_that_borrow() {
    let (mut numbers, more) = ([1, 2, 3], [4]);
    let (client, server) = kinds::pipe();
    drop(client.slice(&more, &mut numbers).expect("the server is here"));
    let Ok(kinds::First::Slice([4], all, _)) = server.try_recv() else { panic!("something else was sent") };
    all[0] = 7;
    assert_eq!(numbers[0], 7);
}

#[test]
fn payloads_that_a_macro_names() {
    let number = 6;
    let (client, server) = kinds::pipe();
    let client = client.qualified(String::new(), vec![1].into_iter()).expect("the server is here");
    let client = client.by_macro((1, 2), vec![((3, 4), &number)]).expect("the server is here");
    let Ok(kinds::First::Qualified(_, items, server)) = server.try_recv() else {
        panic!("something else was sent")
    };
    assert_eq!(items.as_slice(), [1]);
    let Ok(kinds::First::ByMacro((1, 2), pairs, server)) = server.try_recv() else {
        panic!("something else was sent");
    };
    assert_eq!(pairs, [((3, 4), &6)]);
    let _server = server.large([5; 512]).expect("the client is here");
    assert!(matches!(client.try_recv(), Ok(kinds::Second::Large(numbers, _)) if numbers == [5; 512]));
}

#[test]
fn no_payloads_at_all() {
    let (client, server) = bare::pipe();
    let _client = client.ping().expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(bare::Ping::Ping(_))));
    drop(impossible::pipe());
}
