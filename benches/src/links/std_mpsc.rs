//! The standard library's channels.

use std::sync::mpsc::{Receiver, Sender, SyncSender};

use super::{BlockingChan, BlockingPort, Closed, OneshotChan, OneshotPort};

impl<T: Send + 'static> BlockingChan<T> for Sender<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        Sender::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingChan<T> for SyncSender<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        SyncSender::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingPort<T> for Receiver<T> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        Receiver::recv(self).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> OneshotChan<T> for Sender<T> {
    #[inline]
    fn send(self, value: T) -> Result<(), Closed> {
        Sender::send(&self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> OneshotPort<T> for Receiver<T> {
    #[inline]
    fn recv(self) -> Result<T, Closed> {
        Receiver::recv(&self).map_err(Closed::from_any)
    }
}
