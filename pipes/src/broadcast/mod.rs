//! Channels in which every receiver gets every message.
//!
//! | file | what |
//! |---|---|
//! | `send` | sending, when there may be no room |
//! | `chan`, `port` | the ends |
//! | `arm` | chans in the sending arms of `select!` |
//!
//! # Layers
//!
//! Uses `wait` and `endpoint`, and rings and tokens of `slot`; used by nothing.

mod arm;
mod chan;
mod port;
mod send;

pub use self::arm::BroadcastRequest;
pub use self::chan::{BroadcastChan, LaggingChan};
pub use self::port::{BroadcastPort, Lagged, LaggingPort};
pub use self::send::BroadcastSendFuture;

use crate::slot::{BroadcastReceiver, BroadcastRing, Claimed, Locked};

/// Creates a channel in which every receiver gets every message, and the senders wait for the slowest one: at
/// most `capacity` messages are sent and not yet received by all.
///
/// Clone the [`BroadcastChan`] for more senders. There is one order of all messages, which is the same for
/// each receiver. Clone the [`BroadcastPort`] for a receiver that gets the same messages from here on, or
/// [`subscribe`](BroadcastPort::subscribe) for one that gets those that are sent from now on. In a
/// [`SharedPort`](crate::SharedPort), each message goes to one of the receivers instead.
///
/// Each receiver gets a clone of the message, and one that alone has not received it gets the message itself.
/// So with one receiver, nothing is cloned. While a message is cloned, its place in the channel is kept: a
/// `clone` must not wait for room in the same channel. Two receivers may clone the same message at the same
/// time, so the ends can be sent to other threads only if `T` is `Send` and `Sync`.
///
/// A receiver that is dropped gives up what it has not received, so the senders no longer wait for it. The
/// channel closes when the last sender is dropped; what was sent can still be received. Waiting senders stand
/// in a line, and the one that has waited longest sends first.
///
/// A channel takes two allocations, a message none, and a wait may take one. A send takes a lock for a
/// moment. A receive takes none, unless it wakes a sender that waits.
///
/// The last step of a send is to wake the receivers that wait, and the last step of the last receive of a
/// message is to wake a sender that waits. If the waker of a task panics there, the panic goes on in the
/// thread that sends or receives: the message was sent, or counts as received and is dropped.
///
/// ```
/// let (chan, mut one) = pipes::broadcast(8);
/// let mut two = one.clone();
/// chan.send("to all")?;
/// assert_eq!(one.recv()?, "to all");
/// let mut three = one.subscribe();
/// chan.send("to all three")?;
/// drop(chan);
/// assert!(one.iter().eq(["to all three"]));
/// assert!(two.iter().eq(["to all", "to all three"]));
/// assert!(three.iter().eq(["to all three"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics if the capacity is 0, or exceeds the available address space.
#[doc(alias = "publish")]
#[doc(alias = "bus")]
#[track_caller]
pub fn broadcast<T>(capacity: usize) -> (BroadcastChan<T>, BroadcastPort<T>) {
    assert!(capacity > 0, "`broadcast`: the capacity is 0");
    assert!(
        BroadcastRing::<Claimed<T>>::is_addressable(capacity),
        "`broadcast`: the memory for a capacity of {capacity} cannot be addressed"
    );
    let ring = BroadcastRing::new(capacity);
    let port = BroadcastPort::new(BroadcastReceiver::subscribe(&ring));
    (BroadcastChan::new(ring), port)
}

/// Creates a channel in which every receiver gets every message that it receives in time: the channel keeps
/// the last `capacity` messages, and a send never waits.
///
/// A receiver that is more than `capacity` messages behind gets [`Lagged`] with the number of messages that
/// it has missed, and then goes on at the oldest message that is there. So what a [`LaggingPort`] receives is
/// a `Result<T, Lagged>`. In everything else, the channel is as that of [`broadcast()`](broadcast()).
///
/// A send takes a lock for a moment, and waits neither for receivers nor for a `clone`. A receive takes
/// another lock, which it shares with the other receivers. If a receiver is cloning the message that is about
/// to be overwritten, the new message takes an allocation, and the old one stays for a while: a receiver that
/// has not received it may still get it, although it is more than `capacity` messages behind. If the last two
/// receivers of a message receive it at the same moment, it may stay in the channel until it is overwritten.
///
/// ```
/// use pipes::Lagged;
///
/// let (chan, mut port) = pipes::broadcast_lagging(2);
/// (1..=5).try_for_each(|number| chan.send(number))?;
/// assert_eq!(port.recv()?, Err(Lagged(3)));
/// assert_eq!(port.recv()?, Ok(4));
/// assert_eq!(port.recv()?, Ok(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics if the capacity is 0, or exceeds the available address space.
#[doc(alias = "overflow")]
#[track_caller]
pub fn broadcast_lagging<T>(capacity: usize) -> (LaggingChan<T>, LaggingPort<T>) {
    assert!(capacity > 0, "`broadcast_lagging`: the capacity is 0");
    assert!(
        BroadcastRing::<Locked<T>>::is_addressable(capacity),
        "`broadcast_lagging`: the memory for a capacity of {capacity} cannot be addressed"
    );
    let ring = BroadcastRing::new(capacity);
    let port = LaggingPort::new(BroadcastReceiver::subscribe(&ring));
    (LaggingChan::new(ring), port)
}
