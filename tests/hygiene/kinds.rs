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
            nothing -> first, empty() -> first, unit(()) -> first, one_tuple((u8,)) -> first,
            tuple((u8, u16), u8,) -> first,
            array([u8; LENGTH], [[u8; LENGTH + 1]; 1], [u8; "text".len()]) -> first,
            slice(&'a [T], &'a mut [T]) -> first,
            object(Box<dyn Fn(u8) -> u8 + Send + 'a>, &'a dyn Display, Box<dyn Iterator<Item = (u8, T)>>) -> first,
            function(fn(u8) -> u8, fn(), extern "C" fn(u8) -> u8, for<'b> fn(&'b T) -> &'b T) -> first,
            raw(*const u8, *mut T) -> first,
            qualified(<u8 as Named>::Name, <Vec<T> as IntoIterator>::IntoIter) -> first,
            by_macro(pair!(u8, T), Vec<pair!(pair!(T, u8), &'a T)>) -> second,
            local(Rc<T>) -> first
        }
        second: recv { never(Never) -> first, large([u64; 512]) -> first, end -> ! }
    }

    /// Payloads without values, which can never be sent.
    #[remote]
    impossible { begin: send { never(Never) -> ! } }
}

#[test]
fn payloads_of_tuples_and_arrays() {
    drop(impossible::pipe());
    let (client, server) = kinds::pipe::<u8>();
    let client = client.one_tuple((1,)).unwrap();
    let client = client.tuple((1, 2), 3).unwrap();
    let client = client.array([1, 2], [[1, 2, 3]], *b"text").unwrap();
    take!(server, kinds::First::OneTuple((1,), server));
    take!(server, kinds::First::Tuple((1, 2), 3, server));
    take!(server, kinds::First::Array([1, 2], [[1, 2, 3]], _, server));
    drop(server);
    let back = client.one_tuple((1,)).unwrap_err();
    assert_eq!(back.into_payload(), (1,));
}

#[test]
fn payloads_that_a_macro_names() {
    let number = 6;
    let (client, server) = kinds::pipe();
    let client = client.qualified(String::new(), vec![1].into_iter()).unwrap();
    let client = client.by_macro((1, 2), vec![((3, 4), &number)]).unwrap();
    take!(server, kinds::First::Qualified(_, items, server));
    assert_eq!(items.as_slice(), [1]);
    take!(server, kinds::First::ByMacro((1, 2), pairs, server));
    assert_eq!(pairs, [((3, 4), &6)]);
    let _server = server.large([5; 512]).unwrap();
    assert!(matches!(client.try_recv(), Ok(kinds::Second::Large(numbers, _)) if numbers == [5; 512]));
}
