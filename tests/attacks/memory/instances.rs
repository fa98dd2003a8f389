//! Sessions whose type parameters change from state to state, in one pipe. Payloads of all sizes lie in the
//! same slots, are taken in a state that cannot name the others, and are dropped unread by either side, and
//! by a thread to which only later states may be sent. Each payload must lie at its alignment, and be dropped
//! once.

use pipes_tests::{Counted, Tally, caught, watched};
use std::rc::Rc;
use std::thread;

/// Aligned more widely than the value in it.
#[repr(align(256))]
#[derive(Debug)]
struct Wide<T>(T);

pipes::proto! {
    /// Unbounded: each `value` may be repeated.
    changing {
        Open: send<T> { value(T) -> Open<T>, wider -> Wider<Wide<T>>, turn -> Turned<(u8, T)> }
        Wider: send<U> { wide(U) -> Wider<U>, small(u8) -> Wider<U>, back -> Closing }
        Turned: recv<V> { answer(V) -> Turned<V>, enough -> Closing }
        Closing: send { bye(Box<u64>) -> Closing, end -> ! }
    }

    /// Bounded: a ring.
    #[bounded]
    ringing {
        Ask: send<T> { ask(T) -> Reply<Wide<T>>, last(T) -> ! }
        Reply: recv<U> { reply(U) -> Plain, again(U) -> Plain }
        Plain: send { plain([u8; 3]) -> Heard, quiet -> ! }
        Heard: recv { heard(Box<u64>) -> Plain }
    }
}

fn is_aligned<T>(it: &T) -> bool {
    (&raw const *it).addr().is_multiple_of(align_of::<T>())
}

/// All are received: each payload must be whole and lie at its alignment.
#[test]
fn received_to_the_end() {
    let tally = Tally::new();
    let (client, server) = changing::pipe::<Counted>();
    let mut client = client;
    for number in 0..10 {
        client = client.value(tally.make(number)).expect("it is there");
    }
    let mut client = client.wider().expect("it is there");
    for number in 10..20 {
        client = client.wide(Wide(tally.make(number))).expect("it is there").small(7).expect("it is there");
    }
    let client = client.back().expect("it is there").bye(Box::new(5)).expect("it is there");
    assert!(client.end().is_ok());

    let (mut server, mut next) = (server, 0);
    let mut server = loop {
        match server.recv().expect("it was sent") {
            changing::Open::Value(value, then) => {
                assert_eq!(value.number, next);
                (server, next) = (then, next + 1);
            }
            changing::Open::Wider(then) => break then,
            changing::Open::Turn(_) => panic!("it was not sent"),
        }
    };
    let mut server = loop {
        server = match server.recv().expect("it was sent") {
            changing::Wider::Wide(wide, then) => {
                assert!(is_aligned(&wide) && wide.0.number == next);
                next += 1;
                then
            }
            changing::Wider::Small(seven, then) => {
                assert_eq!(seven, 7);
                then
            }
            changing::Wider::Back(then) => break then,
        };
    };
    while let changing::Closing::Bye(five, then) = server.recv().expect("it was sent") {
        assert_eq!(*five, 5);
        server = then;
    }
    assert_eq!(next, 20);
    tally.assert_all_gone();
}

/// The receiver leaves after each number of messages, with and without a bomb among the payloads.
#[test]
fn dropped_in_the_middle() {
    watched(|| {
        for read in 0..12 {
            for bomb in [None, Some(3), Some(9)] {
                let tally = Tally::new();
                let make =
                    |number| if Some(number) == bomb { tally.make_bomb(number) } else { tally.make(number) };
                let (client, server) = changing::pipe::<Counted>();
                let mut client = client;
                for number in 0..6 {
                    client = client.value(make(number)).expect("it is there");
                }
                let mut client = client.wider().expect("it is there");
                for number in 6..12 {
                    client = client.wide(Wide(make(number))).expect("it is there");
                }
                let client = client.back().expect("it is there").bye(Box::new(1)).expect("it is there");
                let mut server: Option<changing::AnyServer<_, _, ()>> = Some(server.into());
                let _ = caught(|| {
                    for _ in 0..read {
                        let message = server.take().expect("it is there").recv().expect("it was sent");
                        server = Some(match message {
                            changing::ServerMessage::Open(changing::Open::Value(_, server)) => server.into(),
                            changing::ServerMessage::Open(changing::Open::Wider(server)) => server.into(),
                            changing::ServerMessage::Wider(changing::Wider::Wide(_, server)) => server.into(),
                            _ => panic!("nothing else is read"),
                        });
                    }
                });
                let _ = caught(|| drop(server));
                assert!(client.bye(Box::new(2)).is_err());
                tally.assert_all_gone();
            }
        }
    });
}

/// The first messages may not go to another thread. The sender, which no longer refers to them, may, and
/// leaves first or last.
#[test]
fn a_sender_that_goes_where_its_messages_may_not() {
    watched(|| {
        for (reads, first) in [(true, true), (true, false), (false, true), (false, false)] {
            let shared = Rc::new(());
            let (client, server) = changing::pipe::<Rc<()>>();
            let client = client
                .value(shared.clone())
                .expect("it is there")
                .value(shared.clone())
                .expect("it is there");
            let client =
                client.wider().expect("it is there").wide(Wide(shared.clone())).expect("it is there");
            let client = client.back().expect("it is there");
            let away = move || {
                thread::spawn(move || {
                    let mut client = client;
                    for number in 0..200 {
                        match client.bye(Box::new(number)) {
                            Ok(next) => client = next,
                            Err(back) => return assert_eq!(*back.into_payload(), number),
                        }
                    }
                })
                .join()
                .expect("it does not panic");
            };
            let here = || {
                if reads {
                    let changing::Open::Value(value, server) = server.recv().expect("it was sent") else {
                        panic!("a value was sent")
                    };
                    drop(server);
                    drop(value);
                } else {
                    drop(server);
                }
            };
            if first {
                away();
                here();
            } else {
                here();
                away();
            }
            assert_eq!(Rc::strong_count(&shared), 1, "each is dropped once, on this thread");
        }
    });
}

/// A ring whose slots are reused by payloads of other types; both sides leave in each state.
#[test]
fn a_ring_of_many_types() {
    watched(|| {
        for steps in 0..6 {
            let tally = Tally::new();
            let (client, server) = ringing::pipe::<Counted>();
            let client = client.ask(tally.make(1)).expect("it is there");
            let ringing::Ask::Ask(asked, server) = server.recv().expect("it was sent") else {
                panic!("it asked")
            };
            if steps == 0 {
                drop(client);
                assert_eq!(server.reply(Wide(asked)).expect_err("it has left").into_payload().0.number, 1);
                tally.assert_all_gone();
                continue;
            }
            let server = server.reply(Wide(asked)).expect("it is there");
            if steps == 1 {
                drop((server, client));
                tally.assert_all_gone();
                continue;
            }
            let ringing::Reply::Reply(wide, client) = client.recv().expect("it was sent") else {
                panic!("it replied")
            };
            assert!(is_aligned(&wide) && wide.0.number == 1);
            let (mut client, mut server) = (client, server);
            for number in 0..steps * 3 {
                let waiting = client.plain([number as u8; 3]).expect("it is there");
                let ringing::Plain::Plain(plain, next) = server.recv().expect("it was sent") else {
                    panic!("it was plain")
                };
                assert_eq!(plain, [number as u8; 3]);
                server = next.heard(Box::new(number)).expect("it is there");
                let ringing::Heard::Heard(heard, next) = waiting.recv().expect("it was sent");
                assert_eq!(*heard, number);
                client = next;
            }
            if steps % 2 == 0 {
                let _unread = client.plain([0; 3]);
            } else {
                assert!(client.quiet().is_ok());
            }
            drop(server);
            drop(wide);
            tally.assert_all_gone();
        }
    });
}
