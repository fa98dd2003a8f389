//! The channels of `tokio`; threads use their blocking methods.

use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;

use super::{BlockingChan, BlockingPort, Closed, OneshotChan, OneshotPort, TaskChan, TaskPort};

impl<T: Send + 'static> BlockingChan<T> for UnboundedSender<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        UnboundedSender::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingPort<T> for UnboundedReceiver<T> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        self.blocking_recv().ok_or(Closed)
    }
}

impl<T: Send + 'static> TaskChan<T> for UnboundedSender<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        UnboundedSender::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for UnboundedReceiver<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        UnboundedReceiver::recv(self).await.ok_or(Closed)
    }
}

impl<T: Send + 'static> BlockingChan<T> for Sender<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        self.blocking_send(value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingPort<T> for Receiver<T> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        self.blocking_recv().ok_or(Closed)
    }
}

impl<T: Send + 'static> TaskChan<T> for Sender<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        Sender::send(self, value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for Receiver<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        Receiver::recv(self).await.ok_or(Closed)
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
        self.blocking_recv().map_err(Closed::from_any)
    }
}
