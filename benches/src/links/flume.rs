//! The channels of `flume`, bounded and unbounded, whose endpoints can both block and suspend.

use flume::{Receiver, Sender};

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

impl<T: Send + 'static> TaskChan<T> for Sender<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        self.send_async(value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for Receiver<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        self.recv_async().await.map_err(Closed::from_any)
    }
}
