//! The library's kinds of channels, except those of `latest` and `sessions`.

use super::flavor::{Boxed, Flavor, Limited, LimitedSender, Missing, Receiver, Sender, TaskReceiver, Unsent};
use crate::Counted;
use pipes::{
    BroadcastChan, BroadcastPort, Chan, ChanOne, DuplexStream, Port, PortOne, SharedChan, SharedPort,
};
use std::time::Duration;

/// An unbounded stream.
#[derive(Debug)]
pub struct Stream;

/// A stream that holds `N` messages.
#[derive(Debug)]
pub struct Bounded<const N: usize>;

/// An unbounded stream with many senders.
#[derive(Debug)]
pub struct Shared;

/// A stream with many senders that holds `N` messages.
#[derive(Debug)]
pub struct SharedBounded<const N: usize>;

/// An unbounded stream with many senders and many receivers.
#[derive(Debug)]
pub struct ManyReceivers;

/// A stream with many receivers that holds `N` messages.
#[derive(Debug)]
pub struct ManyReceiversBounded<const N: usize>;

/// An unbounded stream with one sender and many receivers.
#[derive(Debug)]
pub struct OneSenderManyReceivers;

/// A stream with one sender and many receivers that holds `N` messages.
#[derive(Debug)]
pub struct OneSenderManyReceiversBounded<const N: usize>;

/// One direction of an unbounded duplex stream.
#[derive(Debug)]
pub struct Duplex;

/// A channel for one message.
#[derive(Debug)]
pub struct OneMessage;

/// A broadcast that holds `N` messages.
#[derive(Debug)]
pub struct Broadcast<const N: usize>;

/// The ends of a stream, with a port that can be cloned.
pub fn shared<C, T>((chan, port): (C, Port<T>)) -> (C, SharedPort<T>) {
    (chan, port.into_shared())
}

macro_rules! flavors {
    ($([$($generics:tt)*] $flavor:ty: $sender:ty, $receiver:ty, $room:expr, $channel:expr;)*) => {
        $(impl<$($generics)*> Flavor for $flavor {
            type Sender = $sender;
            type Receiver = $receiver;

            const ROOM: u64 = $room;

            fn channel() -> ($sender, $receiver) {
                $channel
            }
        })*
    };
}

flavors! {
    [] Stream: Chan<Counted>, Port<Counted>, u64::MAX, pipes::stream();
    [const N: usize] Bounded<N>: Chan<Counted>, Port<Counted>, N as u64, pipes::sync_stream(N);
    [] Shared: SharedChan<Counted>, Port<Counted>, u64::MAX, pipes::shared_stream();
    [const N: usize] SharedBounded<N>: SharedChan<Counted>, Port<Counted>, N as u64,
        pipes::shared_sync_stream(N);
    [] ManyReceivers: SharedChan<Counted>, SharedPort<Counted>, u64::MAX, shared(pipes::shared_stream());
    [const N: usize] ManyReceiversBounded<N>: SharedChan<Counted>, SharedPort<Counted>, N as u64, shared(pipes::shared_sync_stream(N));
    [] OneSenderManyReceivers: Chan<Counted>, SharedPort<Counted>, u64::MAX, shared(pipes::stream());
    [const N: usize] OneSenderManyReceiversBounded<N>: Chan<Counted>, SharedPort<Counted>, N as u64, shared(pipes::sync_stream(N));
    [] Duplex: DuplexStream<Counted, Counted>, DuplexStream<Counted, Counted>, u64::MAX,
        pipes::duplex_stream();
    [const N: usize] Broadcast<N>: BroadcastChan<Counted>, BroadcastPort<Counted>, N as u64,
        pipes::broadcast(N);
    [] OneMessage: OneSender, OneReceiver, 1, {
        let (chan, port) = pipes::oneshot();
        (OneSender(Some(chan)), OneReceiver(Some(port)))
    };
}

impl<const N: usize> Limited for Bounded<N> {
    const CAPACITY: u64 = N as u64;
}

impl<const N: usize> Limited for SharedBounded<N> {
    const CAPACITY: u64 = N as u64;
}

impl<const N: usize> Limited for ManyReceiversBounded<N> {
    const CAPACITY: u64 = N as u64;
}

impl<const N: usize> Limited for OneSenderManyReceiversBounded<N> {
    const CAPACITY: u64 = N as u64;
}

impl<const N: usize> Limited for Broadcast<N> {
    const CAPACITY: u64 = N as u64;
}

macro_rules! senders {
    ($($sender:ty),*) => {
        $(impl Sender for $sender {
            fn send(&mut self, message: Counted) -> Result<(), Counted> {
                <$sender>::send(self, message).map_err(|error| error.into_payload())
            }

            fn is_closed(&self) -> bool {
                <$sender>::is_closed(self)
            }
        })*
    };
}

senders!(
    Chan<Counted>,
    SharedChan<Counted>,
    DuplexStream<Counted, Counted>,
    BroadcastChan<Counted>
);

macro_rules! limited_senders {
    ($($sender:ty),*) => {
        $(impl LimitedSender for $sender {
            fn try_send(&mut self, message: Counted) -> Result<(), Unsent> {
                Ok(<$sender>::try_send(self, message)?)
            }

            fn send_timeout(&mut self, message: Counted, timeout: Duration) -> Result<(), Unsent> {
                Ok(<$sender>::send_timeout(self, message, timeout)?)
            }

            fn send_async(&mut self, message: Counted) -> Boxed<'_, Result<(), Counted>> {
                let sent = <$sender>::send_async(self, message);
                Box::pin(async { sent.await.map_err(|error| error.into_payload()) })
            }
        })*
    };
}

limited_senders!(Chan<Counted>, SharedChan<Counted>, BroadcastChan<Counted>);

macro_rules! receivers {
    ($($receiver:ty),*) => {
        $(impl Receiver for $receiver {
            fn recv(&mut self) -> Option<Counted> {
                <$receiver>::recv(self).ok()
            }

            fn try_recv(&mut self) -> Result<Counted, Missing> {
                Ok(<$receiver>::try_recv(self)?)
            }

            fn recv_timeout(&mut self, timeout: Duration) -> Result<Counted, Missing> {
                Ok(<$receiver>::recv_timeout(self, timeout)?)
            }
        }

        impl TaskReceiver for $receiver {
            fn recv_async(&mut self) -> Boxed<'_, Option<Counted>> {
                Box::pin(async { <$receiver>::recv_async(self).await.ok() })
            }
        })*
    };
}

receivers!(
    Port<Counted>,
    SharedPort<Counted>,
    DuplexStream<Counted, Counted>,
    BroadcastPort<Counted>
);

/// The sender of one message.
#[derive(Debug)]
pub struct OneSender(pub(super) Option<ChanOne<Counted>>);

/// The receiver of one message.
#[derive(Debug)]
pub struct OneReceiver(pub(super) Option<PortOne<Counted>>);

impl Sender for OneSender {
    fn send(&mut self, message: Counted) -> Result<(), Counted> {
        // A second message comes back.
        let Some(chan) = self.0.take() else { return Err(message) };
        chan.send(message).map_err(|error| error.into_payload())
    }

    fn is_closed(&self) -> bool {
        self.0.as_ref().is_none_or(ChanOne::is_closed)
    }
}

impl OneReceiver {
    /// There is no next message.
    pub(super) fn take(&mut self, message: Counted) -> Counted {
        message
    }
}
