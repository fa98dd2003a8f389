//! Payloads of unusual types.

use super::meet;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

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
            never(Never) -> open, hidden(Hidden) -> open, alias(Count, super::payloads::Count) -> open,
            written(list!(u8), list![list![u8]]) -> open, owned(Cow<'static, str>) -> open,
            nested((((u8,), u16), u32)) -> open, outcome(Result<u8, String>) -> open, end(Never) -> !
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
fn types_from_everywhere() {
    let ((client, _), (server, _)) = meet::<types::Protocol>();
    let client = client.hidden(Hidden { number: 3 }).unwrap().alias(4, 5).unwrap();
    let _client = client.owned(Cow::Borrowed("10")).unwrap().nested((((18,), 19), 20)).unwrap();
    let Ok(types::Open::Hidden(Hidden { number: 3 }, server)) = server.recv() else { panic!("it was sent") };
    let Ok(types::Open::Alias(4, 5, server)) = server.recv() else { panic!("it was sent") };
    let Ok(types::Open::Owned(ten, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!(ten, "10");
    assert!(matches!(server.recv(), Ok(types::Open::Nested((((18,), 19), 20), _))));
}

#[test]
fn sides_that_send_nothing() {
    let ((client, _), (server, _)) = meet::<one_sided::Protocol>();
    server.more(1).unwrap().enough(2).unwrap();
    let Ok(one_sided::Open::More(1, client)) = client.recv() else { panic!("it was sent") };
    assert!(matches!(client.recv(), Ok(one_sided::Open::Enough(2))));
    drop((meet::<bounded_nothing::Protocol>(), meet::<bare::Protocol>()));
    drop((meet::<single::Protocol>(), meet::<endless::Protocol>()));
}
