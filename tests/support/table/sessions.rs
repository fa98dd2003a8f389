//! Sessions as channels: the client sends one message after the other.

use super::flavor::{Boxed, Flavor, Limited, LimitedSender, Missing, Receiver, Sender, TaskReceiver, Unsent};
use super::flavors::OneReceiver;
use crate::Counted;
use pipes::{Closing, RecvTimeoutError, TryRecvError};
use std::time::Duration;

pipes::proto! {
    /// Messages in one direction, without end.
    #[remote]
    pub feed<P> {
        /// The client's turn, always.
        more: send {
            /// A message.
            item(P) -> more,
        }
    }

    /// Messages that are acknowledged, so that the pipe is bounded.
    #[remote]
    pub turns<P> {
        /// The client's turn.
        turn: send {
            /// A message.
            item(P) -> ack,
        }
        /// The server's turn.
        ack: recv {
            /// The message was received.
            taken -> turn,
        }
    }
}

/// A session of an unbounded protocol.
#[derive(Debug)]
pub struct UnboundedSession;

/// A session of a bounded protocol.
#[derive(Debug)]
pub struct BoundedSession;

/// The client of an unbounded session, as long as the server is there.
#[derive(Debug)]
pub struct FeedSender(pub Option<feed::Client<feed::More<Counted>>>);

/// The server of an unbounded session, as long as it is open.
#[derive(Debug)]
pub struct FeedReceiver(pub Option<feed::Server<feed::More<Counted>>>);

/// The client of a bounded session, which may wait for an acknowledgement.
#[derive(Debug)]
pub struct TurnsSender(pub Option<turns::AnyClient<Counted>>);

/// The server of a bounded session, as long as it is open.
#[derive(Debug)]
pub struct TurnsReceiver(pub Option<turns::Server<turns::Turn<Counted>>>);

impl Flavor for UnboundedSession {
    type Sender = FeedSender;
    type Receiver = FeedReceiver;

    const ROOM: u64 = u64::MAX;

    fn channel() -> (FeedSender, FeedReceiver) {
        let (client, server) = feed::pipe();
        (FeedSender(Some(client)), FeedReceiver(Some(server)))
    }
}

impl Flavor for BoundedSession {
    type Sender = TurnsSender;
    type Receiver = TurnsReceiver;

    fn channel() -> (TurnsSender, TurnsReceiver) {
        let (client, server) = turns::pipe();
        (TurnsSender(Some(client.into())), TurnsReceiver(Some(server)))
    }
}

impl Sender for FeedSender {
    fn send(&mut self, message: Counted) -> Result<(), Counted> {
        let Some(client) = self.0.take() else { return Err(message) };
        self.0 = Some(client.item(message).map_err(|error| error.into_payload())?);
        Ok(())
    }

    fn is_closed(&self) -> bool {
        self.0.as_ref().is_none_or(|client| client.is_closed())
    }
}

impl Sender for TurnsSender {
    fn send(&mut self, message: Counted) -> Result<(), Counted> {
        let client = match self.0.take() {
            Some(turns::AnyClient::Turn(client)) => Some(client),
            Some(turns::AnyClient::Ack(client)) => client.recv().ok().map(|turns::Ack::Taken(client)| client),
            None => None,
        };
        let Some(client) = client else { return Err(message) };
        self.0 = Some(client.item(message).map_err(|error| error.into_payload())?.into());
        Ok(())
    }

    fn is_closed(&self) -> bool {
        match &self.0 {
            Some(turns::AnyClient::Turn(client)) => client.is_closed(),
            Some(turns::AnyClient::Ack(client)) => client.is_closed(),
            None => true,
        }
    }
}

impl FeedReceiver {
    /// Keeps the endpoint for the next message.
    fn take(&mut self, message: feed::More<Counted>) -> Counted {
        let feed::More::Item(message, next) = message;
        self.0 = Some(next);
        message
    }
}

impl TurnsReceiver {
    /// Acknowledges the message, and keeps the endpoint for the next one.
    fn take(&mut self, message: turns::Turn<Counted>) -> Counted {
        let turns::Turn::Item(message, next) = message;
        self.0 = next.taken().ok();
        message
    }
}

/// Ends that a receive uses up; the message may bring the next one.
macro_rules! receivers {
    ($($receiver:ty),*) => {
        $(impl Receiver for $receiver {
            fn recv(&mut self) -> Option<Counted> {
                let message = self.0.take()?.recv().ok()?;
                Some(self.take(message))
            }

            fn try_recv(&mut self) -> Result<Counted, Missing> {
                match self.0.take().ok_or(Missing::Closed)?.try_recv() {
                    Ok(message) => Ok(self.take(message)),
                    Err(TryRecvError::Empty(same)) => {
                        self.0 = Some(same);
                        Err(Missing::Empty)
                    }
                    Err(TryRecvError::Closed) => Err(Missing::Closed),
                }
            }

            fn recv_timeout(&mut self, timeout: Duration) -> Result<Counted, Missing> {
                match self.0.take().ok_or(Missing::Closed)?.recv_timeout(timeout) {
                    Ok(message) => Ok(self.take(message)),
                    Err(RecvTimeoutError::Timeout(same)) => {
                        self.0 = Some(same);
                        Err(Missing::Empty)
                    }
                    Err(RecvTimeoutError::Closed) => Err(Missing::Closed),
                }
            }
        }

        impl TaskReceiver for $receiver {
            fn recv_async(&mut self) -> Boxed<'_, Option<Counted>> {
                let receiver = self.0.take();
                Box::pin(async {
                    let message = receiver?.recv_async().await.ok()?;
                    Some(self.take(message))
                })
            }
        })*
    };
}

receivers!(OneReceiver, FeedReceiver, TurnsReceiver);

impl Limited for BoundedSession {
    const CAPACITY: u64 = 1;
}

impl TurnsSender {
    fn send_on(
        &mut self,
        client: turns::Client<turns::Turn<Counted>>,
        message: Counted,
    ) -> Result<(), Unsent> {
        let sent = client.item(message).map_err(|error| Unsent::Closed(error.into_payload()))?;
        self.0 = Some(sent.into());
        Ok(())
    }
}

impl LimitedSender for TurnsSender {
    fn try_send(&mut self, message: Counted) -> Result<(), Unsent> {
        match self.0.take() {
            Some(turns::AnyClient::Turn(client)) => self.send_on(client, message),
            Some(turns::AnyClient::Ack(client)) => match client.try_recv() {
                Ok(turns::Ack::Taken(client)) => self.send_on(client, message),
                Err(TryRecvError::Empty(same)) => {
                    self.0 = Some(same.into());
                    Err(Unsent::Full(message))
                }
                Err(TryRecvError::Closed) => Err(Unsent::Closed(message)),
            },
            None => Err(Unsent::Closed(message)),
        }
    }

    fn send_timeout(&mut self, message: Counted, timeout: Duration) -> Result<(), Unsent> {
        match self.0.take() {
            Some(turns::AnyClient::Turn(client)) => self.send_on(client, message),
            Some(turns::AnyClient::Ack(client)) => match client.recv_timeout(timeout) {
                Ok(turns::Ack::Taken(client)) => self.send_on(client, message),
                Err(RecvTimeoutError::Timeout(same)) => {
                    self.0 = Some(same.into());
                    Err(Unsent::Full(message))
                }
                Err(RecvTimeoutError::Closed) => Err(Unsent::Closed(message)),
            },
            None => Err(Unsent::Closed(message)),
        }
    }

    fn send_async(&mut self, message: Counted) -> Boxed<'_, Result<(), Counted>> {
        Box::pin(async {
            let client = match self.0.take() {
                Some(turns::AnyClient::Turn(client)) => Some(client),
                Some(turns::AnyClient::Ack(client)) => {
                    client.recv_async().await.ok().map(|turns::Ack::Taken(client)| client)
                }
                None => None,
            };
            let Some(client) = client else { return Err(message) };
            self.send_on(client, message).map_err(Unsent::into_message)
        })
    }
}
