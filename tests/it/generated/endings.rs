//! Sessions that the server begins, last messages with a payload and without, and zero-sized payloads.

use pipes::Bound;
use pipes_tests::watched;
use std::cell::Cell;
use std::thread;

/// A zero-sized value with a large alignment.
#[derive(Debug, PartialEq)]
#[repr(align(64))]
struct Token;

pipes::proto! {
    /// The server begins, and either side may end it.
    news {
        headline: recv {
            headline(String) -> reaction,
            no_news -> !,
            obituary(String) -> !,
        }
        reaction: send {
            more -> headline,
            bored -> !,
            letter(String) -> !,
        }
    }

    /// No payload takes room.
    #[bounded]
    nothing {
        knock: send { knock -> who, knock_with((), [u64; 0], Token) -> who }
        who: recv { who(()) -> knock, nobody(Token) -> ! }
    }

    /// These messages, without a bound.
    ticks {
        tick: send { tick -> tick, token(Token) -> tick, stop -> !, last(Token) -> ! }
    }

    /// Payloads with destructors.
    drops {
        drop: send { drop(Counting) -> drop, last(Counting) -> ! }
    }
}

/// The client's first step is a receive.
#[test]
fn the_server_begins() {
    watched(|| {
        let (mut client, mut server) = news::pipe();
        let reading = thread::spawn(move || {
            let mut read = Vec::new();
            loop {
                match client.recv().expect("the paper does not vanish") {
                    news::Headline::Headline(text, reacting) => {
                        read.push(text);
                        client = reacting.more().expect("the paper is there");
                    }
                    news::Headline::NoNews => panic!("there is some"),
                    news::Headline::Obituary(text) => {
                        read.push(text);
                        return read;
                    }
                }
            }
        });
        for number in 0..3 {
            let reacted = server.headline(format!("day {number}")).expect("somebody reads");
            let Ok(news::Reaction::More(next)) = reacted.recv() else { panic!("the reader wants more") };
            server = next;
        }
        server.obituary("the end".to_owned()).expect("somebody reads");
        assert_eq!(reading.join().expect("the paper is there"), ["day 0", "day 1", "day 2", "the end"]);
    });
}

/// Every last message of both sides: read by its receiver, dropped with a receiver that leaves, refused
/// because the receiver has left.
#[test]
fn every_last_message() {
    let fresh = news::pipe;
    let reacting = || {
        let (client, server) = news::pipe();
        let server = server.headline("new".to_owned()).expect("the client is here");
        let Ok(news::Headline::Headline(_, client)) = client.recv() else { panic!("it was sent") };
        (client, server)
    };

    let (client, server) = fresh();
    server.no_news().expect("the client is here");
    assert!(matches!(client.recv(), Ok(news::Headline::NoNews)));
    let (client, server) = fresh();
    server.obituary("x".to_owned()).expect("the client is here");
    assert!(matches!(client.try_recv(), Ok(news::Headline::Obituary(x)) if x == "x"));
    let (client, server) = reacting();
    client.bored().expect("the server is here");
    assert!(matches!(server.recv(), Ok(news::Reaction::Bored)));
    let (client, server) = reacting();
    client.letter("y".to_owned()).expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(news::Reaction::Letter(y)) if y == "y"));

    let (client, server) = fresh();
    server.obituary("x".to_owned()).expect("the client is here");
    assert!(client.is_ready() && !client.is_closed());
    drop(client);

    let (client, server) = fresh();
    drop(client);
    assert_eq!(server.obituary("x".to_owned()).map_err(|error| error.into_payload()), Err("x".to_owned()));
    let (client, server) = fresh();
    drop(client);
    assert_eq!(server.no_news().map_err(|error| error.into_payload()), Err(()));
    let (client, server) = reacting();
    drop(server);
    assert_eq!(client.letter("y".to_owned()).map_err(|error| error.into_payload()), Err("y".to_owned()));
    let (client, server) = reacting();
    drop(server);
    assert!(client.bored().is_err());
}

#[test]
fn payloads_without_a_size() {
    watched(|| {
        let (mut client, mut server) = nothing::pipe();
        for _ in 0..10 {
            let asked = client.knock_with((), [], Token).expect("the server is here");
            let Ok(nothing::Knock::KnockWith((), [], Token, answering)) = server.recv() else {
                panic!("it was sent")
            };
            server = answering.who(()).expect("the client is here");
            let Ok(nothing::Who::Who((), next)) = asked.recv() else { panic!("it was sent") };
            let asked = next.knock().expect("the server is here");
            let Ok(nothing::Knock::Knock(answering)) = server.recv() else { panic!("it was sent") };
            server = answering.who(()).expect("the client is here");
            let Ok(nothing::Who::Who((), next)) = asked.recv() else { panic!("it was sent") };
            client = next;
        }
        let asked = client.knock().expect("the server is here");
        let Ok(nothing::Knock::Knock(answering)) = server.recv() else { panic!("it was sent") };
        answering.nobody(Token).expect("the client is here");
        assert!(matches!(asked.recv(), Ok(nothing::Who::Nobody(Token))));
    });
}

/// Through many blocks, each with as many slots as a block can have.
#[test]
fn many_messages_of_nothing() {
    let (mut client, mut server) = ticks::pipe();
    for number in 0..1_000 {
        let next = if number % 3 == 0 { client.token(Token).ok() } else { client.tick().ok() };
        client = next.expect("the server is here");
    }
    client.last(Token).expect("the server is here");
    for number in 0..1_000 {
        server = match server.recv() {
            Ok(ticks::Tick::Tick(next)) if number % 3 != 0 => next,
            Ok(ticks::Tick::Token(Token, next)) if number % 3 == 0 => next,
            other => panic!("{other:?} was not sent"),
        };
    }
    assert!(matches!(server.recv(), Ok(ticks::Tick::Last(Token))));

    let (client, server) = ticks::pipe();
    client.stop().expect("the server is here");
    assert!(matches!(server.recv(), Ok(ticks::Tick::Stop)));
}

thread_local! {
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

/// A zero-sized value whose destructor counts, separately on each thread.
#[repr(align(64))]
struct Counting;

impl Drop for Counting {
    fn drop(&mut self) {
        assert_eq!(std::ptr::from_ref(self).addr() % 64, 0, "it is dropped where it lies");
        DROPPED.set(DROPPED.get() + 1);
    }
}

#[test]
fn destructors_of_nothing() {
    let (mut client, mut server) = drops::pipe();
    for _ in 0..300 {
        client = client.drop(Counting).expect("the server is here");
    }
    for read in 1..=100 {
        let Ok(drops::Drop::Drop(_, next)) = server.recv() else { panic!("it was sent") };
        server = next;
        assert_eq!(DROPPED.get(), read);
    }
    drop(server);
    assert_eq!(DROPPED.get(), 300);
    let refused = client.last(Counting).expect_err("the server has left");
    assert_eq!(DROPPED.get(), 300);
    drop(refused);
    assert_eq!(DROPPED.get(), 301);
}

#[test]
fn bounds() {
    assert_eq!(news::BOUND, Bound::Messages(1));
    assert_eq!(nothing::BOUND, Bound::Messages(1));
    assert_eq!(ticks::BOUND, Bound::Unbounded { cycle: &["tick"] });
}
