//! The channels of `crossfire`: of any flavour, for one or many senders and receivers.

use crossfire::flavor::{Flavor, FlavorUnbounded};
use crossfire::oneshot::{RxOneshot, TxOneshot};
use crossfire::{AsyncRx, AsyncTx, MAsyncRx, MAsyncTx, MRx, MTx, Rx, Tx};

use super::{BlockingChan, BlockingPort, Closed, OneshotChan, OneshotPort, TaskChan, TaskPort};

impl<T: Send + Unpin + 'static, F: Flavor<Item = T>> BlockingChan<T> for Tx<F> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static, F: Flavor<Item = T>> BlockingChan<T> for MTx<F> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static, F: Flavor<Item = T>> BlockingPort<T> for Rx<F> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        Rx::recv(self).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static, F: Flavor<Item = T>> BlockingPort<T> for MRx<F> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        Rx::recv(self).map_err(Closed::from_any)
    }
}

/// The chan of an unbounded channel, which never waits.
impl<T: Send + Unpin + 'static, F: Flavor<Item = T> + FlavorUnbounded> TaskChan<T> for Tx<F> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

/// The chan of an unbounded channel, which never waits.
impl<T: Send + Unpin + 'static, F: Flavor<Item = T> + FlavorUnbounded> TaskChan<T> for MTx<F> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        Tx::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static, F: Flavor<Item = T>> TaskChan<T> for AsyncTx<F> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        AsyncTx::send(self, value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static, F: Flavor<Item = T>> TaskChan<T> for MAsyncTx<F> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        AsyncTx::send(self, value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static, F: Flavor<Item = T>> TaskPort<T> for AsyncRx<F> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        AsyncRx::recv(self).await.map_err(Closed::from_any)
    }
}

impl<T: Send + Unpin + 'static, F: Flavor<Item = T>> TaskPort<T> for MAsyncRx<F> {
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
