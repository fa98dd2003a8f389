//! The channels of `async-channel`, bounded and unbounded.
//!
//! The traits belong to `pipes-benches`, which the first command builds, and which therefore does not depend
//! on this library. So they are implemented for types around the library's ends.

use async_channel::{Receiver, Sender};

use pipes_benches::links::{BlockingChan, BlockingPort, Closed, TaskChan, TaskPort};

/// A chan of `async-channel`.
#[derive(Clone, Debug)]
pub struct Chan<T>(Sender<T>);

/// A port of `async-channel`.
#[derive(Clone, Debug)]
pub struct Port<T>(Receiver<T>);

/// The ends of a channel.
pub fn ends<T>((sender, receiver): (Sender<T>, Receiver<T>)) -> (Chan<T>, Port<T>) {
    (Chan(sender), Port(receiver))
}

impl<T: Send + 'static> BlockingChan<T> for Chan<T> {
    #[inline]
    fn send(&mut self, value: T) -> Result<(), Closed> {
        self.0.send_blocking(value).map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> BlockingPort<T> for Port<T> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        self.0.recv_blocking().map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskChan<T> for Chan<T> {
    #[inline]
    async fn send(&mut self, value: T) -> Result<(), Closed> {
        self.0.send(value).await.map_err(Closed::from_any)
    }
}

impl<T: Send + 'static> TaskPort<T> for Port<T> {
    #[inline]
    async fn recv(&mut self) -> Result<T, Closed> {
        self.0.recv().await.map_err(Closed::from_any)
    }
}
