//! Endpoints: the methods on top of the slots. From here up all code is safe.
//!
//! A protocol's own endpoint types wrap [`Endpoint`] and have the methods of their states; the receiving
//! verbs come from one macro, [`endpoint!`](crate::__endpoint), so that they are the same everywhere.
//!
//! # Layers
//!
//! Uses `wait` and `slot`; used by all that is above it, and by generated code.

mod any_macro;
mod closing;
mod conversions;
mod error;
mod in_state;
mod macros;
mod member;
mod port_macros;
mod receive;
mod send_arm;
mod send_error;
mod session_error;
mod states_macro;

pub use self::closing::{ClosedFuture, Closing};
pub use self::error::{Closed, RecvError, RecvOrError, RecvTimeoutError, SendError, SetEmpty, TryRecvError};
pub use self::in_state::InState;
pub(crate) use self::member::turn_of_port;
pub use self::member::{Member, Sealed, turn};
pub(crate) use self::port_macros::{__port_inside, __port_verbs};
pub use self::receive::{Readiness, ReadyFuture, Receive, RecvFuture};
pub(crate) use self::receive::{recv_or, would_complete};
pub use self::send_arm::{SendArm, SendRequest};
pub use self::send_error::{SendTimeoutError, TrySendError};
pub(crate) use self::session_error::{__from_receiver_errors, Event};
pub use self::session_error::{SessionError, SessionErrorKind};

use crate::slot::{
    Endpoint, Received, Role, SentBy, State, Token, is_client, register_token, unregister_token,
};
use crate::wait::{Awaited, EndInfo, EndList, Side, Waitable};
use std::panic::Location;
use std::task::{Context, Poll};
use std::time::Instant;

impl<R: Role, S: State<Sender = R>> Closing for Endpoint<R, S> {
    fn is_closed(&self) -> bool {
        self.receiver_has_left()
    }

    #[inline]
    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.closing().poll(cx)
    }

    fn closing_end(&self, list: &mut EndList) {
        list.add(const { &end::<R, S>(Awaited::Close) }, self.channel());
    }

    #[inline]
    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool {
        self.closing().block(deadline, const { &end::<R, S>(Awaited::Close) }, Location::caller())
    }
}

impl<R: Role, S: SentBy<R::Dual>> Receive for Endpoint<R, S> {
    type Message = S;

    #[inline(always)]
    fn try_recv(self) -> Result<S, TryRecvError<Self>> {
        match self.find() {
            Received::Message(message) => Ok(message.take()),
            Received::Nothing(endpoint) => Err(TryRecvError::Empty(endpoint)),
            Received::Closed => Err(TryRecvError::Closed),
        }
    }
}

impl<R: Role, S: SentBy<R::Dual>> Readiness for Endpoint<R, S> {
    #[inline]
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.waiting().poll(cx)
    }

    #[inline]
    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.waiting().block(deadline, const { &end::<R, S>(Awaited::Message) }, Location::caller())
    }

    fn is_ready(&self) -> bool {
        self.peek() == Some(true)
    }

    fn is_closed(&self) -> bool {
        self.peek() == Some(false)
    }

    fn would_block(&self) -> bool {
        self.peek().is_none()
    }

    fn ends(&self, list: &mut EndList) {
        list.add(const { &end::<R, S>(Awaited::Message) }, self.channel());
    }
}

/// Describes an endpoint.
const fn end<R: Role, S: State>(awaited: Awaited) -> EndInfo {
    let (noun, side) = if is_client::<R>() { ("Client", Side::First) } else { ("Server", Side::Second) };
    EndInfo::in_state::<S>(noun, awaited, side, S::INFO)
}

impl<R: Role, S: SentBy<R::Dual>> Sealed for Endpoint<R, S> {}

impl<R: Role, S: SentBy<R::Dual>> Member for Endpoint<R, S> {
    type Message = S;

    #[inline]
    fn turn(place: &mut Option<Self>) -> Option<Result<S, Closed>> {
        turn(place)
    }

    #[inline]
    fn register_token(&mut self, token: Token) -> Result<(), Token> {
        register_token(&mut self.waiting(), token)
    }

    fn unregister_token(&mut self) -> Option<Token> {
        unregister_token(&mut self.waiting())
    }
}
