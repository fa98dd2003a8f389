//! What a kind of channel must provide to take part in the table. [`Flavor`] with a [`Sender`] and a
//! [`TaskReceiver`] suffices for most groups of scenarios. The others ask for more:
//!
//! | groups | sender | receiver |
//! |---|---|---|
//! | `readiness` | | `pipes::Readiness` |
//! | `selections`, `selection_queues` | | `pipes::Readiness`, and `pipes::Receive` for its `&mut` |
//! | `streams`, `stream_queues` | | `futures::Stream` |
//! | `sinks`, `sink_queues` | `futures::Sink` | `futures::Stream`, for the latter |
//! | `closing`, `closing_one_by_one`, `closing_queues` | `pipes::Closing` | |
//! | `limited`, `limited_direct`, `buffered`, `offers` | [`LimitedSender`], of a [`Limited`] kind | |
//! | `bounded_streams` | the same, and `futures::Sink` | |
//! | `cloned_senders` | `Clone`, `Sync`, `pipes::Closing` | |
//! | `cloned_receivers` | | `Clone`, `futures::Stream` |
//! | `batches` | `BatchSender` | `BatchReceiver` |
//!
//! `members`, `waiting_senders` and `budget` are about what only the library's channels have.

use crate::{Counted, DropCounter, JoinHandle, Rng, spawn, spin, spin_while};
use pipes::{RecvTimeoutError, SendTimeoutError, TryRecvError, TrySendError};
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::time::Duration;

/// A kind of channel.
pub trait Flavor: Sized + 'static {
    /// Its sender, which closes when it is dropped.
    type Sender: Sender;
    /// Its receiver, which closes when it is dropped.
    type Receiver: Receiver;

    /// For how many messages there is surely room if none is received, unless a send waits for its receiver.
    /// A kind that replaces unread messages keeps this many.
    const ROOM: u64 = 1;

    /// Creates a channel.
    fn channel() -> (Self::Sender, Self::Receiver);
}

/// The sending end of a channel.
pub trait Sender: Send + 'static {
    /// Sends a message. Blocks while there is no room.
    ///
    /// # Errors
    ///
    /// Returns the message if the receiver has left.
    fn send(&mut self, message: Counted) -> Result<(), Counted>;

    /// Returns `true` if the receiver has left.
    fn is_closed(&self) -> bool;
}

/// The receiving end of a channel.
pub trait Receiver: Send + 'static {
    /// Takes the next message. Blocks until there is one. Returns `None` if the senders have left and no
    /// message is left.
    fn recv(&mut self) -> Option<Counted>;

    /// Takes the next message if there is one.
    ///
    /// # Errors
    ///
    /// Says why there is none.
    fn try_recv(&mut self) -> Result<Counted, Missing>;

    /// Takes the next message. Blocks until there is one, or until the time has passed.
    ///
    /// # Errors
    ///
    /// Says why there is none.
    fn recv_timeout(&mut self, timeout: Duration) -> Result<Counted, Missing>;

    /// Returns the number of messages that were replaced before the message that was received last, or `None`
    /// if it does not know the number.
    fn missed(&mut self) -> Option<u64> {
        None
    }
}

/// Why there is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// There is none yet.
    Empty,
    /// There will be none any more.
    Closed,
}

/// Why a message was not sent. It comes back.
#[derive(Debug)]
pub enum Unsent {
    /// There is no room.
    Full(Counted),
    /// The receiver has left.
    Closed(Counted),
}

impl Unsent {
    /// Returns the message.
    pub fn into_message(self) -> Counted {
        let (Unsent::Full(message) | Unsent::Closed(message)) = self;
        message
    }
}

/// A kind of channel that holds a limited number of messages.
pub trait Limited: Flavor<Sender: LimitedSender> {
    /// The number of messages that it holds.
    const CAPACITY: u64;
}

/// A sender that may find no room.
pub trait LimitedSender: Sender {
    /// Sends a message if there is room.
    ///
    /// # Errors
    ///
    /// Returns the message.
    fn try_send(&mut self, message: Counted) -> Result<(), Unsent>;

    /// Sends a message. Blocks until there is room, or until the time has passed.
    ///
    /// # Errors
    ///
    /// Returns the message.
    fn send_timeout(&mut self, message: Counted, timeout: Duration) -> Result<(), Unsent>;

    /// Sends a message. Waits while there is no room.
    fn send_async(&mut self, message: Counted) -> Boxed<'_, Result<(), Counted>>;
}

/// A receiver for tasks.
pub trait TaskReceiver: Receiver {
    /// Takes the next message. Waits until there is one. A receive that is given up leaves its waker, which
    /// the next message calls.
    fn recv_async(&mut self) -> Boxed<'_, Option<Counted>>;
}

/// A future of any type.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Waits until the sender has learned that the receiver has left.
pub fn until_closed(sender: &impl Sender) {
    spin_while(|| !sender.is_closed());
}

/// Sends a message with the number 1 in another thread, because the send may block until the message is
/// received. The thread returns the sender.
pub fn send_elsewhere<F: Flavor>(sender: F::Sender, drops: &DropCounter) -> JoinHandle<F::Sender> {
    send_all_elsewhere::<F>(sender, drops, 1..2)
}

/// Sends messages with these numbers in another thread. The thread returns the sender.
pub fn send_all_elsewhere<F: Flavor>(
    mut sender: F::Sender,
    drops: &DropCounter,
    numbers: Range<u64>,
) -> JoinHandle<F::Sender> {
    let drops = drops.clone();
    spawn(move || {
        for number in numbers {
            assert!(sender.send(drops.make(number)).is_ok());
        }
        sender
    })
}

/// Sends messages with these numbers in another thread, with a pause before each and before the close.
pub fn send_and_close<F: Flavor>(
    mut sender: F::Sender,
    drops: &DropCounter,
    numbers: Range<u64>,
    mut pause: impl FnMut() + Send + 'static,
) -> JoinHandle<()> {
    let drops = drops.clone();
    spawn(move || {
        for number in numbers {
            pause();
            assert!(sender.send(drops.make(number)).is_ok());
        }
        pause();
    })
}

/// Pauses of random lengths, up to this one.
pub fn pauses(seed: u64, longest: u64) -> impl FnMut() + Send {
    let mut random = Rng::with_seed(seed);
    move || spin(random.u64(..longest))
}

impl<R> From<TryRecvError<R>> for Missing {
    fn from(error: TryRecvError<R>) -> Self {
        match error {
            TryRecvError::Empty(_) => Missing::Empty,
            TryRecvError::Closed => Missing::Closed,
        }
    }
}

impl<R> From<RecvTimeoutError<R>> for Missing {
    fn from(error: RecvTimeoutError<R>) -> Self {
        match error {
            RecvTimeoutError::Timeout(_) => Missing::Empty,
            RecvTimeoutError::Closed => Missing::Closed,
        }
    }
}

impl From<TrySendError<Counted>> for Unsent {
    fn from(error: TrySendError<Counted>) -> Self {
        match error {
            TrySendError::Full(message) => Unsent::Full(message),
            TrySendError::Closed(message) => Unsent::Closed(message),
        }
    }
}

impl From<SendTimeoutError<Counted>> for Unsent {
    fn from(error: SendTimeoutError<Counted>) -> Self {
        match error {
            SendTimeoutError::Timeout(message) => Unsent::Full(message),
            SendTimeoutError::Closed(message) => Unsent::Closed(message),
        }
    }
}
