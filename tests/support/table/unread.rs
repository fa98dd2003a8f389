//! What holds for channels inside one process whose receiver drops what is unread when it leaves. Destructors
//! of messages may call back into the library meanwhile.

use super::flavor::{Flavor, Receiver, Sender};
use super::reentrance::{Place, put, take};
use crate::{DropCounter, caught, effort};
use std::thread::Builder;

/// The destructor of one of many unread messages panics. The others are dropped all the same.
pub fn destructor_that_panics_among_others<F: Flavor>() {
    let count = F::ROOM.min(100);
    for bomb in [0, 1, 2, 4, 30, 31, 32, 61, 62, 99].into_iter().filter(|bomb| *bomb < count) {
        for sender_first in [false, true] {
            let drops = DropCounter::new();
            let (mut sender, receiver) = F::channel();
            for number in 0..count {
                let is_bomb = number == bomb;
                let message = if is_bomb { drops.make_panicking(number) } else { drops.make(number) };
                assert!(sender.send(message).is_ok());
            }
            let mut sender = Some(sender).filter(|_| !sender_first);
            let panic = caught(|| drop(receiver)).expect("the panic is not swallowed");
            assert_eq!(panic.downcast_ref(), Some(&bomb));
            drops.assert_all_dropped();
            assert!(sender.as_mut().is_none_or(|sender| sender.send(drops.make(7)).is_err()));
        }
    }
}

/// As many unread messages as there is room for are dropped with little stack.
pub fn many_unread_messages<F: Flavor>() {
    let with_little_stack = Builder::new().stack_size(64 << 10).spawn(|| {
        for sender_first in [false, true] {
            let drops = DropCounter::new();
            let (mut sender, receiver) = F::channel();
            for number in 0..F::ROOM.min(effort(200_000) as u64) {
                assert!(sender.send(drops.make(number)).is_ok());
            }
            if sender_first {
                drop(sender);
                drop(receiver);
            } else {
                drop(receiver);
                assert!(sender.is_closed());
            }
            drops.assert_all_dropped();
        }
    });
    with_little_stack.expect("there is a thread").join().expect("64 KiB are enough");
}

/// The destructor of an unread message uses other channels of the same kind: it sends an answer, and drops
/// the sender of another request, which is unread, too.
pub fn destructor_that_uses_other_channels<F: Flavor>() {
    let drops = DropCounter::new();
    let (mut sender, receiver) = F::channel();
    let (mut answer, mut answered) = F::channel();
    let (mut other, mut unanswered) = F::channel();
    let (mut request, unread) = F::channel();
    let reply = drops.make(2);
    assert!(request.send(drops.make_with(3, move || drop(other.send(reply)))).is_ok());
    let reply = drops.make(1);
    let message = drops.make_with(4, move || {
        assert!(answer.send(reply).is_ok());
        drop((request, unread));
    });
    assert!(sender.send(message).is_ok());
    drop(receiver);
    assert_eq!(answered.recv().expect("it was answered").number, 1);
    assert!(answered.recv().is_none());
    assert_eq!(unanswered.recv().expect("it was answered").number, 2);
    drops.assert_all_dropped();
}

/// The destructor drops the sender while the receiver leaves.
pub fn drops_the_sender<F: Flavor>() {
    let (drops, place) = (DropCounter::new(), Place::default());
    let (mut sender, receiver) = F::channel();
    let own = place.clone();
    let message = drops.make_with(1, move || drop(take::<F::Sender>(&own)));
    assert!(sender.send(message).is_ok());
    put(&place, sender);
    drop(receiver);
    assert!(take(&place).is_none());
    drops.assert_all_dropped();
}
