//! The ring buffer of `rtrb`, which never waits: on threads each end backs off until it can proceed.

use crossbeam_utils::Backoff;
use rtrb::{Consumer, Producer, PushError};

use super::{BlockingChan, BlockingPort, Closed};

impl<T: Send + 'static> BlockingChan<T> for Producer<T> {
    #[inline]
    fn send(&mut self, mut value: T) -> Result<(), Closed> {
        let backoff = Backoff::new();
        loop {
            match self.push(value) {
                Ok(()) => return Ok(()),
                Err(_) if self.is_abandoned() => return Err(Closed),
                Err(PushError::Full(unsent)) => value = unsent,
            }
            backoff.snooze();
        }
    }
}

impl<T: Send + 'static> BlockingPort<T> for Consumer<T> {
    #[inline]
    fn recv(&mut self) -> Result<T, Closed> {
        let backoff = Backoff::new();
        loop {
            match self.pop() {
                Ok(value) => return Ok(value),
                // What the producer has pushed between that `pop` and its end is still received.
                Err(_) if self.is_abandoned() => return self.pop().map_err(Closed::from_any),
                Err(_) => backoff.snooze(),
            }
        }
    }
}
