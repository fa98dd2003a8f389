//! Our own streams and oneshots; protocols are used directly, without a trait.

use pipes::{Chan, ChanOne, Port, PortOne, SharedChan, SharedPort};

use super::{BlockingChan, BlockingPort, Closed, OneshotChan, OneshotPort, TaskChan, TaskPort};

impl<T: Send + 'static> BlockingChan<T> for Chan<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Chan::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingPort<T> for Port<T> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        Port::recv(self).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskChan<T> for Chan<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        Chan::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for Port<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        self.recv_async().await.map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingChan<T> for SharedChan<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        SharedChan::send(self, value).map_err(Closed::from_any)
    }
}

/// For an unbounded stream, in which a send never waits; [`shared_sync_stream`] is for a bounded one.
impl<T: Send + 'static> TaskChan<T> for SharedChan<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        SharedChan::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingPort<T> for SharedPort<T> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        SharedPort::recv(self).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for SharedPort<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        self.recv_async().await.map_err(Closed::from_any)
    }
}

/// The chan of a bounded stream, in a task: it has the same type as an unbounded one, but may have to wait.
#[derive(Debug)]
pub struct WaitingChan<T>(Chan<T>);

/// A bounded stream between tasks.
pub fn sync_stream<T>(capacity: usize) -> (WaitingChan<T>, Port<T>) {
    let (chan, port) = pipes::sync_stream(capacity);
    (WaitingChan(chan), port)
}

impl<T: Send + 'static> TaskChan<T> for WaitingChan<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        self.0.send_async(value).await.map_err(Closed::from_any)
    }
}

/// A chan of a bounded stream with many senders, in a task. An unbounded one has the same type, and would pay
/// for a future that it does not need.
#[derive(Debug)]
pub struct WaitingSharedChan<T>(SharedChan<T>);

/// A bounded stream with many senders between tasks.
pub fn shared_sync_stream<T>(capacity: usize) -> (WaitingSharedChan<T>, Port<T>) {
    let (chan, port) = pipes::shared_sync_stream(capacity);
    (WaitingSharedChan(chan), port)
}

// Derived, it would ask for messages that can be cloned.
impl<T> Clone for WaitingSharedChan<T> {
    fn clone(&self) -> Self {
        WaitingSharedChan(self.0.clone())
    }
}

impl<T: Send + 'static> TaskChan<T> for WaitingSharedChan<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        self.0.send_async(value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> OneshotChan<T> for ChanOne<T> {
    #[inline]
    fn send(self, value: T) -> Result<(), Closed> {
        ChanOne::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> OneshotPort<T> for PortOne<T> {
    #[inline]
    fn recv(self) -> Result<T, Closed> {
        PortOne::recv(self).map_err(Closed::from_any)
    }
}
