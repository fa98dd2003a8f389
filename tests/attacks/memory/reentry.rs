//! Destructors of payloads that use the pipe, the set or the group that drops them. Each value must be
//! dropped once, and none may deadlock.

use pipes::{
    Chan, Port, PortOne, PortSet, SharedChan, SharedPort, oneshot, shared_stream, stream, sync_stream,
};
use pipes_tests::{Counted, Tally, caught, watched};
use std::sync::{Arc, Mutex};

/// Runs a function when it is dropped.
struct Does(
    Option<Box<dyn FnOnce() + Send>>,
    #[expect(dead_code, reason = "it is there to be dropped")] Counted,
);

impl Does {
    fn this(counted: Counted, action: impl FnOnce() + Send + 'static) -> Self {
        Does(Some(Box::new(action)), counted)
    }
}

impl Drop for Does {
    fn drop(&mut self) {
        if let Some(action) = self.0.take() {
            action();
        }
    }
}

/// A place behind a lock, from which a destructor takes an end.
type Place<T> = Arc<Mutex<Option<T>>>;

fn place<T>(it: T) -> Place<T> {
    Arc::new(Mutex::new(Some(it)))
}

fn take<T>(place: &Place<T>) -> Option<T> {
    place.lock().expect("nothing panics behind the lock").take()
}

/// A port that leaves drops a message whose destructor sends more, across a block, and then drops the chan.
/// The rest must be dropped all the same.
#[test]
fn a_drain_that_grows() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, port) = stream::<Does>();
        let shared_chan: Place<Chan<Does>> = Arc::default();
        let (also, of) = (tally.clone(), shared_chan.clone());
        let grow = move || {
            let mut chan = take(&of).expect("it was put there");
            // The port is leaving: a send past the block's last slot finds that out at the latest.
            let refused =
                (0..300).filter(|&number| chan.send(Does(None, also.make(number))).is_err()).count();
            assert!(refused > 0 && refused < 300);
        };
        assert!(chan.send(Does(None, tally.make(0))).is_ok());
        assert!(chan.send(Does::this(tally.make(1), grow)).is_ok());
        for number in 2..100 {
            assert!(chan.send(Does(None, tally.make(number))).is_ok());
        }
        *shared_chan.lock().expect("nothing panics behind the lock") = Some(chan);
        drop(port);
        tally.assert_all_gone();

        let (chan, port) = shared_stream::<Does>();
        let (again, also) = (chan.clone(), tally.clone());
        let refuse = move || {
            for number in 0..100 {
                assert!(again.send(Does(None, also.make(number))).is_err());
            }
        };
        for number in 0..100 {
            assert!(chan.send(Does(None, tally.make(number))).is_ok());
        }
        assert!(chan.send(Does::this(tally.make(100), refuse)).is_ok());
        drop(chan);
        drop(port);
        tally.assert_all_gone();
    });
}

/// Each message owns the next link of a chain: a port, a oneshot, a set, a group. The drop of the first link
/// must drop all of it.
#[test]
fn a_chain_of_kinds() {
    type Link = Box<dyn Send>;
    watched(|| {
        let tally = Tally::new();
        let mut link: Link = Box::new(tally.make(0));
        for number in 1..if cfg!(miri) { 30 } else { 300 } {
            link = match number % 6 {
                0 => {
                    let (mut chan, port): (_, Port<Link>) = stream();
                    assert!(chan.send(link).is_ok());
                    assert!(chan.send(Box::new(tally.make(number))).is_ok());
                    Box::new((port, chan))
                }
                1 => {
                    let (one, port): (_, PortOne<Link>) = oneshot();
                    assert!(one.send(link).is_ok());
                    Box::new(port)
                }
                2 => {
                    let (mut chan, port): (_, Port<Link>) = sync_stream(2);
                    assert!(chan.try_send(link).is_ok());
                    Box::new((chan, tally.make(number), port))
                }
                3 => {
                    let (chan, port): (_, Port<Link>) = shared_stream();
                    assert!(chan.send(link).is_ok());
                    let group: SharedPort<Link> = port.into_shared();
                    Box::new((group.clone(), chan, group))
                }
                4 => {
                    let mut set: PortSet<Port<Link>> = PortSet::new();
                    let mut chan = set.chan();
                    assert!(chan.send(link).is_ok());
                    Box::new((chan, set))
                }
                _ => {
                    let (mut chan, port): (_, Port<Link>) = sync_stream(0);
                    let mut offer = Box::pin(async move { chan.send(link) });
                    let waker = std::task::Waker::noop();
                    drop(port);
                    let given = offer.as_mut().poll(&mut std::task::Context::from_waker(waker));
                    let std::task::Poll::Ready(Err(error)) = given else { panic!("it has left") };
                    Box::new(error)
                }
            };
        }
        drop(link);
        tally.assert_all_gone();
    });
}

/// A message of a set's member owns the set's other chans, which close while the set is dropped, or while it
/// receives.
#[test]
fn a_set_whose_messages_close_its_members() {
    watched(|| {
        let tally = Tally::new();
        for received in [false, true] {
            let mut set: PortSet<Port<Does>> = PortSet::new();
            let mut chans: Vec<_> = (0..5).map(|_| set.chan()).collect();
            let mut last = chans.pop().expect("there are five");
            for chan in &mut chans {
                assert!(chan.send(Does(None, tally.make(0))).is_ok());
            }
            assert!(last.send(Does::this(tally.make(1), move || drop(chans))).is_ok());
            assert!(last.send(Does(None, tally.make(2))).is_ok());
            if received {
                drop(last);
                assert_eq!(set.messages().count(), 6);
            } else {
                drop(set);
                assert!(last.send(Does(None, tally.make(3))).is_err());
            }
        }
        tally.assert_all_gone();
    });
}

/// The destructor of a set's message removes and inserts members of that set, which is behind a lock.
#[test]
fn a_payload_that_changes_the_set_that_it_came_from() {
    watched(|| {
        let tally = Tally::new();
        let set: Place<PortSet<Port<Does>>> = place(PortSet::new());
        let mut inside = take(&set).expect("it is there");
        let (mut first, mut second) = (inside.chan(), inside.chan());
        let (of, also) = (set.clone(), tally.clone());
        let change = move || {
            let mut inside = take(&of).expect("it is back");
            assert!(inside.remove(&1).is_some());
            let mut third = inside.chan();
            assert!(third.send(Does(None, also.make(3))).is_ok());
            *of.lock().expect("nothing panics behind the lock") = Some(inside);
        };
        assert!(first.send(Does::this(tally.make(1), change)).is_ok());
        assert!(second.send(Does(None, tally.make(2))).is_ok());
        let (_, message) = inside.recv().expect("there are members");
        *set.lock().expect("nothing panics behind the lock") = Some(inside);
        drop(message);
        assert!(second.send(Does(None, tally.make(4))).is_err(), "its port was removed");
        drop(first);
        let mut inside = take(&set).expect("it is back");
        assert_eq!(inside.messages().count(), 1);
        tally.assert_all_gone();
    });
}

/// A message owns the last receiver of its own group. Its destructor receives, and then panics.
#[test]
fn a_group_whose_messages_own_receivers() {
    watched(|| {
        let tally = Tally::new();
        let (chan, port) = shared_stream::<Does>();
        let group = port.into_shared();
        let also = (group.clone(), chan.clone(), tally.clone());
        assert!(chan.send(Does(None, tally.make(1))).is_ok());
        let mine = move || {
            let (mut group, chan, tally): (SharedPort<Does>, SharedChan<Does>, _) = also;
            assert!(chan.send(Does(None, tally.make(2))).is_ok());
            assert!(group.try_recv().is_ok());
            std::panic::resume_unwind(Box::new("on purpose"));
        };
        let mut group = group;
        let first = group.try_recv().expect("it was sent");
        assert!(chan.send(Does::this(tally.make(3), mine)).is_ok());
        let second = group.try_recv().expect("it was sent");
        assert!(chan.send(Does(None, tally.make(4))).is_ok());
        assert!(chan.send(Does(None, tally.make(5))).is_ok());
        drop(group);
        // The last receiver of the group is dropped inside this message's destructor, by a panic.
        assert!(caught(|| drop(second)).is_some());
        assert!(chan.send(first).is_err());
        tally.assert_all_gone();
    });
}
