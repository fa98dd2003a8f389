//! What a sleeping thread waits for, as data: ends of channels, and what is to happen there.

use crate::state_info::StateInfo;
use std::any::type_name;
use std::panic::Location;

/// A line of the source, mostly one of the user's.
pub(crate) type Caller = &'static Location<'static>;

/// What ends a wait at an end of a channel or a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Awaited {
    /// There is a message, or the other side has left.
    Message,
    /// There is room for a message, or the other side has left.
    Room,
    /// The other side has left.
    Close,
}

/// The two sides of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    /// The client of a session, or the senders.
    First = 0,
    /// The server of a session, or the receivers.
    Second = 1,
}

impl Side {
    pub(crate) fn other(self) -> Self {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// What is known of an end from its type alone.
#[derive(Debug)]
pub(crate) struct EndInfo {
    /// The end's type without its path and its parameters, such as `Port`.
    pub(crate) noun: &'static str,
    /// Returns the name of the parameter: the type of the messages, or the state.
    pub(crate) parameter: fn() -> &'static str,
    pub(crate) awaited: Awaited,
    pub(crate) side: Side,
    /// The state of an end of a session.
    pub(crate) state: Option<&'static StateInfo>,
}

impl EndInfo {
    /// Describes a receiver of messages of type `T` that waits for one.
    pub(crate) const fn receiver<T>(noun: &'static str) -> Self {
        EndInfo {
            noun,
            parameter: type_name::<T>,
            awaited: Awaited::Message,
            side: Side::Second,
            state: None,
        }
    }

    /// Describes a sender of messages of type `T`.
    pub(crate) const fn sender<T>(noun: &'static str, awaited: Awaited) -> Self {
        EndInfo { noun, parameter: type_name::<T>, awaited, side: Side::First, state: None }
    }

    /// Describes an end of a session in the state `S`.
    pub(crate) const fn in_state<S>(
        noun: &'static str,
        awaited: Awaited,
        side: Side,
        state: &'static StateInfo,
    ) -> Self {
        EndInfo { noun, parameter: type_name::<S>, awaited, side, state: Some(state) }
    }
}

/// An end for which a thread waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AwaitedEnd {
    pub(crate) end: &'static EndInfo,
    /// The address of memory that all ends of the channel share. It is only a name: it is not dereferenced.
    pub(crate) channel: usize,
}

/// The ends for which a thread waits. Any of them ends the wait.
pub(crate) trait Ends {
    /// Adds each end to the list.
    ///
    /// Another thread calls this while the owner sleeps. So it runs no code of the user, takes no lock that
    /// a thread holds while it sleeps, and reads only what no other thread changes meanwhile.
    fn list(&self, ends: &mut EndList);
}

/// A list of ends for which a thread waits.
#[derive(Clone, Debug, Default)]
pub struct EndList {
    pub(crate) ends: Vec<AwaitedEnd>,
    /// Something else ends the wait as well, of which only this is known.
    pub(crate) other: Option<&'static str>,
}

impl EndList {
    pub(crate) fn add(&mut self, end: &'static EndInfo, channel: usize) {
        self.ends.push(AwaitedEnd { end, channel });
    }

    /// Adds something else, such as `a future`.
    pub(crate) fn add_other(&mut self, what: &'static str) {
        self.other = Some(what);
    }
}

/// A wait for something that is no end of a channel, such as `a future`.
pub(crate) struct Other(pub(crate) &'static str);

impl Ends for Other {
    fn list(&self, ends: &mut EndList) {
        ends.add_other(self.0);
    }
}

impl Ends for AwaitedEnd {
    fn list(&self, ends: &mut EndList) {
        ends.add(self.end, self.channel);
    }
}

impl Ends for EndList {
    fn list(&self, ends: &mut EndList) {
        ends.ends.extend_from_slice(&self.ends);
        ends.other = ends.other.or(self.other);
    }
}
