//! The library's kinds of channels in which a new message replaces an unread one.

use super::consumed::by_reference;
use super::flavor::{Boxed, Flavor, Missing, Receiver, Sender, TaskReceiver};
use crate::Counted;
use pipes::{Lagged, LaggingChan, LaggingPort, Readiness, Receive, TryRecvError, WatchChan, WatchPort};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

/// A broadcast that keeps the last `N` messages.
#[derive(Debug)]
pub struct Lagging<const N: usize>;

/// The latest message, which its receiver takes.
#[derive(Debug)]
pub struct Watch;

impl<const N: usize> Flavor for Lagging<N> {
    type Sender = LaggingChan<Counted>;
    type Receiver = Late;

    const ROOM: u64 = N as u64;

    fn channel() -> (LaggingChan<Counted>, Late) {
        let (chan, port) = pipes::broadcast_lagging(N);
        (chan, Late { port, missed: 0 })
    }
}

impl Flavor for Watch {
    type Sender = Setter;
    type Receiver = Latest;

    fn channel() -> (Setter, Latest) {
        let (chan, port) = pipes::watch(Mutex::new(None));
        (Setter(chan), Latest { port })
    }
}

impl Sender for LaggingChan<Counted> {
    fn send(&mut self, message: Counted) -> Result<(), Counted> {
        LaggingChan::send(self, message).map_err(|error| error.into_payload())
    }

    fn is_closed(&self) -> bool {
        LaggingChan::is_closed(self)
    }
}

/// A receiver that counts the messages that it has missed, and goes on. The count must be taken.
#[derive(Debug)]
pub struct Late {
    port: LaggingPort<Counted>,
    missed: u64,
}

impl Late {
    fn next<E>(
        &mut self,
        receive: impl Fn(&mut LaggingPort<Counted>) -> Result<Result<Counted, Lagged>, E>,
    ) -> Result<Counted, E> {
        loop {
            match receive(&mut self.port)? {
                Ok(message) => return Ok(message),
                Err(Lagged(missed)) => self.missed += missed,
            }
        }
    }
}

impl Drop for Late {
    fn drop(&mut self) {
        assert!(self.missed == 0 || thread::panicking(), "{} messages were missed", self.missed);
    }
}

impl Receiver for Late {
    fn recv(&mut self) -> Option<Counted> {
        self.next(LaggingPort::recv).ok()
    }

    fn try_recv(&mut self) -> Result<Counted, Missing> {
        Ok(self.next(LaggingPort::try_recv)?)
    }

    fn recv_timeout(&mut self, timeout: Duration) -> Result<Counted, Missing> {
        Ok(self.next(|port| port.recv_timeout(timeout))?)
    }

    fn missed(&mut self) -> Option<u64> {
        Some(std::mem::take(&mut self.missed))
    }
}

impl TaskReceiver for Late {
    fn recv_async(&mut self) -> Boxed<'_, Option<Counted>> {
        Box::pin(async {
            loop {
                match self.port.recv_async().await.ok()? {
                    Ok(message) => return Some(message),
                    Err(Lagged(missed)) => self.missed += missed,
                }
            }
        })
    }
}

/// The sender of the latest message.
#[derive(Debug)]
pub struct Setter(WatchChan<Mutex<Option<Counted>>>);

impl Sender for Setter {
    fn send(&mut self, message: Counted) -> Result<(), Counted> {
        self.0.send(Mutex::new(Some(message))).map_err(|error| {
            let message = error.into_payload().into_inner().unwrap_or_else(PoisonError::into_inner);
            message.expect("it was sent")
        })
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

/// The receiver of the latest message.
#[derive(Debug)]
pub struct Latest {
    port: WatchPort<Mutex<Option<Counted>>>,
}

impl Latest {
    /// Takes the message, which has changed, and marks it as seen.
    fn take(&mut self) -> Counted {
        let latest = self.port.borrow_and_update();
        let message = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        message.expect("each change is a message")
    }
}

impl Receiver for Latest {
    fn recv(&mut self) -> Option<Counted> {
        self.port.changed().ok().map(|()| self.take())
    }

    fn try_recv(&mut self) -> Result<Counted, Missing> {
        Receive::try_recv(&mut self.port)?;
        Ok(self.take())
    }

    fn recv_timeout(&mut self, timeout: Duration) -> Result<Counted, Missing> {
        self.port.changed_timeout(timeout)?;
        Ok(self.take())
    }
}

impl TaskReceiver for Latest {
    fn recv_async(&mut self) -> Boxed<'_, Option<Counted>> {
        Box::pin(async { self.port.changed_async().await.ok().map(|()| self.take()) })
    }
}

macro_rules! selected {
    ($($receiver:ty),*) => {
        $(impl Readiness for $receiver {
            fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
                self.port.poll_ready(cx)
            }

            fn wait(&mut self, deadline: Option<Instant>) -> bool {
                self.port.wait(deadline)
            }

            fn is_ready(&self) -> bool {
                self.port.is_ready()
            }

            fn is_closed(&self) -> bool {
                self.port.is_closed()
            }
        }

        by_reference!($receiver);)*
    };
}

selected!(Late, Latest);
