//! Payloads that say nothing, in all ways, and protocols of few messages.
//!
//! Sessions between programs are tested with the same protocols (`tests/remote/it/hygiene.rs`).

type Unit = ();

pipes::proto! {
    /// Unbounded, so with tickets between programs.
    #[remote]
    unbounded {
        open: send {
            no -> open, unit(()) -> open, named(it: ()) -> open, alias(Unit) -> open, two((), ()) -> open,
            nested(((),)) -> open, turn(()) -> answer
        }
        answer: recv { no -> !, unit(()) -> !, named(it: ()) -> !, alias(Unit) -> !, two((), ()) -> answer }
    }

    /// Bounded, so without tickets.
    #[remote]
    bounded {
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
}

#[test]
fn nothing_in_all_ways() {
    let (client, server) = pipe!(unbounded);
    let client = client.no().unwrap().unit(()).unwrap().named(()).unwrap().alias(()).unwrap();
    let client = client.two((), ()).unwrap().nested(((),)).unwrap().turn(()).unwrap();
    take!(server, unbounded::Open::No(server));
    take!(server, unbounded::Open::Unit((), server));
    take!(server, unbounded::Open::Named((), server));
    take!(server, unbounded::Open::Alias((), server));
    take!(server, unbounded::Open::Two((), (), server));
    take!(server, unbounded::Open::Nested(((),), server));
    take!(server, unbounded::Open::Turn((), server));
    server.two((), ()).unwrap().unit(()).unwrap();
    take!(client, unbounded::Answer::Two((), (), client));
    take!(client, unbounded::Answer::Unit(()));
}

#[test]
fn sides_that_send_nothing() {
    let (client, server) = pipe!(one_sided);
    server.more(1).unwrap().enough(2).unwrap();
    take!(client, one_sided::Open::More(1, client));
    take!(client, one_sided::Open::Enough(2));
    let (client, server) = pipe!(bounded);
    let _client = client.two((), ()).unwrap();
    take!(server, bounded::Open::Two((), (), _));
    drop((pipe!(bare), pipe!(single), pipe!(endless)));
}
