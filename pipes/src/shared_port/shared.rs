//! What the receivers of a shared port share.

use super::wait_queue::WaitQueue;
use crate::endpoint::Readiness;
use crate::slot::PrefetchBuffer;
use crate::stream::{Port, Prefetched, stream};
use crate::sync::{Lock, WakeArc};
use crate::wait::DeferredWakes;
use std::mem::replace;
use std::task::{Context, Waker};

/// The state that the receivers share.
pub(super) struct Shared<T> {
    /// The port, and values that were received ahead. Its lock is taken before that of the queue, never after
    /// it.
    pub(super) buffer: PrefetchBuffer<T, Port<T>>,
    /// What a receiver owes for a value from the buffer.
    pub(super) prefetched: Prefetched,
    pub(super) queue: WakeArc<WaitQueue>,
    /// The queue's waker. It is made once, because wakers are compared by addresses, and two wakers of one
    /// queue need not have the same.
    waker: Waker,
    /// The capacity of the stream, which stays what it was when the stream is closed.
    pub(super) capacity: Option<usize>,
    /// `true` once a receiver has closed the stream.
    was_closed: Lock<bool>,
}

impl<T> Shared<T> {
    pub(super) fn new(port: Port<T>) -> Self {
        let queue = WakeArc::new(WaitQueue::new());
        let waker = queue.clone().into();
        let prefetched = port.prefetched();
        let capacity = port.capacity();
        let was_closed = Lock::new(false);
        Shared { buffer: PrefetchBuffer::new(port), prefetched, queue, waker, capacity, was_closed }
    }

    /// Returns `true` if a message is here.
    pub(super) fn is_ready(&self) -> bool {
        !self.buffer.is_empty() || self.buffer.lock().is_ready()
    }

    /// Returns `true` if the sender has left, or the stream was closed, and everything was received.
    pub(super) fn is_closed(&self) -> bool {
        let port = self.buffer.lock();
        self.buffer.is_empty() && port.is_closed()
    }

    /// Closes the stream, unless that was done before. The unread values become those of another stream,
    /// whose port takes the place of the one that is closed. So the receivers find them, and then the end.
    pub(super) fn close(&self) -> bool {
        if replace(&mut *self.was_closed.lock(), true) {
            return false;
        }
        let (mut chan, port) = stream();
        let mut source = self.buffer.lock();
        let closed = replace(&mut *source, port);
        // The queue's waker was registered with the port that was replaced.
        let next = self.wake_next_or_register(&mut source);
        drop(source);
        // The close calls wakers of senders. Until it is done, the receivers wait for what it finds.
        chan.send_all(&mut closed.close()).expect("only this function replaces a port, and it does so once");
        drop(next);
        true
    }

    /// To be called after any look at the port. If there are more messages, takes the receiver that is to be
    /// woken out of the queue. If there are none, registers the queue's waker.
    pub(super) fn wake_next_or_register(&self, port: &mut Port<T>) -> DeferredWakes {
        if self.queue.is_empty() {
            return DeferredWakes::default();
        }
        if !self.buffer.is_empty() {
            return self.queue.wake_first();
        }
        let ready = port.poll_ready(&mut Context::from_waker(&self.waker)).is_ready();
        if !ready {
            DeferredWakes::default()
        } else if port.is_closed() {
            self.queue.wake_all()
        } else {
            self.queue.wake_first()
        }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        self.buffer.lock().reject_sends();
    }
}
