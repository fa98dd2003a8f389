//! One error for the code of a whole session.

use super::error::{Closed, RecvError, SendError, SetEmpty};
use super::in_state::InState;
use super::send_error::{SendTimeoutError, TrySendError};
use crate::state_info::StateInfo;
use std::error::Error;
use std::fmt;
use std::panic::Location;

/// Why a session did not go on: what every error of a send or a receive converts into.
///
/// In a function that returns it, `?` works after each step, whatever the payloads and the states are:
///
/// ```
/// # #[cfg(feature = "proto")] {
/// use pipes::SessionError;
/// use std::time::Duration;
///
/// pipes::proto! {
///     shop {
///         idle: send { report(u32) -> idle, order(u32) -> printing }
///         printing: recv { receipt(String) -> idle }
///     }
/// }
/// use shop::{Client, Idle, Printing};
///
/// fn session(client: Client<Idle>) -> Result<String, SessionError> {
///     let client = client.report(1)?.order(7)?;
///     let Printing::Receipt(receipt, _) = client.recv_timeout(Duration::from_secs(9))?;
///     Ok(receipt)
/// }
///
/// let (client, server) = shop::pipe();
/// std::thread::spawn(move || {
///     let Ok(Idle::Report(_, server)) = server.recv() else { return };
///     let Ok(Idle::Order(_, server)) = server.recv() else { return };
///     drop(server);
/// });
/// let error = session(client).expect_err("there is no receipt");
/// assert!(error.is_closed());
/// assert_eq!(error.to_string(), "shop: the server left in `printing`");
/// # }
/// ```
///
/// It keeps nothing of the error that it is made of: the payload of a send that failed is dropped, and so is
/// the endpoint of a receive that was given up, which closes the session. To keep them, match on the error of
/// that step instead.
///
/// # What it knows
///
/// [`kind`](Self::kind) says what has happened, and [`location`](Self::location) where in the source.
///
/// The [protocol](Self::protocol), the [state](Self::state) and the [side](Self::side) are known for
/// `try_recv`, `recv_timeout`, `recv_deadline` and `recv_or` of a `Client` or a `Server`. For those of an
/// endpoint in any state, they are known unless the other side has left. They are unknown after a
/// [`SendError`], [`RecvError`], [`Closed`] or [`SetEmpty`], which have no room for them, so for all
/// messages, for `recv` and for `.await`; and for channels, which have no states. Then the text says the
/// location instead: "the sender left, at src/shop.rs:14:30".
#[derive(Clone)]
pub struct SessionError {
    event: Event,
    /// The state in which it was to receive.
    state: Option<&'static StateInfo>,
    location: &'static Location<'static>,
}

/// What kind of thing has kept a session from going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SessionErrorKind {
    /// The other side has left, or a set has no members left.
    Closed,
    /// Nothing was sent in time, or there was no room in time.
    Timeout,
    /// A step that does not wait would have had to.
    WouldBlock,
    /// The other future of a `recv_or` was ready first. It may be a timer, or a signal to stop.
    Interrupted,
}

/// What has happened.
#[derive(Clone, Copy)]
pub(crate) enum Event {
    ReceiverLeft,
    SenderLeft,
    NoMembers,
    NothingYet,
    NothingInTime,
    NothingFirst,
    NoRoom,
    NoRoomInTime,
}

impl SessionError {
    #[track_caller]
    pub(crate) fn new(event: Event, state: Option<&'static StateInfo>) -> Self {
        SessionError { event, state, location: Location::caller() }
    }

    /// Returns what kind of thing has happened.
    ///
    /// ```
    /// use pipes::{SessionError, SessionErrorKind};
    ///
    /// let (_chan, mut port) = pipes::stream::<u32>();
    /// let error = SessionError::from(port.try_recv().expect_err("nothing was sent"));
    /// assert_eq!(error.kind(), SessionErrorKind::WouldBlock);
    /// ```
    pub fn kind(&self) -> SessionErrorKind {
        match self.event {
            Event::ReceiverLeft | Event::SenderLeft | Event::NoMembers => SessionErrorKind::Closed,
            Event::NothingInTime | Event::NoRoomInTime => SessionErrorKind::Timeout,
            Event::NothingYet | Event::NoRoom => SessionErrorKind::WouldBlock,
            Event::NothingFirst => SessionErrorKind::Interrupted,
        }
    }

    /// Returns `true` if the other side has left, or a set has no members left.
    pub fn is_closed(&self) -> bool {
        self.kind() == SessionErrorKind::Closed
    }

    /// Returns `true` if a timeout or a deadline has passed.
    ///
    /// A `recv_or` with a timer is [interrupted](SessionErrorKind::Interrupted) instead, because it does not
    /// know what the other future is.
    pub fn is_timeout(&self) -> bool {
        self.kind() == SessionErrorKind::Timeout
    }

    /// Returns the name of the protocol, if it is [known](Self#what-it-knows).
    pub fn protocol(&self) -> Option<&'static str> {
        self.state.map(|state| state.protocol)
    }

    /// Returns the state in which the session did not go on, if it is [known](Self#what-it-knows).
    pub fn state(&self) -> Option<&'static StateInfo> {
        self.state
    }

    /// Returns the side that has this error, `"client"` or `"server"`, if it is [known](Self#what-it-knows).
    /// The other one has left, or was too slow.
    pub fn side(&self) -> Option<&'static str> {
        self.state.map(StateInfo::receiver)
    }

    /// Returns the place in the source where the error was converted: for `?`, the beginning of the
    /// expression in front of it.
    pub fn location(&self) -> &'static Location<'static> {
        self.location
    }
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = match self.event {
            Event::ReceiverLeft => "the receiver left",
            Event::SenderLeft => "the sender left",
            Event::NoMembers => "the set has no members",
            Event::NothingYet => "nothing was sent yet",
            Event::NothingInTime => "nothing was sent in time",
            Event::NothingFirst => "nothing was sent before the other future was ready",
            Event::NoRoom => "there is no room",
            Event::NoRoomInTime => "there was no room in time",
        };
        match (self.state, self.event) {
            (Some(state), Event::SenderLeft) => {
                write!(f, "{}: the {} left in `{}`", state.protocol, state.sender, state.name)
            }
            (Some(state), _) => write!(f, "{}: {event} in `{}`", state.protocol, state.name),
            (None, _) => write!(f, "{event}, at {}", self.location),
        }
    }
}

impl fmt::Debug for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("SessionError");
        fields.field("kind", &self.kind());
        if let Some(state) = self.state {
            fields.field("protocol", &state.protocol).field("state", &state.name);
            fields.field("side", &state.receiver());
        }
        fields.field("location", &format_args!("{}", self.location)).finish()
    }
}

impl Error for SessionError {}

/// The payload is dropped. The state is unknown.
impl<P> From<SendError<P>> for SessionError {
    #[track_caller]
    fn from(_: SendError<P>) -> Self {
        SessionError::new(Event::ReceiverLeft, None)
    }
}

/// The value is dropped.
impl<T> From<TrySendError<T>> for SessionError {
    #[track_caller]
    fn from(error: TrySendError<T>) -> Self {
        SessionError::new(if error.is_closed() { Event::ReceiverLeft } else { Event::NoRoom }, None)
    }
}

/// The value is dropped.
impl<T> From<SendTimeoutError<T>> for SessionError {
    #[track_caller]
    fn from(error: SendTimeoutError<T>) -> Self {
        SessionError::new(if error.is_closed() { Event::ReceiverLeft } else { Event::NoRoomInTime }, None)
    }
}

/// The state is unknown.
impl From<RecvError> for SessionError {
    #[track_caller]
    fn from(RecvError: RecvError) -> Self {
        SessionError::new(Event::SenderLeft, None)
    }
}

/// The state is unknown.
impl From<Closed> for SessionError {
    #[track_caller]
    fn from(Closed: Closed) -> Self {
        SessionError::new(Event::SenderLeft, None)
    }
}

/// The state is unknown.
impl From<SetEmpty> for SessionError {
    #[track_caller]
    fn from(SetEmpty: SetEmpty) -> Self {
        SessionError::new(Event::NoMembers, None)
    }
}

/// Implements the conversions of the errors that return the receiver `$receiver`. `$closed` is the state of
/// a receiver that has closed, and `$kept` the function that gives the state of one that is given back.
macro_rules! __from_receiver_errors {
    ([$($generics:tt)*] $receiver:ty, closed $closed:expr, kept $kept:expr) => {
        $crate::endpoint::__from_receiver_errors! {
            @ [$($generics)*] TryRecvError<$receiver>, Empty($kept) NothingYet, $closed
        }
        $crate::endpoint::__from_receiver_errors! {
            @ [$($generics)*] RecvTimeoutError<$receiver>, Timeout($kept) NothingInTime, $closed
        }
        $crate::endpoint::__from_receiver_errors! {
            @ [__Other, $($generics)*] RecvOrError<$receiver, __Other>, Other($kept, _) NothingFirst, $closed
        }
    };
    (
        @ [$($generics:tt)*] $error:ident<$receiver:ty $(, $output:ident)?>,
        $back:ident($kept:expr $(, $other:tt)?) $event:ident, $closed:expr
    ) => {
        /// What the error contains is dropped; an endpoint is closed by that.
        impl<$($generics)*> From<$crate::endpoint::$error<$receiver $(, $output)?>> for $crate::SessionError {
            #[track_caller]
            fn from(error: $crate::endpoint::$error<$receiver $(, $output)?>) -> Self {
                use $crate::endpoint::{$error, Event};
                match error {
                    $error::$back(receiver $(, $other)?) => Self::new(Event::$event, $kept(&receiver)),
                    $error::Closed => Self::new(Event::SenderLeft, $closed),
                }
            }
        }
    };
}
pub(crate) use __from_receiver_errors;

__from_receiver_errors! { [E: InState] E, closed E::STATE, kept |end: &E| Some(end.state().into()) }
__from_receiver_errors! { [] (), closed None, kept |(): &()| None }
