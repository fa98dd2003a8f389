//! Payloads of unusual types.

use super::meet;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;

/// A type without values.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Never {}

/// A type that only this module sees.
#[derive(Debug, Serialize, Deserialize)]
struct Hidden {
    number: u8,
}

type Unit = ();
type Count = u64;

macro_rules! list {
    ($of:ty) => { Vec<$of> };
}

pipes::proto! {
    /// Nothing, in all ways; unbounded, so with tickets.
    #[remote]
    nothing {
        open: send {
            no -> open, unit(()) -> open, named(it: ()) -> open, alias(Unit) -> open, two((), ()) -> open, nested(((),)) -> open,
            turn(()) -> answer
        }
        answer: recv { no -> !, unit(()) -> !, named(it: ()) -> !, alias(Unit) -> !, two((), ()) -> answer }
    }

    /// Nothing, in all ways; bounded, so without tickets.
    #[remote]
    bounded_nothing {
        open: send { no -> answer, unit(()) -> answer, alias(Unit) -> answer, two((), ()) -> answer }
        answer: recv { no -> !, unit(()) -> !, alias(Unit) -> !, two((), ()) -> open }
    }

    /// No payload at all, and slots have room for tickets only.
    #[remote]
    bare { open: send { more -> open, enough -> ! } }

    /// Only one side ever sends.
    #[remote]
    one_sided { open: recv { more(u8) -> open, enough(u8) -> ! } }

    /// Only one message.
    #[remote]
    single { open: send { only(String) -> ! } }

    /// A session that does not end.
    #[remote]
    endless { open: send { more(u8) -> answer } answer: recv { more(u8) -> open } }

    #[remote]
    types {
        open: send {
            never(Never) -> open,
            hidden(Hidden) -> open,
            alias(Count, super::payloads::Count) -> open,
            written(list!(u8), list![list![u8]]) -> open,
            paths(::std::string::String, std::vec::Vec<core::option::Option<u8>>) -> open,
            owned(Cow<'static, str>) -> open,
            map(HashMap<String, Vec<(u8, [u8; 4])>>) -> open,
            tuple((u8, u16)) -> open,
            fields(u8, u16) -> open,
            nested((((u8,), u16), u32)) -> open,
            outcome(Result<u8, String>) -> open,
            boxed(Box<[u8]>, Box<str>) -> open,
            end(Never) -> !
        }
    }
}

#[test]
fn nothing_in_all_ways() {
    let ((client, _), (server, _)) = meet::<nothing::Protocol>();
    let client = client.no().unwrap().unit(()).unwrap().named(()).unwrap().alias(()).unwrap();
    let client = client.two((), ()).unwrap().nested(((),)).unwrap().turn(()).unwrap();
    let Ok(nothing::Open::No(server)) = server.recv() else { panic!("it was sent") };
    let Ok(nothing::Open::Unit((), server)) = server.recv() else { panic!("it was sent") };
    let Ok(nothing::Open::Named((), server)) = server.recv() else { panic!("it was sent") };
    let Ok(nothing::Open::Alias((), server)) = server.recv() else { panic!("it was sent") };
    let Ok(nothing::Open::Two((), (), server)) = server.recv() else { panic!("it was sent") };
    let Ok(nothing::Open::Nested(((),), server)) = server.recv() else { panic!("it was sent") };
    let Ok(nothing::Open::Turn((), server)) = server.recv() else { panic!("it was sent") };
    server.two((), ()).unwrap().unit(()).unwrap();
    let Ok(nothing::Answer::Two((), (), client)) = client.recv() else { panic!("it was sent") };
    assert!(matches!(client.recv(), Ok(nothing::Answer::Unit(()))));
}

#[test]
fn nothing_in_a_bounded_protocol() {
    let ((client, _), (server, _)) = meet::<bounded_nothing::Protocol>();
    let client = client.unit(()).unwrap();
    let Ok(bounded_nothing::Open::Unit((), server)) = server.recv() else { panic!("it was sent") };
    server.alias(()).unwrap();
    assert!(matches!(client.recv(), Ok(bounded_nothing::Answer::Alias(()))));
}

#[test]
fn messages_without_payloads() {
    let ((mut client, link), (mut server, _)) = meet::<bare::Protocol>();
    for _ in 0..3_000 {
        client = client.more().unwrap();
        let Ok(bare::Open::More(next)) = server.recv() else { panic!("it was sent") };
        server = next;
    }
    client.enough().unwrap();
    assert!(matches!(server.recv(), Ok(bare::Open::Enough)));
    link.drained(std::time::Duration::from_secs(60)).expect("it was received");
}

#[test]
fn one_side_sends() {
    let ((client, _), (server, _)) = meet::<one_sided::Protocol>();
    server.more(1).unwrap().enough(2).unwrap();
    let Ok(one_sided::Open::More(1, client)) = client.recv() else { panic!("it was sent") };
    assert!(matches!(client.recv(), Ok(one_sided::Open::Enough(2))));
    let ((client, _), (server, _)) = meet::<single::Protocol>();
    client.only(String::from("once")).unwrap();
    assert!(matches!(server.recv(), Ok(single::Open::Only(text)) if text == "once"));
    let ((client, _), (server, _)) = meet::<endless::Protocol>();
    let client = client.more(1).unwrap();
    let Ok(endless::Open::More(1, server)) = server.recv() else { panic!("it was sent") };
    drop(client);
    drop(server.more(2));
}

#[test]
fn types_from_everywhere() {
    let ((client, _), (server, _)) = meet::<types::Protocol>();
    let client = client.hidden(Hidden { number: 3 }).unwrap().alias(4, 5).unwrap();
    let client =
        client.written(vec![6], vec![vec![7]]).unwrap().paths("8".into(), vec![Some(9), None]).unwrap();
    let client = client.owned(Cow::Borrowed("10")).unwrap();
    let client = client.map([(String::from("11"), vec![(12, [13; 4])])].into()).unwrap();
    let client = client.tuple((14, 15)).unwrap().fields(16, 17).unwrap().nested((((18,), 19), 20)).unwrap();
    let _client = client.outcome(Err("21".into())).unwrap().boxed([22].into(), "23".into()).unwrap();
    let Ok(types::Open::Hidden(Hidden { number: 3 }, server)) = server.recv() else { panic!("it was sent") };
    let Ok(types::Open::Alias(4, 5, server)) = server.recv() else { panic!("it was sent") };
    let Ok(types::Open::Written(six, seven, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!((six, seven), (vec![6], vec![vec![7]]));
    let Ok(types::Open::Paths(eight, nine, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!((eight.as_str(), nine), ("8", vec![Some(9), None]));
    let Ok(types::Open::Owned(ten, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!(ten, "10");
    let Ok(types::Open::Map(map, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!(map["11"], [(12, [13; 4])]);
    let Ok(types::Open::Tuple((14, 15), server)) = server.recv() else { panic!("it was sent") };
    let Ok(types::Open::Fields(16, 17, server)) = server.recv() else { panic!("it was sent") };
    let Ok(types::Open::Nested((((18,), 19), 20), server)) = server.recv() else { panic!("it was sent") };
    let Ok(types::Open::Outcome(outcome, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!(outcome, Err(String::from("21")));
    let Ok(types::Open::Boxed(bytes, text, _)) = server.recv() else { panic!("it was sent") };
    assert_eq!((&*bytes, &*text), (&[22][..], "23"));
}
