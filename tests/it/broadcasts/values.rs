//! What becomes of the values: clones, destructors, and user code in both.

use pipes::{Lagged, LaggingChan, TrySendError, broadcast, broadcast_lagging};
use pipes_tests::{DropCounter, caught, panics, spawn, test_in, watched};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The last receiver gets the value itself, and the others a clone each.
#[test]
fn the_last_receiver_clones_nothing() {
    for receivers in 1..=4 {
        let drops = DropCounter::new();
        let (chan, port) = broadcast(2);
        let mut ports: Vec<_> = (1..receivers).map(|_| port.clone()).collect();
        ports.push(port);
        chan.send(drops.make(1)).expect("it has receivers");
        for (received, port) in ports.iter_mut().enumerate() {
            let message = port.recv().expect("it was sent");
            assert_eq!(message.number, 1);
            assert_eq!(drops.made(), 1 + (received + 1).min(receivers - 1), "the value and the clones");
        }
        assert_eq!(drops.dropped(), receivers);
        drops.assert_all_dropped();
    }
}

#[test]
fn the_last_receiver_clones_nothing_if_the_sender_does_not_wait() {
    let drops = DropCounter::new();
    let (chan, mut one) = broadcast_lagging(2);
    let mut two = one.clone();
    chan.send(drops.make(1)).expect("it has receivers");
    drop((one.recv(), two.recv()));
    assert_eq!((drops.made(), drops.dropped()), (2, 2));
}

/// A value that is overwritten, that a receiver leaves behind, or that no receiver is left for is dropped at
/// once.
#[test]
fn values_are_dropped_in_time() {
    let drops = DropCounter::new();
    let (chan, mut one) = broadcast_lagging(2);
    let two = one.clone();
    (0..5).for_each(|number| chan.send(drops.make(number)).expect("it has receivers"));
    assert_eq!(drops.dropped(), 3, "overwritten");
    assert!(matches!(one.recv(), Ok(Err(Lagged(3)))));
    drop((one.recv(), one.recv()));
    assert_eq!((drops.made(), drops.dropped()), (7, 5), "two clones");
    drop(two);
    assert_eq!(drops.dropped(), 7, "left behind");
    chan.send(drops.make(5)).expect("it has a receiver");
    drop(one);
    assert_eq!(drops.dropped(), 8, "no receiver is left");
    drop(chan);
    drops.assert_all_dropped();
}

/// A value whose `clone` and destructor run what the test wants.
struct Hook {
    clone: Action,
}

type Action = Arc<dyn Fn() + Send + Sync>;

impl Clone for Hook {
    fn clone(&self) -> Self {
        (self.clone)();
        Hook { clone: self.clone.clone() }
    }
}

impl Hook {
    /// A value whose `clone` does nothing else.
    fn idle() -> Self {
        Hook { clone: Arc::new(|| {}) }
    }
}

/// The first `clone` sends this value.
fn sends(chan: LaggingChan<Hook>, value: Hook) -> Action {
    let value = Mutex::new(Some(value));
    Arc::new(move || {
        let value = value.lock().expect("not poisoned").take();
        assert!(value.is_none_or(|value| chan.send(value).is_ok()));
    })
}

/// A `clone` that sends to the same channel. The places of the ring are taken by turns, and one of them is
/// that of the value that is being cloned.
#[test_in(watched)]
fn a_clone_may_send_to_the_channel() {
    for capacity in 1..=3 {
        let (chan, mut one) = broadcast_lagging(capacity);
        let mut two = one.clone();
        let (other, sends) = (chan.clone(), Mutex::new(0..2 * capacity));
        let hook = Hook {
            clone: Arc::new(move || {
                for _ in sends.lock().expect("not poisoned").by_ref() {
                    assert!(other.send(Hook::idle()).is_ok());
                }
            }),
        };
        assert!(chan.send(hook).is_ok());
        assert!(matches!(one.recv(), Ok(Ok(_))), "it was being received");
        let mut count = 0;
        let missed = capacity as u64;
        assert!(matches!(one.recv(), Ok(Err(Lagged(it))) if it == missed));
        while let Ok(message) = one.try_recv() {
            assert!(message.is_ok());
            count += 1;
        }
        assert_eq!(count, capacity);
        assert!(matches!(two.recv(), Ok(Ok(_))), "it is still there");
        assert!(matches!(two.recv(), Ok(Err(Lagged(it))) if it == missed));
        assert_eq!(std::iter::from_fn(|| two.try_recv().ok()).filter(Result::is_ok).count(), capacity);
    }
}

/// A `clone` that looks at the channel, receives the same message by another port, and comes and goes.
#[test_in(watched)]
fn a_clone_may_use_the_channel() {
    let (chan, mut port) = broadcast(1);
    let (other, inner) = (chan.clone(), Mutex::new(Some(port.clone())));
    let keeps = port.clone();
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = runs.clone();
    let clone: Action = Arc::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        let full = other.try_send(Hook::idle());
        assert!(matches!(full, Err(TrySendError::Full(_))), "it is not received yet");
        let mine = inner.lock().expect("not poisoned").take();
        if let Some(mut mine) = mine {
            drop(mine.clone());
            assert!(mine.recv().is_ok());
        }
    });
    assert!(chan.send(Hook { clone }).is_ok());
    assert!(port.recv().is_ok());
    assert_eq!(runs.load(Ordering::Relaxed), 2);
    drop(keeps);
    assert!(chan.try_send(Hook::idle()).is_ok());
}

/// The last two receivers clone the value, because one does so inside the `clone` of the other one. Then the
/// value itself is dropped at once.
#[test_in(watched)]
fn the_last_two_may_both_clone() {
    let (chan, mut one) = broadcast(1);
    let two = Mutex::new(Some(one.clone()));
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = runs.clone();
    let clone: Action = Arc::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        let inner = two.lock().expect("not poisoned").take();
        assert!(inner.is_none_or(|mut two| two.recv().is_ok()));
    });
    let value = Arc::downgrade(&clone);
    assert!(chan.send(Hook { clone }).is_ok());
    let received = one.recv();
    assert_eq!((runs.load(Ordering::Relaxed), value.strong_count()), (2, 1), "only the clone is left");
    drop(received);
    assert!(chan.try_send(Hook::idle()).is_ok());
    assert!(one.recv().is_ok());
}

/// A `clone` that waits for another thread, which sends to the channel and overwrites the value.
#[test_in(watched)]
fn a_clone_may_wait_for_a_sender() {
    let (chan, mut port) = broadcast_lagging(1);
    let keeps = port.clone();
    let other = chan.clone();
    let clone: Action = Arc::new(move || {
        let other = other.clone();
        let sending = spawn(move || other.send(Hook::idle()).is_ok());
        assert!(sending.join().expect("it does not panic"));
    });
    assert!(chan.send(Hook { clone }).is_ok());
    assert!(matches!(port.recv(), Ok(Ok(_))));
    for mut copy in [port.clone(), port.clone(), port.clone()] {
        assert!(matches!(copy.recv(), Ok(Ok(_))), "it was put aside, also for copies");
    }
    assert!(matches!(port.recv(), Ok(Ok(_))), "it was put aside");
    drop(keeps);
    assert!(chan.send(Hook::idle()).is_ok());
    assert!(matches!(port.recv(), Ok(Ok(_))));
}

/// If a `clone` panics, the message is still there.
#[test]
fn a_clone_that_panics_receives_nothing() {
    let bomb = Arc::new(AtomicUsize::new(1));
    let fuse = bomb.clone();
    let (chan, mut one) = broadcast(1);
    let mut two = one.clone();
    let clone: Action = Arc::new(move || {
        if fuse.fetch_sub(1, Ordering::Relaxed) == 1 {
            panics();
        }
    });
    assert!(chan.send(Hook { clone }).is_ok());
    assert!(caught(|| one.recv().is_ok()).is_some());
    assert!(one.is_ready());
    assert!(one.recv().is_ok());
    assert!(two.recv().is_ok());
    assert!(!two.is_ready());
}

/// Three receivers of a message that was put aside. One whose `clone` panics receives it again, the next one
/// clones it, and the last one gets the message itself.
#[test_in(watched)]
fn a_clone_of_a_message_put_aside_panics() {
    let (chan, mut one) = broadcast_lagging(1);
    let (mut two, mut three, other) = (one.clone(), one.clone(), chan.clone());
    let clones = Arc::new(AtomicUsize::new(0));
    let counter = clones.clone();
    let aside: Action = Arc::new(move || {
        if counter.fetch_add(1, Ordering::Relaxed) == 0 {
            panics();
        }
    });
    let clone = sends(other, Hook { clone: aside });
    assert!(chan.send(Hook { clone }).is_ok());
    for port in [&mut one, &mut two, &mut three] {
        assert!(matches!(port.recv(), Ok(Ok(_))), "it was not overwritten");
    }
    assert!(caught(|| one.recv().is_ok()).is_some());
    for (port, cloned) in [(&mut one, 2), (&mut two, 3), (&mut three, 3)] {
        assert!(matches!(port.try_recv(), Ok(Ok(_))));
        assert_eq!(clones.load(Ordering::Relaxed), cloned);
        assert!(port.try_recv().is_err());
    }
}

/// A message that was put aside is overwritten while the `clone` of a receiver runs, which then panics: this
/// receiver has missed it.
#[test_in(watched)]
fn a_message_put_aside_is_overwritten_in_its_clone() {
    let (chan, mut one) = broadcast_lagging(1);
    let _two = one.clone();
    let (first, second) = (chan.clone(), chan.clone());
    let aside: Action = Arc::new(move || {
        assert!(second.send(Hook::idle()).is_ok());
        panics();
    });
    let clone = sends(first, Hook { clone: aside });
    assert!(chan.send(Hook { clone }).is_ok());
    assert!(matches!(one.recv(), Ok(Ok(_))));
    assert!(caught(|| one.recv().is_ok()).is_some());
    assert!(matches!(one.try_recv(), Ok(Err(Lagged(1)))));
    assert!(matches!(one.try_recv(), Ok(Ok(_))));
    assert!(one.try_recv().is_err());
}

/// The last receiver leaves although it has not received a message that is overwritten, but still in its
/// place. It is dropped at once.
#[test_in(watched)]
fn the_last_receiver_leaves_an_overwritten_message() {
    let (chan, mut one) = broadcast_lagging(1);
    let (two, other) = (one.clone(), chan.clone());
    let clone = sends(other, Hook::idle());
    let values = Arc::downgrade(&clone);
    assert!(chan.send(Hook { clone }).is_ok());
    drop(one.recv());
    drop(one);
    assert_eq!(values.strong_count(), 1, "the other receiver has not received it");
    drop(two);
    assert_eq!(values.strong_count(), 0);
    let mut port = chan.subscribe();
    assert!(chan.send(Hook::idle()).is_ok());
    assert!(matches!(port.recv(), Ok(Ok(_))));
}

/// A destructor that uses the same channel.
#[test_in(watched)]
fn a_destructor_may_send_to_the_channel() {
    let drops = DropCounter::new();
    let (chan, mut port) = broadcast_lagging(1);
    let (other, source) = (chan.clone(), drops.clone());
    let value = drops.make_with(1, move || other.send(source.make(3)).expect("it has a receiver"));
    chan.send(value).expect("it has a receiver");
    chan.send(drops.make(2)).expect("it has a receiver");
    assert!(matches!(port.recv(), Ok(Err(Lagged(2)))));
    assert_eq!(port.recv().expect("it was sent").expect("it is there").number, 3);
    drop((chan, port));
    drops.assert_all_dropped();
}
