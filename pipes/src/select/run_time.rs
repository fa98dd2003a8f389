//! Selections that are built at run time.

use super::{choose_now, choose_until, deadline_after, poll_choose};
use crate::endpoint::Readiness;
use crate::wait::PendingWait;
use std::fmt;
use std::future::{Future, poll_fn};
use std::task::Poll;
use std::time::{Duration, Instant};

/// A selection that is built at run time: the first that is ready of any number of receivers and of requests
/// for room, of any types.
///
/// Each is borrowed and gets an index. The selection waits until one is ready, and returns its index. It does
/// not receive or send: do that with the end itself, which does not block then.
///
/// ```
/// use pipes::{Select, SendRequest};
///
/// let (mut words, mut words_port) = pipes::stream();
/// let (number, mut number_port) = pipes::oneshot::<u32>();
/// let (chan, _full) = pipes::shared_sync_stream(1);
/// chan.send(1)?;
/// words.send("hello")?;
///
/// let mut request = chan.request_room();
/// let mut select = Select::new();
/// let word = select.add(&mut words_port);
/// let numbers = select.add(&mut number_port);
/// let room = select.add(&mut request);
///
/// match select.wait() {
///     Some(index) if index == word => assert_eq!(words_port.recv(), Ok("hello")),
///     Some(index) if index == numbers => drop(number_port.recv()),
///     Some(index) if index == room => request.send(2)?,
///     _ => unreachable!("there is something to wait for"),
/// }
/// # drop(number);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An end is in use until the selection is no longer used, so a loop builds a selection in each round; leave
/// out what is not to be waited for. Receivers are endpoints whose turn it is to receive, ports and
/// [`PortSet`](crate::PortSet)s. To send, request room with
/// [`Chan::request_room`](crate::Chan::request_room),
/// [`SharedChan::request_room`](crate::SharedChan::request_room) or
/// [`BroadcastChan::request_room`](crate::BroadcastChan::request_room), and send with the request. Drop a
/// request before you wait for something else: room that it has been granted is kept for it.
///
/// Ends in boxes are borrowed from them:
///
/// ```
/// use pipes::{Readiness, Select};
///
/// let (mut chan, port) = pipes::stream();
/// let (_silent, once) = pipes::oneshot::<u32>();
/// chan.send("hello")?;
///
/// let mut ends: Vec<Box<dyn Readiness + Send>> = vec![Box::new(once), Box::new(port)];
/// let mut select = Select::new();
/// for end in &mut ends {
///     select.add(&mut **end);
/// }
/// assert_eq!(select.wait(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// If the number and the types are known when you write the program, use [`select!`](crate::select!). For
/// many receivers of one type use a set, which may be one of the receivers here.
///
/// # Fairness and cost
///
/// Each of those that are ready is chosen with the same probability; see [`biased`](Select::biased) for
/// another order. A wait looks at each: O(n). It allocates no memory, except where several may wait for the
/// same: at a port of a broadcast or a watch, and for room that other senders want. `add` allocates as
/// `Vec::push` does.
#[must_use = "a selection does nothing unless it is waited for"]
pub struct Select<'a> {
    arms: Vec<&'a mut Arm<'a>>,
    /// The indices of all arms.
    all: Vec<usize>,
    biased: bool,
}

/// What can be waited for. It is `Send`, so that a task may wait that moves between threads.
type Arm<'a> = dyn Readiness + Send + 'a;

impl<'a> Select<'a> {
    /// Creates an empty selection.
    pub const fn new() -> Self {
        Select { arms: Vec::new(), all: Vec::new(), biased: false }
    }

    /// Creates an empty selection that looks at what was added in that order, and chooses the first that is
    /// ready.
    ///
    /// What is always ready starves what was added after it. So is a port whose sender has left.
    ///
    /// ```
    /// let (mut urgent, mut first) = pipes::stream();
    /// let (mut ordinary, mut second) = pipes::stream();
    /// ordinary.send("later")?;
    /// urgent.send("now")?;
    ///
    /// let mut select = pipes::Select::biased();
    /// select.add(&mut first);
    /// select.add(&mut second);
    /// assert_eq!(select.wait(), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn biased() -> Self {
        Select { arms: Vec::new(), all: Vec::new(), biased: true }
    }

    /// Adds a receiver or a request for room, and returns its index: the number of those that were added
    /// before.
    pub fn add(&mut self, arm: &'a mut (dyn Readiness + Send + 'a)) -> usize {
        let index = self.arms.len();
        self.arms.push(arm);
        self.all.push(index);
        index
    }

    /// Waits until one is ready, and returns its index; `None` if nothing was added.
    ///
    /// Blocks the thread; in a task, use [`wait_async`](Select::wait_async) instead.
    #[track_caller]
    pub fn wait(&mut self) -> Option<usize> {
        self.wait_until_deadline(None)
    }

    /// Returns the index of one that is ready; `None` if none is. Never blocks.
    ///
    /// ```
    /// let (mut chan, mut port) = pipes::stream();
    /// assert_eq!(pipes::Select::new().try_wait(), None);
    ///
    /// let mut select = pipes::Select::new();
    /// let index = select.add(&mut port);
    /// assert_eq!(select.try_wait(), None);
    /// chan.send(1)?;
    /// assert_eq!(select.try_wait(), Some(index));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_wait(&mut self) -> Option<usize> {
        if self.biased {
            choose_now::<true, _>(&mut self.arms, &mut self.all)
        } else {
            choose_now::<false, _>(&mut self.arms, &mut self.all)
        }
    }

    /// Waits until one is ready, for at most `timeout`, and returns its index. Returns `None` if none was
    /// ready in time, and at once if nothing was added.
    ///
    /// Blocks the thread; in a task, use [`wait_async`](Select::wait_async) under a timeout instead.
    ///
    /// A timeout too long for the clock waits forever.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let (_chan, mut port) = pipes::stream::<u32>();
    /// let mut select = pipes::Select::new();
    /// select.add(&mut port);
    /// assert_eq!(select.wait_timeout(Duration::from_millis(1)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn wait_timeout(&mut self, timeout: Duration) -> Option<usize> {
        self.wait_until_deadline(deadline_after(timeout))
    }

    #[track_caller]
    fn wait_until_deadline(&mut self, deadline: Option<Instant>) -> Option<usize> {
        if self.arms.is_empty() {
            None
        } else if self.biased {
            choose_until::<true, _>(&mut self.arms, &mut self.all, deadline)
        } else {
            choose_until::<false, _>(&mut self.arms, &mut self.all, deadline)
        }
    }

    /// Waits, in a task, until one is ready, and returns its index; `None` if nothing was added.
    ///
    /// From time to time the future gives way to other tasks, although one is ready; see
    /// [`Receive`](crate::Receive#blocking-async-or-both).
    ///
    /// ```
    /// # futures::executor::block_on(async {
    /// let (chan, mut port) = pipes::oneshot();
    /// std::thread::spawn(move || chan.send("from a thread"));
    /// let mut select = pipes::Select::new();
    /// select.add(&mut port);
    /// assert_eq!(select.wait_async().await, Some(0));
    /// assert_eq!(port.try_recv().ok(), Some("from a thread"));
    /// # });
    /// ```
    ///
    /// # Cancel safety
    ///
    /// Cancel-safe: the future borrows the selection, and receives and sends nothing.
    #[track_caller]
    pub fn wait_async(&mut self) -> impl Future<Output = Option<usize>> + Send + use<'_, 'a> {
        let mut wait = PendingWait::new();
        poll_fn(move |cx| {
            let chosen = if self.arms.is_empty() {
                return Poll::Ready(None);
            } else if self.biased {
                poll_choose::<true, _>(&mut self.arms, &mut self.all, &mut wait, cx)
            } else {
                poll_choose::<false, _>(&mut self.arms, &mut self.all, &mut wait, cx)
            };
            chosen.map(Some)
        })
    }
}

impl Default for Select<'_> {
    fn default() -> Self {
        Select::new()
    }
}

impl fmt::Debug for Select<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Select").field("len", &self.arms.len()).field("biased", &self.biased).finish()
    }
}
