//! The channels of `futures`; on threads its own `block_on` waits for a oneshot.

use futures::channel::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender};
use futures::channel::oneshot;
use futures::executor::block_on;
use futures::{SinkExt, StreamExt};

use super::{BlockingChan, Closed, OneshotChan, OneshotPort, TaskChan, TaskPort};

impl<T: Send + 'static> BlockingChan<T> for UnboundedSender<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        self.unbounded_send(value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskChan<T> for UnboundedSender<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        self.unbounded_send(value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for UnboundedReceiver<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        self.next().await.ok_or(Closed)
    }
}

impl<T: Send + 'static> TaskChan<T> for Sender<T> {
    /// Uses `feed` and not `SinkExt::send`, whose flush would wait for room a second time after each message.
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        self.feed(value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for Receiver<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        self.next().await.ok_or(Closed)
    }
}

impl<T: Send + 'static> OneshotChan<T> for oneshot::Sender<T> {
    #[inline]
    fn send(self, value: T) -> Result<(), Closed> {
        oneshot::Sender::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> OneshotPort<T> for oneshot::Receiver<T> {
    #[inline]
    fn recv(self) -> Result<T, Closed> {
        block_on(self).map_err(Closed::from_any)
    }
}
