//! The channels of `kanal`, bounded and unbounded.

use kanal::{AsyncReceiver, AsyncSender, Receiver, Sender};

use super::{BlockingChan, BlockingPort, Closed, TaskChan, TaskPort};

impl<T: Send + 'static> BlockingChan<T> for Sender<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Sender::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingPort<T> for Receiver<T> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        Receiver::recv(self).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskChan<T> for AsyncSender<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        AsyncSender::send(self, value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for AsyncReceiver<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        AsyncReceiver::recv(self).await.map_err(Closed::from_any)
    }
}
