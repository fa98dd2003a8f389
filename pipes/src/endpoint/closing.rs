//! The verbs of whoever asks, or waits, while it is its turn to send, for the other side to leave.

use super::future::WaitClosed;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A sending end that can wait until the other side has left: a chan, or an endpoint of a protocol whose turn it is to send.
///
/// Who works on a long answer may want to stop when nobody is there to read it. The verbs borrow the end. When they are done or
/// given up it is as good as before: it can send, if the other side is still there, and be dropped.
///
/// Chans have these verbs as methods of their own. Endpoints of protocols have the protocol's messages as methods, which may be
/// called anything, and so these come from here: `use pipes::Closing`. If a message of the state is called `closed` as well, the
/// method is the message, and the verb is `Closing::closed(&mut endpoint)`.
///
/// ```
/// use pipes::Closing;
/// use std::time::Duration;
///
/// pipes::proto! {
///     digging { asked: send { dig -> digging } digging: recv { found(u32) -> ! } }
/// }
///
/// let (client, server) = digging::pipe();
/// let client = client.dig()?;
/// let digging::Asked::Dig(mut server) = server.recv()?;
/// assert!(!server.is_closed(), "somebody waits for what is found");
/// assert!(!server.wait_closed_timeout(Duration::from_millis(1)), "and goes on to");
///
/// drop(client);
/// server.wait_closed();
/// assert_eq!(server.found(7).expect_err("nobody waits any more").into_payload(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has nothing to send: a close is what a receive finds",
    label = "this is not a sending end"
)]
pub trait Closing {
    /// Has the other side left? `true` stays true; `false` may be old news at once.
    fn is_closed(&self) -> bool;

    /// Ready when the other side has left. Until then the task is woken when that changes; of several polls the last one's
    /// waker counts.
    fn poll_closed(&mut self, cx: &mut Context<'_>) -> Poll<()>;

    /// Blocks the thread until the other side has left. False if the deadline passed first.
    fn wait_closed_until(&mut self, deadline: Option<Instant>) -> bool;

    /// Blocks the thread until the other side has left. What was sent and not received is gone by then, with everything inside.
    fn wait_closed(&mut self) {
        self.wait_closed_until(None);
    }

    /// Blocks the thread for at most this long. True: the other side has left.
    ///
    /// A time too long for the clock to count is for ever; no time at all is a mere look.
    fn wait_closed_timeout(&mut self, timeout: Duration) -> bool {
        self.wait_closed_until(Instant::now().checked_add(timeout))
    }

    /// Waits, in a task, until the other side has left. Dropping the future loses nothing: it is cancel-safe.
    fn closed(&mut self) -> WaitClosed<'_, Self>
    where
        Self: Sized,
    {
        WaitClosed::new(self)
    }
}
