//! The channels of `crossbeam-channel`, bounded and unbounded.

use crossbeam_channel::{Receiver, Sender};

use super::{BlockingChan, BlockingPort, Closed};

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
