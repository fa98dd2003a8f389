//! The channels of `crossfire`, for one receiver and one sender or many.

use crossfire::oneshot::{RxOneshot, TxOneshot};
use crossfire::spsc::{Array, List};
use crossfire::{AsyncRx, AsyncTx, MAsyncTx, MTx, Rx, Tx, mpsc};

use super::{BlockingChan, BlockingPort, Closed, OneshotChan, OneshotPort, TaskChan, TaskPort};

impl<T: Send + Unpin + 'static> BlockingChan<T> for Tx<List<T>> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> BlockingPort<T> for Rx<List<T>> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        Rx::recv(self).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> TaskChan<T> for Tx<List<T>> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> TaskPort<T> for AsyncRx<List<T>> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        AsyncRx::recv(self).await.map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> BlockingChan<T> for MTx<List<T>> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> TaskChan<T> for MTx<List<T>> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> BlockingChan<T> for Tx<Array<T>> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> BlockingPort<T> for Rx<Array<T>> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        Rx::recv(self).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> TaskChan<T> for AsyncTx<Array<T>> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        AsyncTx::send(self, value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> TaskPort<T> for AsyncRx<Array<T>> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        AsyncRx::recv(self).await.map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> BlockingChan<T> for MTx<mpsc::Array<T>> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> BlockingPort<T> for Rx<mpsc::Array<T>> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        Rx::recv(self).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> TaskChan<T> for MAsyncTx<mpsc::Array<T>> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        AsyncTx::send(self, value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static> TaskPort<T> for AsyncRx<mpsc::Array<T>> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        AsyncRx::recv(self).await.map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> OneshotChan<T> for TxOneshot<T> {
    /// The library's `send` does not report whether the port is still open.
    #[inline]
    fn send(self, value: T) -> Result<(), Closed> {
        TxOneshot::send(self, value);
        Ok(())
    }
}

impl<T: Send + 'static> OneshotPort<T> for RxOneshot<T> {
    #[inline]
    fn recv(self) -> Result<T, Closed> {
        RxOneshot::recv(self).map_err(Closed::from_any)
    }
}
