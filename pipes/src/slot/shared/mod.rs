//! Queues with many senders and one receiver.

mod block;
mod queue;
mod recv;
mod send;
mod shelf;
mod state;
mod tail;

pub(crate) use self::recv::SharedReceiver;
pub(crate) use self::send::SharedSender;

use self::queue::Queue;
use crate::sync::Arc;

/// The first sender and the receiver of a fresh shared stream.
pub(crate) fn shared<T>() -> (SharedSender<T>, SharedReceiver<T>) {
    let (queue, block, begin) = Queue::new();
    let queue = Arc::new(queue);
    (SharedSender::new(queue.clone()), SharedReceiver::new(queue, block, begin))
}
