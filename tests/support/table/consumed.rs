//! Ends that are consumed by their use, with the library's traits for ends that can be waited for.

use super::flavor::{Missing, Receiver};
use super::flavors::{OneReceiver, OneSender};
use super::sessions::{FeedReceiver, FeedSender, TurnsReceiver, TurnsSender, turns};
use crate::Counted;
use pipes::{Closing, Readiness, Receive, TryRecvError};
use std::task::{Context, Poll, ready};
use std::time::Instant;

/// Receives by reference.
macro_rules! by_reference {
    ($receiver:ty) => {
        impl Receive for &mut $receiver {
            type Message = Counted;

            fn try_recv(self) -> Result<Counted, TryRecvError<Self>> {
                match Receiver::try_recv(self) {
                    Ok(message) => Ok(message),
                    Err(Missing::Empty) => Err(TryRecvError::Empty(self)),
                    Err(Missing::Closed) => Err(TryRecvError::Closed),
                }
            }
        }
    };
}

pub(super) use by_reference;

macro_rules! receivers {
    ($($receiver:ty),*) => {
        $(impl Readiness for $receiver {
            fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
                self.0.as_mut().map_or(Poll::Ready(()), |end| Readiness::poll_ready(end, cx))
            }

            fn wait(&mut self, deadline: Option<Instant>) -> bool {
                self.0.as_mut().is_none_or(|end| Readiness::wait(end, deadline))
            }

            fn is_ready(&self) -> bool {
                self.0.as_ref().is_some_and(Readiness::is_ready)
            }

            fn is_closed(&self) -> bool {
                self.0.as_ref().is_none_or(Readiness::is_closed)
            }
        }

        by_reference!($receiver);)*
    };
}

receivers!(OneReceiver, FeedReceiver, TurnsReceiver);

macro_rules! senders {
    ($($sender:ty),*) => {
        $(impl Closing for $sender {
            fn is_closed(&self) -> bool {
                self.0.as_ref().is_none_or(Closing::is_closed)
            }

            fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
                self.0.as_mut().map_or(Poll::Ready(()), |end| Closing::poll_closed(end, cx))
            }

            fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool {
                self.0.as_mut().is_none_or(|end| Closing::wait_closed_until(end, deadline))
            }
        })*
    };
}

senders!(OneSender, FeedSender);

impl TurnsSender {
    /// Takes the acknowledgement of the last message, if it is here.
    fn acknowledge(&mut self) {
        self.0 = match self.0.take() {
            Some(turns::AnyClient::Ack(client)) => match client.try_recv() {
                Ok(turns::Ack::Taken(client)) => Some(client.into()),
                Err(TryRecvError::Empty(same)) => Some(same.into()),
                Err(TryRecvError::Closed) => None,
            },
            other => other,
        };
    }
}

/// The client learns of the close by what it waits for, if that is an acknowledgement.
impl Closing for TurnsSender {
    fn is_closed(&self) -> bool {
        super::flavor::Sender::is_closed(self)
    }

    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            self.acknowledge();
            match &mut self.0 {
                Some(turns::AnyClient::Turn(client)) => return client.poll_closed(cx),
                Some(turns::AnyClient::Ack(client)) => ready!(client.poll_ready(cx)),
                None => return Poll::Ready(()),
            }
        }
    }

    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool {
        loop {
            self.acknowledge();
            let is_late = match &mut self.0 {
                Some(turns::AnyClient::Turn(client)) => return client.wait_closed_until(deadline),
                Some(turns::AnyClient::Ack(client)) => !client.wait(deadline),
                None => return true,
            };
            if is_late {
                return false;
            }
        }
    }
}
