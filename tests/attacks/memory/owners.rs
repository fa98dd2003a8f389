//! Wakers that own the very end at which they are registered. The other side's last step wakes such a waker,
//! which drops the end in the middle of that step. Nothing of the pipe may be touched after that, and nothing
//! may be left.

use pipes::{Closing, Port, PortSet, Readiness, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{Counted, Tally, pingpong, watched};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Wake, Waker};
use std::thread;

/// Owns an end, which is dropped with the last waker, or when it is woken.
struct Owner<E> {
    end: Mutex<Option<E>>,
    /// The end is dropped by the wake itself, not by the drop of the waker after it.
    at_once: bool,
}

impl<E: Send + 'static> Wake for Owner<E> {
    fn wake(self: Arc<Self>) {
        if self.at_once {
            let end = self.end.lock().expect("nothing panics behind the lock").take();
            drop(end);
        }
    }
}

/// Registers a waker at the end that it owns. Returns a weak pointer that tells whether both still live.
fn own<E: Send + 'static>(
    end: E,
    at_once: bool,
    poll: impl FnOnce(&mut E, &mut Context<'_>) -> bool,
) -> Weak<Owner<E>> {
    let owner = Arc::new(Owner { end: Mutex::new(Some(end)), at_once });
    let waker = Waker::from(owner.clone());
    let mut end = owner.end.lock().expect("nothing panics behind the lock");
    let pending = poll(end.as_mut().expect("it was just put there"), &mut Context::from_waker(&waker));
    assert!(pending, "nothing has happened yet");
    drop(end);
    drop(waker);
    let weak = Arc::downgrade(&owner);
    drop(owner);
    assert!(weak.upgrade().is_some(), "the pipe has it");
    weak
}

fn own_receiver<E: Readiness + Send + 'static>(end: E, at_once: bool) -> Weak<Owner<E>> {
    own(end, at_once, |end, cx| end.poll_ready(cx).is_pending())
}

fn own_sender<E: Closing + Send + 'static>(end: E, at_once: bool) -> Weak<Owner<E>> {
    own(end, at_once, |end, cx| end.poll_closed(cx).is_pending())
}

/// Runs the other side's step, in this thread or in another one.
fn on(elsewhere: bool, action: impl FnOnce() + Send) {
    if elsewhere {
        thread::scope(|scope| drop(scope.spawn(action).join()));
    } else {
        action();
    }
}

/// Runs the test in each way: whether the end is dropped at once, whether the other side sends before it
/// leaves, and whether it does so in another thread.
fn each_way(test: impl Fn(bool, bool, bool, &Tally) + Send + 'static) {
    watched(move || {
        for way in 0..8 {
            let tally = Tally::new();
            test(way & 1 != 0, way & 2 != 0, way & 4 != 0, &tally);
            tally.assert_all_gone();
        }
    });
}

#[test]
fn receivers_that_their_wakers_own() {
    each_way(|at_once, sends, elsewhere, tally| {
        for kind in 0..3 {
            let (mut send, port): (Box<dyn FnMut(Counted) -> bool + Send>, Port<Counted>) = match kind {
                0 => {
                    let (mut chan, port) = stream();
                    (Box::new(move |it| chan.send(it).is_ok()), port)
                }
                1 => {
                    let (mut chan, port) = sync_stream(1);
                    (Box::new(move |it| chan.try_send(it).is_ok()), port)
                }
                _ => {
                    let (chan, port) = shared_stream();
                    (Box::new(move |it| chan.send(it).is_ok()), port)
                }
            };
            let owner = own_receiver(port, at_once);
            let tally = tally.clone();
            on(elsewhere, move || assert!(!sends || send(tally.make(kind))));
            assert!(owner.upgrade().is_none(), "nothing is left");
        }

        let (one, port) = oneshot();
        let owner = own_receiver(port, at_once);
        on(elsewhere, || if sends { assert!(one.send(tally.make(4)).is_ok()) } else { drop(one) });
        assert!(owner.upgrade().is_none(), "nothing is left");

        let (client, server) = pingpong::pipe::<Counted>();
        let owner = own_receiver(server, at_once);
        on(elsewhere, || if sends { drop(client.ping(tally.make(5))) } else { drop(client) });
        assert!(owner.upgrade().is_none(), "nothing is left");
    });
}

/// A set that its waker owns: a sender's step pushes a token onto the set's ready list, and the list is
/// dropped within that step.
#[test]
fn sets_that_their_wakers_own() {
    each_way(|at_once, sends, elsewhere, tally| {
        let mut set: PortSet<Port<Counted>> = PortSet::new();
        let (mut first, second) = (set.chan(), set.chan());
        assert!(set.try_recv().is_err());
        let owner = own_receiver(set, at_once);
        let also = tally.clone();
        on(elsewhere, move || if sends { assert!(first.send(also.make(1)).is_ok()) } else { drop(first) });
        assert!(owner.upgrade().is_none(), "nothing is left");
        assert!(second.is_closed());
    });
}

/// Senders that watch for a close, wait for room, or have made an offer.
#[test]
fn senders_that_their_wakers_own() {
    each_way(|at_once, receives, elsewhere, tally| {
        let (chan, port) = stream::<Counted>();
        let owner = own_sender(chan, at_once);
        on(elsewhere, move || drop(port));
        assert!(owner.upgrade().is_none(), "nothing is left");

        let (one, port) = oneshot::<Counted>();
        let owner = own_sender(one, at_once);
        on(elsewhere, move || drop(port));
        assert!(owner.upgrade().is_none(), "nothing is left");

        let (chan, port) = shared_stream::<Counted>();
        let owner = own_sender(chan.clone(), at_once);
        let other = own_sender(chan, at_once);
        on(elsewhere, move || drop(port));
        assert!(owner.upgrade().is_none() && other.upgrade().is_none(), "nothing is left");

        let (client, server) = pingpong::pipe::<Counted>();
        let owner = own_sender(client, at_once);
        on(elsewhere, move || drop(server));
        assert!(owner.upgrade().is_none(), "nothing is left");

        for capacity in [0, 1] {
            let (mut chan, mut port) = sync_stream(capacity);
            if capacity == 1 {
                assert!(chan.try_send(tally.make(1)).is_ok());
            }
            let mut value = Some(tally.make(2));
            let owner = own(chan, at_once, |chan, cx| {
                let mut future = chan.send_async(value.take().expect("it is asked for once"));
                let pending = pipes_tests::poll_future(&mut future, cx.waker()).is_pending();
                if capacity == 1 {
                    drop(future.into_inner());
                } else {
                    std::mem::forget(future);
                }
                pending
            });
            on(elsewhere, move || if receives { assert!(port.try_recv().is_ok()) } else { drop(port) });
            assert!(owner.upgrade().is_none(), "nothing is left");
        }
    });
}
