//! Keys whose clones panic, and offers that are withdrawn.

use super::streams;
use pipes::{Closed, PortSet, RecvTimeoutError, TryRecvError, select, stream, sync_stream};
use pipes_tests::{Bell, Tally, caught, poll, poll_future, watched};
use std::cell::Cell;
use std::task::{Poll, Waker};
use std::time::Duration;

thread_local! {
    /// How many more clones of keys succeed.
    static CLONES: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A key whose clone panics when `CLONES` is used up.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key(u64);

impl Clone for Key {
    fn clone(&self) -> Self {
        let left = CLONES.get();
        if left == 0 {
            CLONES.set(usize::MAX);
            std::panic::resume_unwind(Box::new("on purpose"));
        }
        CLONES.set(left - 1);
        Key(self.0)
    }
}

/// In a receive: the message is still there, and so is the member.
#[test]
fn a_key_that_panics_in_a_receive() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, port) = stream();
        let mut set = PortSet::new();
        assert!(set.insert_at(Key(1), port).is_none());
        for number in 0..3 {
            assert!(chan.send(tally.make(number)).is_ok());
            CLONES.set(0);
            assert!(caught(|| set.try_recv().map(drop)).is_some());
            CLONES.set(usize::MAX);
            let (key, message) = set.recv().expect("it is a member");
            assert_eq!((key, message.map(|payload| payload.number)), (Key(1), Ok(number)));
        }
        drop(chan);
        CLONES.set(0);
        assert!(caught(|| set.try_recv().map(drop)).is_some());
        CLONES.set(usize::MAX);
        assert!(matches!(set.recv(), Ok((Key(1), Err(Closed)))));
        tally.assert_all_gone();
    });
}

/// In an insertion: the new member is dropped, and the set is unchanged.
#[test]
fn a_key_that_panics_in_an_insertion() {
    watched(|| {
        let ((mut one, first), (mut two, second)) = (stream(), stream());
        let mut set = PortSet::new();
        assert!(set.insert_at(Key(1), first).is_none());
        CLONES.set(0);
        assert!(caught(|| set.insert_at(Key(2), second)).is_some());
        CLONES.set(usize::MAX);
        assert!(two.send(2).is_err());
        assert_eq!((set.len(), set.contains_key(&Key(2))), (1, false));
        one.send(1).expect("it is a member");
        assert_eq!(set.recv(), Ok((Key(1), Ok(1))));
        let (mut three, third) = stream();
        assert!(set.insert_at(Key(2), third).is_none());
        three.send(3).expect("it is a member");
        assert_eq!(set.recv(), Ok((Key(2), Ok(3))));
    });
}

/// At capacity 0: if the set has said that a receive would not block, the offer cannot be withdrawn.
#[test]
fn an_offer_that_is_taken_back() {
    watched(|| {
        let mut set = PortSet::new();
        let (mut chan, port) = sync_stream(0);
        let key = set.insert(port);
        let (bell, waker) = Bell::new();
        assert!(poll(&mut set, &waker).is_pending());
        for looked in [false, true] {
            let mut sending = chan.send_async(7);
            assert!(poll_future(&mut sending, Waker::noop()).is_pending() || looked);
            if looked {
                assert!(poll(&mut set, &waker).is_ready());
                assert_eq!(sending.into_inner(), None, "it was promised to the set");
                assert_eq!(set.try_recv(), Ok((key, Ok(7))));
            } else {
                assert_eq!(sending.into_inner(), Some(7));
                assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
                assert_eq!(set.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout(())));
            }
            assert!(!set.is_ready());
            let nothing = select! { turn = set => turn.is_err(), default => true };
            assert!(nothing);
            assert!(poll(&mut set, &waker).is_pending());
        }
        assert!(bell.rings() > 0);
    });
}

/// An offer that was withdrawn does not hold up the others: they come in their turn.
#[test]
fn an_offer_that_is_taken_back_beside_others() {
    watched(|| {
        let (mut chans, mut set) = streams(2);
        let (mut meeting, port) = sync_stream(0);
        let key = set.insert(port);
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
        let mut sending = meeting.send_async(1);
        let _: Poll<_> = poll_future(&mut sending, Waker::noop());
        chans[1].send(2).expect("the set is here");
        drop(sending);
        chans[0].send(3).expect("the set is here");
        assert_eq!([set.recv(), set.recv()], [Ok((1, Ok(2))), Ok((0, Ok(3)))]);
        let mut sending = meeting.send_async(4);
        let _: Poll<_> = poll_future(&mut sending, Waker::noop());
        assert_eq!(set.recv(), Ok((key, Ok(4))));
        assert!(matches!(poll_future(&mut sending, Waker::noop()), Poll::Ready(Ok(()))));
    });
}

thread_local! {
    /// How many more drops of keys succeed; unlimited until a test sets it.
    static ENDS: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A key whose destructor panics once, when `ENDS` is used up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Mortal(u64);

impl Drop for Mortal {
    fn drop(&mut self) {
        match ENDS.get() {
            usize::MAX => {}
            0 => {
                ENDS.set(usize::MAX);
                std::panic::resume_unwind(Box::new("on purpose"));
            }
            left => ENDS.set(left - 1),
        }
    }
}

/// In a removal, whichever of the set's two copies of the key it is: the member is removed, and the set still
/// works.
#[test]
fn a_key_that_panics_when_it_is_dropped() {
    watched(|| {
        for ends in [0, 1] {
            let (probe, again) = (Mortal(1), Mortal(1));
            let ((mut one, first), (mut two, second)) = (stream(), stream());
            let mut set = PortSet::new();
            assert!(set.insert_at(Mortal(1), first).is_none());
            ENDS.set(ends);
            assert!(caught(|| drop(set.remove(&probe))).is_some());
            assert!(set.is_empty() && !set.contains_key(&probe) && set.keys().count() == 0);
            assert!(one.send(1).is_err(), "the member was dropped");
            assert_eq!(set.try_recv().map(drop), Err(TryRecvError::Closed));
            assert!(set.insert_at(again, second).is_none());
            two.send(2).expect("a member");
            assert_eq!(set.recv().map(|(key, message)| (key.0, message)), Ok((1, Ok(2))));
            assert!(set.remove(&probe).is_some());
        }
    });
}

/// An insertion under a key that is in use clones no key, so nothing can panic between the removal of the old
/// member and the insertion of the new one.
#[test]
fn a_replacement_clones_no_key() {
    watched(|| {
        let ((mut one, first), (_two, second)) = (stream(), stream());
        let mut set = PortSet::new();
        assert!(set.insert_at(Key(1), first).is_none());
        one.send(1).expect("a member");
        CLONES.set(0);
        let replaced = caught(|| set.insert_at(Key(1), second).map(drop));
        CLONES.set(usize::MAX);
        assert!(replaced.is_none());
        assert_eq!(set.len(), 1);
        assert!(one.send(2).is_err(), "it was given back, and dropped");
    });
}
