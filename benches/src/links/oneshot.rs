//! The channel of `oneshot`.

use oneshot::{Receiver, Sender};

use super::{Closed, OneshotChan, OneshotPort};

impl<T: Send + 'static> OneshotChan<T> for Sender<T> {
    #[inline]
    fn send(self, value: T) -> Result<(), Closed> {
        Sender::send(self, value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> OneshotPort<T> for Receiver<T> {
    #[inline]
    fn recv(self) -> Result<T, Closed> {
        Receiver::recv(self).map_err(Closed::from_any)
    }
}
