//! Tokens on their way, while members are removed and sets dropped; panics there.

use pipes::{Chan, PortSet, SharedPort, stream};
use pipes_tests::{Bell, Counted, Tally, caught, poll, poll_future, watched};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::task::Waker;

type Set = PortSet<SharedPort<Counted>>;
/// Where a waker finds a set.
type Place = Arc<Mutex<Option<Set>>>;

fn place(set: Set) -> Place {
    Arc::new(Mutex::new(Some(set)))
}

type Action = Box<dyn FnOnce() + Send>;

/// A receiver that stands in the line before a member. Its waker acts, unless another one has.
struct Early(SharedPort<Counted>, Arc<Mutex<Option<Action>>>);

impl Early {
    fn at(port: &SharedPort<Counted>) -> Self {
        let mut early = Early(port.clone(), Arc::default());
        let waker = early.waker();
        assert!(poll(&mut early.0, &waker).is_pending());
        early
    }

    fn waker(&self) -> Waker {
        let action = self.1.clone();
        let take = move || action.lock().unwrap().take();
        Bell::that(move || take().into_iter().for_each(|action| action())).1
    }
}

/// Sends a message that calls a receiver before the member of a set, that member, and a receive behind it.
/// The one that is woken first does this, while the member's waker is taken out of the line and not yet
/// called.
fn meanwhile(
    chan: &mut Chan<Counted>,
    (message, early): (Counted, Early),
    act: impl FnOnce() + Send + 'static,
) {
    *early.1.lock().unwrap() = Some(Box::new(act));
    let mut last = early.0.clone();
    let mut receive = last.recv_async();
    assert!(poll_future(&mut receive, &early.waker()).is_pending());
    chan.send(message).expect("the ports are here");
    assert!(early.1.lock().unwrap().is_none(), "it was done");
}

/// The member moves into another set, before the call for the first set comes.
#[test]
fn a_member_moves_while_it_is_called() {
    watched(|| {
        for is_taken in [false, true] {
            let tally = Tally::new();
            let (mut chan, port) = stream();
            let mut port = port.into_shared();
            let early = Early::at(&port);
            let old = place([port.clone()].into_iter().collect());
            let new = place(Set::new());
            let (bell, waker) = Bell::new();
            let (also_old, also_new, mut taker) = (old.clone(), new.clone(), port.clone());
            meanwhile(&mut chan, (tally.make(1), early), move || {
                let member = also_old.lock().unwrap().as_mut().unwrap().remove(&0).expect("a member");
                if is_taken {
                    drop(taker.try_recv());
                }
                let mut new = also_new.lock().unwrap();
                let new = new.as_mut().unwrap();
                new.insert_at(7, member);
                assert_eq!(poll(new, &waker).is_pending(), is_taken);
            });
            let mut new = new.lock().unwrap().take().unwrap();
            let mut old = old.lock().unwrap().take().unwrap();
            if is_taken {
                assert_eq!(bell.rings(), 1, "the late call");
                assert!(new.try_recv().is_err());
                assert!(poll(&mut new, Waker::noop()).is_pending());
                chan.send(tally.make(2)).unwrap();
            }
            assert!(new.try_recv().is_ok_and(|(key, heard)| key == 7 && heard.is_ok()));
            assert!(old.is_empty());
            old.insert_at(0, port.clone());
            drop(new);
            assert!(poll(&mut old, Waker::noop()).is_pending());
            chan.send(tally.make(3)).unwrap();
            assert!(old.try_recv().is_ok_and(|(_, heard)| heard.unwrap().number == 3));
            drop((chan, old));
            assert!(port.try_recv().is_err());
            tally.assert_all_gone();
        }
    });
}

/// The set, or its member, is dropped before the call for it comes.
#[test]
fn a_set_is_dropped_while_it_is_called() {
    watched(|| {
        for is_all in [false, true] {
            let tally = Tally::new();
            let (mut chan, port) = stream();
            let mut port = port.into_shared();
            let early = Early::at(&port);
            let set = place([port.clone(), port.clone()].into_iter().collect());
            let also = set.clone();
            meanwhile(&mut chan, (tally.make(1), early), move || {
                let mut set = also.lock().unwrap();
                if is_all { drop(set.take()) } else { drop(set.as_mut().unwrap().remove(&0)) }
            });
            if let Some(set) = &mut *set.lock().unwrap() {
                assert!(set.try_recv().is_ok_and(|(key, heard)| key == 1 && heard.is_ok()));
            } else {
                assert!(port.try_recv().is_ok());
            }
            tally.assert_all_gone();
        }
    });
}

/// The member is replaced under its key, again and again, while it is called.
#[test]
fn a_member_is_replaced_while_it_is_called() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, port) = stream();
        let port = port.into_shared();
        let set = place([port.clone()].into_iter().collect());
        for number in 0..100 {
            let (also, next) = (set.clone(), port.clone());
            meanwhile(&mut chan, (tally.make(number), Early::at(&port)), move || {
                assert!(also.lock().unwrap().as_mut().unwrap().insert_at(0, next).is_some());
            });
            let (_, heard) = set.lock().unwrap().as_mut().unwrap().try_recv().expect("one is here");
            assert_eq!(heard.unwrap().number, number);
            assert!(set.lock().unwrap().as_mut().unwrap().try_recv().is_err());
        }
        tally.assert_all_gone();
    });
}

/// A member that leaves, or is replaced, passes its call on, to a waker that panics. The member is gone, and
/// the set is whole.
#[test]
fn a_removal_wakes_a_waker_that_panics() {
    watched(|| {
        for (is_on_its_way, is_replaced) in [(false, false), (true, false), (false, true), (true, true)] {
            let tally = Tally::new();
            let (mut chan, port) = stream();
            let port = port.into_shared();
            let set = place([port.clone()].into_iter().collect());
            for number in 0..20 {
                let (bell, waker) = Bell::that(|| resume_unwind(Box::new("on purpose")));
                let mut last = port.clone();
                let mut receive = last.recv_async();
                let (also, first) = (set.clone(), port.clone());
                let next = port.clone();
                let remove = move || {
                    let panic = caught(|| {
                        let mut set = also.lock().unwrap_or_else(|it| it.into_inner());
                        let set = set.as_mut().unwrap();
                        if is_replaced { set.insert_at(0, next.clone()) } else { set.remove(&0) }
                    });
                    assert!(panic.is_some(), "the panic is not swallowed");
                };
                {
                    // The line: the member, a receive, and the one that panics.
                    let act = remove.clone();
                    let (_, waiting) = Bell::that(move || {
                        if is_on_its_way {
                            act()
                        }
                    });
                    let mut first = first;
                    let mut called = first.recv_async();
                    assert!(poll_future(&mut called, &waiting).is_pending());
                    assert!(poll_future(&mut receive, &waker).is_pending());
                    chan.send(tally.make(number)).unwrap();
                    if !is_on_its_way {
                        remove();
                    }
                    assert_eq!(bell.rings(), 1);
                }
                drop(receive);
                let mut set = set.lock().unwrap_or_else(|it| it.into_inner());
                let set = set.as_mut().unwrap();
                assert!(set.is_empty() && !set.contains_key(&0));
                set.insert_at(0, port.clone());
                assert!(set.try_recv().is_ok_and(|(_, heard)| heard.unwrap().number == number));
                assert!(set.try_recv().is_err());
            }
            tally.assert_all_gone();
        }
    });
}

/// A turn wakes a waker that panics: a message may be lost, dropped once, and the set goes on.
#[test]
fn a_turn_wakes_a_waker_that_panics() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, port) = stream();
        let port = port.into_shared();
        let mut set: Set = [port.clone()].into_iter().collect();
        let (_, waker) = Bell::that(|| resume_unwind(Box::new("on purpose")));
        let (mut first, mut last) = (port.clone(), port.clone());
        let mut called = first.recv_async();
        let mut receive = last.recv_async();
        assert!(poll_future(&mut called, Waker::noop()).is_pending());
        assert!(poll_future(&mut receive, &waker).is_pending());
        (0..40).for_each(|number| chan.send(tally.make(number)).unwrap());
        assert!(caught(|| set.try_recv()).is_some());
        assert_eq!(tally.gone(), 1, "it was lost with the panic");
        for number in 1..40 {
            assert!(set.try_recv().is_ok_and(|(_, heard)| heard.unwrap().number == number));
        }
        drop((called, receive, chan));
        assert!(set.try_recv().is_ok_and(|(_, heard)| heard.is_err()));
        assert!(set.is_empty());
        tally.assert_all_gone();
    });
}

/// What the user did with a member before: receives that were forgotten, polls, a message that it keeps.
#[test]
fn a_member_has_a_past() {
    let tally = Tally::new();
    let (mut chan, port) = stream();
    let port = port.into_shared();
    let (bell, waker) = Bell::new();
    let (mut forgetful, mut polled, mut keeper) = (port.clone(), port.clone(), port.clone());
    let mut receive = forgetful.recv_async();
    assert!(poll_future(&mut receive, &waker).is_pending());
    std::mem::forget(receive);
    assert!(poll(&mut polled, &waker).is_pending());
    chan.send(tally.make(1)).unwrap();
    assert!(poll(&mut keeper, &waker).is_ready());
    let mut set = Set::new();
    set.extend([forgetful, polled, keeper]);
    assert_eq!(bell.rings(), 1, "for the first message, which the third one keeps");
    assert!(set.try_recv().is_ok_and(|(key, heard)| key == 2 && heard.is_ok()));
    assert!(set.try_recv().is_err());
    for number in 2..9 {
        chan.send(tally.make(number)).unwrap();
        assert!(set.try_recv().is_ok_and(|(_, heard)| heard.unwrap().number == number));
    }
    drop(chan);
    assert!((0..3).all(|_| set.try_recv().is_ok_and(|(_, heard)| heard.is_err())) && set.is_empty());
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
    drop(port);
    tally.assert_all_gone();
}
