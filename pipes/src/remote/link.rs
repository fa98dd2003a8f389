//! What is known about a session with another program.

use super::fault::Fault;
use super::peer::Peer;
use crate::blocking::block_until;
use crate::sync::WakeArc;
use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// What is known about a session with another program: who the peer is, and why the session ended.
///
/// The methods of an endpoint report only that the other side has gone. A link says why. The cause is set
/// before the endpoint closes.
///
/// A clone is the same link. It does not keep the session open.
#[derive(Clone)]
pub struct Link(WakeArc<dyn Linked>);

/// Why a session with another program has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Cause {
    /// The session has not ended.
    Open,
    /// The session has ended with a last message of its protocol. If this side has sent it, the other program
    /// has confirmed it.
    Ended,
    /// The other side has dropped its endpoint, or has panicked. All that it sent before has arrived.
    Left,
    /// This side has dropped its endpoint.
    LeftHere,
    /// The connection broke, or ended without a closing handshake. Perhaps the other program was killed. What
    /// was sent and not answered may have arrived, or not.
    Broken(WakeArc<io::Error>),
    /// Nothing was received for this time, not even a heartbeat. What was sent and not answered may have
    /// arrived, or not.
    Silent(Duration),
    /// The two programs do not understand each other.
    Fault(Fault),
}

/// The error of [`Link::delivered`]: not everything that was sent is known to have arrived.
#[derive(Clone, Debug)]
pub struct NotDelivered {
    cause: Cause,
}

/// What a [`Link`] shows. A pump implements this.
pub trait Linked: fmt::Debug + Send + Sync {
    /// Returns why the session has ended, or [`Cause::Open`]. It is set before the endpoint closes.
    fn cause(&self) -> Cause;

    /// Returns who is at the other end.
    fn peer(&self) -> &Peer;

    /// Asks whether the other pump has received everything that was sent before this call. Returns the number
    /// of the question.
    fn ask_delivered(&self) -> u64;

    /// Polls for the answer to a question. The task is woken when there is an answer, or when there will be
    /// none.
    fn poll_delivered(&self, question: u64, cx: &mut Context<'_>) -> Poll<Result<(), NotDelivered>>;

    /// Drops a question. Its task is no longer woken.
    fn forget(&self, question: u64);
}

/// A question. Dropping it makes the pump forget it.
struct Asked<'a> {
    linked: &'a dyn Linked,
    question: u64,
}

impl Link {
    /// Creates a link from what a pump shows.
    pub fn new(linked: impl Linked + 'static) -> Self {
        Link(WakeArc::new(linked))
    }

    /// Returns why the session has ended, or [`Cause::Open`]. Never blocks.
    ///
    /// The cause is known before the endpoint closes.
    pub fn cause(&self) -> Cause {
        self.0.cause()
    }

    /// Returns who is at the other end. Never blocks.
    ///
    /// A peer can be compared, and be the key of a map; see [`Peer`] for when two peers are equal.
    pub fn peer(&self) -> &Peer {
        self.0.peer()
    }

    /// Waits until the other program has received everything that was sent so far, for at most `timeout`.
    ///
    /// Blocks the thread; in a task, use [`delivered_async`](Link::delivered_async) instead.
    ///
    /// A send that succeeds only gives its message to the connection. The other program confirms what it has
    /// received by its next message, and when the session ends. So use this after the last message, or after
    /// the endpoint was dropped, and before the process ends. In the middle of a session, this waits for the
    /// other side's next message.
    ///
    /// If the other *program* has a message, its code need not have received it yet. Only an answer proves
    /// that.
    ///
    /// # Errors
    ///
    /// The session has ended without a confirmation, or the time has passed.
    pub fn delivered(&self, timeout: Duration) -> Result<(), NotDelivered> {
        let (deadline, asked) = (Instant::now().checked_add(timeout), Asked::new(&*self.0));
        let delivered = block_until(|| deadline, |cx| asked.poll(cx));
        delivered.unwrap_or_else(|| Err(NotDelivered::new(self.cause())))
    }

    /// Waits, in a task, until the other program has received everything that was sent so far; see
    /// [`delivered`](Link::delivered).
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe, because it changes nothing.
    ///
    /// # Errors
    ///
    /// The session has ended without a confirmation.
    pub async fn delivered_async(&self) -> Result<(), NotDelivered> {
        let asked = Asked::new(&*self.0);
        poll_fn(|cx| asked.poll(cx)).await
    }
}

impl<'a> Asked<'a> {
    fn new(linked: &'a dyn Linked) -> Self {
        Asked { linked, question: linked.ask_delivered() }
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<Result<(), NotDelivered>> {
        self.linked.poll_delivered(self.question, cx)
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.linked.forget(self.question);
    }
}

impl NotDelivered {
    /// Creates the error for a session with this cause.
    pub fn new(cause: Cause) -> Self {
        NotDelivered { cause }
    }

    /// Returns why the session has ended, or [`Cause::Open`].
    pub fn cause(&self) -> &Cause {
        &self.cause
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Open => f.write_str("the session is open"),
            Cause::Ended => f.write_str("the session has ended"),
            Cause::Left => f.write_str("the other side has dropped its endpoint"),
            Cause::LeftHere => f.write_str("this side has dropped its endpoint"),
            Cause::Broken(error) => write!(f, "the connection broke: {error}"),
            Cause::Silent(time) => write!(f, "nothing was heard of the other side for {time:?}"),
            Cause::Fault(fault) => write!(f, "the session has failed: {fault}"),
        }
    }
}

impl fmt::Display for NotDelivered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not everything is known to have arrived: {}", self.cause)
    }
}

impl Error for NotDelivered {}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("peer", self.peer()).field("cause", &self.cause()).finish()
    }
}
