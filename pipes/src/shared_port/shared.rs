//! What the receivers of a shared port share.

use super::wait_queue::WaitQueue;
use crate::endpoint::Readiness;
use crate::slot::PrefetchBuffer;
use crate::stream::{Port, Prefetched};
use crate::sync::WakeArc;
use crate::wait::DeferredWakes;
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
}

impl<T> Shared<T> {
    pub(super) fn new(port: Port<T>) -> Self {
        let queue = WakeArc::new(WaitQueue::new());
        let waker = queue.clone().into();
        let prefetched = port.prefetched();
        Shared { buffer: PrefetchBuffer::new(port), prefetched, queue, waker }
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
