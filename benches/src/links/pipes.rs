//! Our own streams and oneshots; protocols are used without any trait between.

use pipes::{Chan, ChanOne, Port, PortOne};

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
