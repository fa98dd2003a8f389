//! Traps of closing: what becomes of messages, and which sides learn of the close.

use crate::acceptance::Sleeper;
use pipes::{ChanOne, Closed, Port, PortSet, RecvError, oneshot, select, shared_stream, stream, sync_stream};
use pipes_tests::{Counted, Tally, caught, poll, poll_future, watched};
use std::any::Any;
use std::cell::RefCell;
use std::panic::resume_unwind;
use std::task::{Poll, Waker};
use std::thread;

/// A payload that was offered and not taken is neither sent nor lost.
#[test]
fn close_while_a_slot_is_in_use() {
    watched(|| {
        let tally = Tally::new();
        for held in [false, true] {
            let (mut chan, mut port) = sync_stream(0);
            let mut sending = chan.send_async(tally.make(1));
            assert!(poll_future(&mut sending, Waker::noop()).is_pending());
            if held {
                assert!(poll(&mut port, Waker::noop()).is_ready());
            }
            drop(port);
            let Poll::Ready(Err(error)) = poll_future(&mut sending, Waker::noop()) else {
                panic!("it has closed")
            };
            assert_eq!(error.into_payload().number, 1);
        }
        for sender_first in [false, true] {
            let (mut chan, port) = sync_stream(0);
            let mut sending = chan.send_async(tally.make(2));
            assert!(poll_future(&mut sending, Waker::noop()).is_pending());
            if sender_first {
                drop(sending);
                drop((chan, port));
            } else {
                drop(port);
                drop(sending);
                drop(chan);
            }
            tally.assert_all_gone();
        }
    });
}

#[test]
fn unpolled_send_future_leaks_its_item() {
    let tally = Tally::new();
    for capacity in [0, 1] {
        let (mut chan, _port) = sync_stream(capacity);
        drop(chan.send_async(tally.make(1)));
        tally.assert_all_gone();
        assert_eq!(chan.send_async(tally.make(2)).into_inner().map(|payload| payload.number), Some(2));
    }
    let (mut chan, _port) = stream();
    drop(chan.send_async(tally.make(3)));
    tally.assert_all_gone();
}

#[test]
fn send_blocks_for_ever_after_the_receiver_has_gone() {
    watched(|| {
        for capacity in [0, 1, 3] {
            for as_a_member in [false, true] {
                let (mut chan, port) = sync_stream(capacity);
                (0..capacity).for_each(|number| chan.send(number).expect("there is room"));
                let sending = Sleeper::spawn(move || (chan.send(7), chan.send(8), chan.try_send(9)));
                sending.fall_asleep();
                if as_a_member {
                    drop(PortSet::from_iter([port]));
                } else {
                    drop(port);
                }
                let (first, second, third) = sending.join().expect("it does not panic");
                let back = [first, second].map(|sent| sent.map_err(|error| error.into_payload()));
                assert_eq!(back, [Err(7), Err(8)]);
                assert!(third.is_err_and(|error| error.is_closed() && error.into_payload() == 9));
            }
        }
    });
}

/// One destructor among many panics, in every kind of memory.
#[test]
fn panicking_destructor_stops_the_drain() {
    type Ends = (Box<dyn Fn(Counted) -> bool>, Port<Counted>);
    let kinds: [fn() -> Ends; 2] = [
        || {
            let (chan, port) = shared_stream();
            (Box::new(move |payload| chan.send(payload).is_ok()), port)
        },
        || {
            let (chan, port) = sync_stream(100);
            let chan = RefCell::new(chan);
            (Box::new(move |payload| chan.borrow_mut().send(payload).is_ok()), port)
        },
    ];
    let drops: [fn(Port<Counted>); 3] = [
        drop,
        |port| drop(PortSet::from_iter([port])),
        |port| {
            let port = port.into_shared();
            drop(port.clone());
            drop(port);
        },
    ];
    for kind in kinds {
        for goes in drops {
            for bomb in [0, 50, 99] {
                let tally = Tally::new();
                let (send, port) = kind();
                for number in 0..100 {
                    assert!(send(if number == bomb { tally.make_bomb(number) } else { tally.make(number) }));
                }
                let panic = caught(|| goes(port)).expect("the destructor's panic is not swallowed");
                assert_eq!(panic.downcast_ref(), Some(&bomb));
                tally.assert_all_gone();
                assert!(!send(tally.make(100)));
            }
        }
    }
}

/// Through a set, a select and a shared port: the last message comes before the close.
#[test]
fn close_is_seen_before_the_last_message() {
    watched(|| {
        for round in 0..1_000 {
            let ((shared, port), (mut chan, mut other)) = (shared_stream(), stream());
            let sending = thread::spawn(move || {
                let clone = shared.clone();
                drop(shared);
                clone.send(1).expect("the port is there");
                drop(clone);
                chan.send(2).expect("the port is there");
            });
            match round % 3 {
                0 => {
                    let mut set = PortSet::from_iter([port, other]);
                    let mut seen = [Vec::new(), Vec::new()];
                    while let Ok((key, message)) = set.recv() {
                        seen[key].push(message);
                    }
                    assert_eq!(seen, [vec![Ok(1), Err(Closed)], vec![Ok(2), Err(Closed)]]);
                }
                1 => {
                    let mut port = port;
                    let mut seen = Vec::new();
                    while seen.len() < 2 {
                        select! {
                            number = port, if !seen.contains(&Ok(1)) => seen.push(number),
                            number = other, if !seen.contains(&Ok(2)) => seen.push(number),
                            else => panic!("two are to come"),
                        }
                    }
                    seen.sort_unstable_by_key(|number| number.unwrap_or(0));
                    assert_eq!(seen, [Ok(1), Ok(2)]);
                }
                _ => {
                    let (mut port, mut other) = (port.into_shared(), other.into_shared());
                    assert_eq!([port.recv(), port.recv()], [Ok(1), Err(RecvError)]);
                    assert_eq!([other.recv(), other.recv()], [Ok(2), Err(RecvError)]);
                }
            }
            sending.join().expect("the sender does not panic");
        }
    });
}

#[test]
fn undelivered_message_keeps_its_reply_chan() {
    watched(|| {
        type Reply = ChanOne<u64>;
        type Ends = (Box<dyn FnMut(Reply) -> bool>, Port<Reply>);
        let kinds: [fn() -> Ends; 3] = [
            || {
                let (mut chan, port) = stream();
                (Box::new(move |reply| chan.send(reply).is_ok()), port)
            },
            || {
                let (mut chan, port) = sync_stream(5);
                (Box::new(move |reply| chan.send(reply).is_ok()), port)
            },
            || {
                let (chan, port) = shared_stream();
                (Box::new(move |reply| chan.send(reply).is_ok()), port)
            },
        ];
        let drops: [fn(Port<Reply>); 3] =
            [drop, |port| drop(PortSet::from_iter([port])), |port| drop(port.into_shared())];
        for kind in kinds {
            for goes in drops {
                let (mut send, port) = kind();
                let (reply, answer) = oneshot();
                assert!(send(reply));
                goes(port);
                assert_eq!(answer.recv(), Err(RecvError), "the requester would wait for ever");
                let (reply, answer) = oneshot();
                assert!(!send(reply));
                assert!(answer.is_closed());
            }
        }
    });
}

#[test]
fn unread_messages_leak_when_the_receiver_dies_unwinding() {
    type Ends = (Box<dyn FnMut(Counted) -> bool>, Port<Counted>);
    let kinds: [fn() -> Ends; 2] = [
        || {
            let (chan, port) = shared_stream();
            (Box::new(move |payload| chan.send(payload).is_ok()), port)
        },
        || {
            let (mut chan, port) = sync_stream(100);
            (Box::new(move |payload| chan.send(payload).is_ok()), port)
        },
    ];
    type Owner = fn(Port<Counted>) -> Box<dyn Any>;
    let owners: [Owner; 3] = [
        |port| Box::new(port),
        |port| Box::new(PortSet::from_iter([port])),
        |port| Box::new(port.into_shared()),
    ];
    for kind in kinds {
        for owner in owners {
            let tally = Tally::new();
            let (mut send, port) = kind();
            (0..100).for_each(|number| assert!(send(tally.make(number))));
            let dying = caught(|| {
                let _owner = owner(port);
                resume_unwind(Box::new("on purpose"));
            });
            assert!(dying.is_some());
            tally.assert_all_gone();
            assert!(!send(tally.make(100)));
        }
    }
}
