//! Members that are removed at any time, and go on alone.

use super::streams;
use futures::executor::block_on;
use pipes::{Closed, Port, PortSet, RecvError, SetEmpty, TryRecvError, oneshot, select, stream};
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::{Bell, Tally, poll, poll_future, watched};
use std::task::{Poll, Waker};
use std::thread;

/// The situation of a member when it is removed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    /// Nothing was sent yet.
    Idle,
    /// A message has come, and the set has not looked since.
    Told,
    /// It is in the ready list, behind another member.
    Queued,
    /// It had the last turn, and has no more messages.
    Served,
    /// It had the last turn, and has more messages.
    ServedAndReady,
    /// Its sender has left.
    Closed,
}

const ALL: [When; 6] =
    [When::Idle, When::Told, When::Queued, When::Served, When::ServedAndReady, When::Closed];

/// A removed member: its port, its chan if it has not left, its unread messages, and the set with its other
/// member and that one's chan.
struct Removed {
    port: Port<u64>,
    chan: Option<pipes::Chan<u64>>,
    unread: Vec<u64>,
    set: PortSet<Port<u64>>,
    other: pipes::Chan<u64>,
}

fn removed(when: When) -> Removed {
    let (mut chans, mut set) = streams(2);
    let mut other = chans.pop().expect("there are two");
    let mut chan = chans.pop();
    let unread = match when {
        When::Idle => vec![],
        When::Told => vec![1],
        When::Queued => {
            other.send(0).expect("the set is here");
            vec![1]
        }
        When::Served => vec![1],
        When::ServedAndReady => vec![1, 2],
        When::Closed => vec![],
    };
    for number in &unread {
        let chan = chan.as_mut().expect("there are two");
        chan.send(*number).expect("the set is here");
    }
    let unread = match when {
        When::Queued => {
            assert_eq!(set.recv(), Ok((1, Ok(0))));
            unread
        }
        When::Served | When::ServedAndReady => {
            assert_eq!(set.recv(), Ok((0, Ok(1))));
            unread[1..].to_vec()
        }
        When::Closed => {
            chan = None;
            unread
        }
        When::Idle | When::Told => unread,
    };
    let port = set.remove(&0).expect("it is a member");
    assert_eq!(set.len(), 1);
    Removed { port, chan, unread, set, other }
}

/// The set goes on without the removed member, and receives nothing from it.
fn goes_on(mut set: PortSet<Port<u64>>, mut other: pipes::Chan<u64>) {
    assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
    other.send(9).expect("the set is here");
    assert_eq!(set.recv(), Ok((1, Ok(9))));
    assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
    drop(other);
    assert_eq!(set.recv(), Ok((1, Err(Closed))));
    assert_eq!(set.recv(), Err(SetEmpty));
}

/// Receives what is unread, then a new message, then the close.
fn works(
    chan: Option<pipes::Chan<u64>>,
    unread: &[u64],
    mut receive: impl FnMut() -> Result<u64, RecvError>,
) {
    for number in unread {
        assert_eq!(receive(), Ok(*number));
    }
    if let Some(mut chan) = chan {
        chan.send(5).expect("its port is here");
        assert_eq!(receive(), Ok(5));
        chan.send(6).expect("its port is here");
        assert_eq!(receive(), Ok(6));
    }
    assert_eq!(receive(), Err(RecvError));
}

#[test]
fn it_works_alone() {
    watched(|| {
        for when in ALL {
            let Removed { mut port, chan, unread, set, other } = removed(when);
            goes_on(set, other);
            works(chan, &unread, || port.recv());
        }
    });
}

#[test]
fn it_works_in_another_set() {
    watched(|| {
        for when in ALL {
            let Removed { port, chan, unread, set, other } = removed(when);
            let mut second = PortSet::new();
            let key = second.insert(port);
            works(chan, &unread, || {
                let (served, message) = second.recv().expect("it is a member");
                assert_eq!(served, key);
                message.map_err(|Closed| RecvError)
            });
            assert!(second.is_empty());
            goes_on(set, other);
        }
    });
}

/// Inserted again in the set that it came from, under its old key and under another one.
#[test]
fn it_works_in_the_same_set_again() {
    watched(|| {
        for when in ALL {
            for new_key in [0, 17] {
                let Removed { port, chan, unread, mut set, other } = removed(when);
                assert!(set.insert_at(new_key, port).is_none());
                works(chan, &unread, || {
                    let (served, message) = set.recv().expect("it is a member");
                    assert_eq!(served, new_key);
                    message.map_err(|Closed| RecvError)
                });
                goes_on(set, other);
            }
        }
    });
}

#[test]
fn it_can_be_awaited() {
    watched(|| {
        for when in ALL {
            let Removed { mut port, chan, unread, set, other } = removed(when);
            works(chan, &unread, || block_on(port.recv_async()));
            goes_on(set, other);
        }
        // The message comes while it is a member again.
        let Removed { mut port, chan, mut set, other: _other, .. } = removed(When::Idle);
        let (bell, waker) = Bell::new();
        let mut receiving = port.recv_async();
        assert!(poll_future(&mut receiving, &waker).is_pending());
        chan.expect("it is here").send(5).expect("its port is here");
        assert_eq!(bell.rings(), 1);
        assert_eq!(poll_future(&mut receiving, &waker), Poll::Ready(Ok(5)));
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
    });
}

#[test]
fn it_can_be_selected() {
    watched(|| {
        for when in ALL {
            let Removed { mut port, chan, unread, mut set, other } = removed(when);
            works(chan, &unread, || {
                select! {
                    message = port => message,
                    turn = set => panic!("nobody sends to the set: {turn:?}"),
                }
            });
            goes_on(set, other);
        }
    });
}

/// Another thread, which the set does not know, blocks on the port.
#[test]
fn it_can_be_waited_for_in_another_thread() {
    watched(|| {
        for when in ALL {
            let Removed { mut port, chan, unread, set, other } = removed(when);
            let count = unread.len() + usize::from(chan.is_some());
            let receiving = thread::spawn(move || (0..=count).map(|_| port.recv().ok()).collect::<Vec<_>>());
            let sent = chan.map(|mut chan| chan.send(5).map(|()| 5).expect("its port is there"));
            let expected: Vec<_> = unread.into_iter().chain(sent).map(Some).chain([None]).collect();
            assert_eq!(receiving.join().expect("it does not panic"), expected);
            goes_on(set, other);
        }
    });
}

/// The set is dropped first, which does not affect the removed member.
#[test]
fn it_outlives_its_set() {
    watched(|| {
        for when in ALL {
            let Removed { mut port, chan, unread, set, other } = removed(when);
            drop((set, other));
            works(chan, &unread, || port.recv());
        }
    });
}

/// Removed and inserted again and again, ready or not.
#[test]
fn in_and_out() {
    watched(|| {
        let (mut chans, mut set) = streams(1);
        for round in 0..100_u64 {
            let port = set.remove(&0).expect("it is a member");
            chans[0].send(round).expect("it is here");
            assert!(set.insert_at(0, port).is_none());
            if round % 3 == 0 {
                let port = set.remove(&0).expect("it is a member");
                assert!(set.insert_at(0, port).is_none());
            }
            assert_eq!(set.recv(), Ok((0, Ok(round))));
            assert_eq!(set.len(), 1);
        }
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
    });
}

/// A removed endpoint of a protocol goes on with its session.
#[test]
fn an_endpoint_of_a_protocol() {
    watched(|| {
        let tally = Tally::new();
        for ready in [false, true] {
            let mut set = PortSet::new();
            let (client, server) = pingpong::pipe();
            let key = set.insert(server);
            let mut client = Some(client);
            let mut waiting = None;
            if ready {
                waiting = client.take().map(|client| client.ping(tally.make(1)).expect("it is a member"));
            }
            let server = set.remove(&key).expect("it is a member");
            assert_eq!(set.recv().map(drop), Err(SetEmpty));
            if let Some(client) = client {
                waiting = Some(client.ping(tally.make(1)).expect("it is here"));
            }
            let Ok(Ping::Ping(payload, server)) = server.recv() else { panic!("it was sent") };
            server.bye(payload).expect("the client waits");
            let last = waiting.expect("it has called").recv();
            assert!(matches!(last, Ok(pingpong::Pong::Bye(payload)) if payload.number == 1));
        }
        tally.assert_all_gone();
    });
}

#[test]
fn a_removed_port_of_a_oneshot() {
    watched(|| {
        for sent_before in [false, true] {
            let mut set = PortSet::new();
            let (chan, port) = oneshot();
            let key = set.insert(port);
            let mut chan = Some(chan);
            let mut send = || chan.take().map(|chan: pipes::ChanOne<u64>| chan.send(5).expect("it is here"));
            if sent_before {
                send();
            }
            let mut port = set.remove(&key).expect("it is a member");
            send();
            assert!(poll(&mut port, Waker::noop()).is_ready());
            assert_eq!(port.recv(), Ok(5));
            assert_eq!(set.recv(), Err(SetEmpty));
        }
    });
}

/// A new member does not get wake-ups that were meant for the previous owner of its room.
#[test]
fn the_room_of_a_removed_member_is_used_again() {
    watched(|| {
        let (mut chans, mut set) = streams(1);
        chans[0].send(1).expect("it is a member");
        let mut first = set.remove(&0).expect("it is a member");
        let (mut chan, port) = stream();
        let key = set.insert(port);
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())), "the message was for the first one");
        chan.send(2).expect("it is a member");
        assert_eq!(set.recv(), Ok((key, Ok(2))));
        assert_eq!(first.recv(), Ok(1));
    });
}
