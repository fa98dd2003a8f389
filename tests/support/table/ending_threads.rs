//! Waits in the destructors of a thread's local values, when the library's own thread-locals may be gone.

use super::flavor::{Flavor, Receiver, Sender, TaskReceiver};
use crate::{DropCounter, at_thread_end};
use futures::executor::block_on;

/// A receive waits for its message, and another one for the close.
pub fn receive<F: Flavor>() {
    at_thread_end(|| {
        let (mut sender, mut receiver) = F::channel();
        let receives = move || {
            assert_eq!(receiver.recv().expect("a message was sent").number, 1);
            assert!(receiver.recv().is_none());
        };
        (receives, move || assert!(sender.send(DropCounter::new().make(1)).is_ok()))
    });
}

/// A send waits until its message is received, or until there is room. The sender leaves after that.
pub fn send<F: Flavor>() {
    at_thread_end(|| {
        let (mut sender, mut receiver) = F::channel();
        let receives = move || {
            assert_eq!(receiver.recv().expect("a message was sent").number, 1);
            assert!(receiver.recv().is_none());
        };
        (move || assert!(sender.send(DropCounter::new().make(1)).is_ok()), receives)
    });
}

/// An executor polls a receive there.
pub fn task<F: Flavor<Receiver: TaskReceiver>>() {
    at_thread_end(|| {
        let (mut sender, mut receiver) = F::channel();
        let receives = move || {
            assert_eq!(block_on(receiver.recv_async()).expect("a message was sent").number, 1);
        };
        (receives, move || assert!(sender.send(DropCounter::new().make(1)).is_ok()))
    });
}
