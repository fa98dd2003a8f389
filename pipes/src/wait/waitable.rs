//! Waiting in a thread or in a task, the same for each structure in which one side waits for another.
//!
//! A structure says how a waiter is registered and how it is taken back. This file has the order of the
//! steps, and so the reason why no wake-up is lost. A registration is refused if something has already
//! happened, and each later event finds the waiter, so there is no gap between looking and registering.
//! [`wait_until`] makes sure that there is none between registering and sleeping.

#[cfg(all(test, not(pipes_loom)))]
mod tests;

use super::ends::{AwaitedEnd, Caller, EndInfo, Ends};
use super::park::wait_until;
use super::spin::spin_then_yield;
use super::waiter::Waiter;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

/// The other side has taken the waiter: something has happened, look again.
#[derive(Debug)]
pub(crate) struct Taken;

/// An event for which the owner of a structure can wait: there is a message, there is room, or the other side
/// has left.
pub(crate) trait Waitable {
    /// Returns the address of memory that all ends of the channel share, as the channel's name.
    fn channel(&self) -> usize;

    /// Returns how many messages may come in a row before the other side waits for this one.
    fn most_in_a_row(&self) -> usize;

    /// Returns `true` if at least this number of messages has come behind the first one. Returns `false` if
    /// not, or if that cannot be seen from here. It is a hint: it may look at slots out of order, and what it
    /// sees there decides only how long a wait is.
    fn have_come(&self, _messages: usize) -> bool {
        false
    }

    /// Returns `true` if the event may come soon, so that it pays to look for a moment before the thread
    /// sleeps. For a sender that waits for the receiver to leave, it returns `false`: such a wait is long,
    /// and would teach the thread that looking does not pay.
    fn comes_soon(&self) -> bool {
        true
    }

    /// Returns `true` if the event has come, or if no other side would wake the registered waiter. Threads
    /// call this again and again.
    fn has_come(&self) -> bool;

    /// Returns `true` if the event has come, wherever that can be seen.
    #[inline(always)]
    fn is_ready(&self) -> bool {
        self.has_come()
    }

    /// Called before a thread waits. Returns `true` if the event has come in the meantime.
    fn before_wait(&mut self) -> bool {
        false
    }

    /// Returns `true` if the task of this waker is registered.
    fn is_waiting_as(&self, waker: &Waker) -> bool;

    /// Registers the waiter; none may be registered. Returns the waiter in `Err` if the event has already
    /// come.
    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter>;

    /// Takes back the waiter, if one is registered.
    fn unregister(&mut self) -> Result<Option<Waiter>, Taken>;

    /// Registers the waiter in the place of one that may be registered, which is dropped first: its
    /// destructor is its executor's code. Returns the waiter in `Err` if the event may have come already.
    #[inline(always)]
    fn replace(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        match self.unregister() {
            Ok(earlier) => drop(earlier),
            Err(Taken) => return Err(waiter),
        }
        self.register(waiter)
    }

    /// Takes back the waiter of an owner that gives up, even if the other side has found it, as long as the
    /// other side has not taken it.
    fn take_back(&mut self) -> Option<Waiter> {
        self.unregister().ok().flatten()
    }

    /// Blocks the thread until the event has come. Returns `false` if the deadline passed first. `end`
    /// and `caller` describe the wait to other threads.
    #[inline(always)]
    fn block(&mut self, deadline: Option<Instant>, end: &'static EndInfo, caller: Caller) -> bool
    where
        Self: Sized,
    {
        loop {
            if self.is_ready() || self.before_wait() {
                return true;
            }
            // A thread that was woken for nothing registers again, because no other side wakes it twice.
            if !wait(self, deadline, end, caller) {
                return self.is_ready();
            }
        }
    }

    /// Returns `Ready` if the event has come. Otherwise the task is woken when it comes.
    #[inline(always)]
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()>
    where
        Self: Sized,
    {
        if self.is_ready() { Poll::Ready(()) } else { poll(self, cx) }
    }
}

/// `None` stands for a side that was found to have left: the event has come.
impl<W: Waitable> Waitable for Option<W> {
    fn channel(&self) -> usize {
        self.as_ref().map_or(0, W::channel)
    }

    fn most_in_a_row(&self) -> usize {
        self.as_ref().map_or(1, W::most_in_a_row)
    }

    fn have_come(&self, messages: usize) -> bool {
        self.as_ref().is_some_and(|it| it.have_come(messages))
    }

    fn comes_soon(&self) -> bool {
        self.as_ref().is_some_and(W::comes_soon)
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        self.as_ref().is_none_or(W::has_come)
    }

    #[inline(always)]
    fn is_ready(&self) -> bool {
        self.as_ref().is_none_or(W::is_ready)
    }

    fn before_wait(&mut self) -> bool {
        self.as_mut().is_none_or(W::before_wait)
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        self.as_ref().is_some_and(|it| it.is_waiting_as(waker))
    }

    #[inline(always)]
    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        match self {
            Some(it) => it.register(waiter),
            None => Err(waiter),
        }
    }

    #[inline(always)]
    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        self.as_mut().map_or(Ok(None), W::unregister)
    }

    #[inline(always)]
    fn replace(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        match self {
            Some(it) => it.replace(waiter),
            None => Err(waiter),
        }
    }

    fn take_back(&mut self) -> Option<Waiter> {
        self.as_mut()?.take_back()
    }

    #[inline(always)]
    fn block(&mut self, deadline: Option<Instant>, end: &'static EndInfo, caller: Caller) -> bool {
        match self {
            Some(it) => it.block(deadline, end, caller),
            None => true,
        }
    }

    #[inline(always)]
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.as_mut().map_or(Poll::Ready(()), |it| it.poll(cx))
    }
}

/// Waits in the thread, for an event that has just not come. Returns `false` if the deadline has passed. If
/// it has passed already, the function does nothing.
#[cold]
fn wait(
    waitable: &mut impl Waitable,
    deadline: Option<Instant>,
    end: &'static EndInfo,
    caller: Caller,
) -> bool {
    let awaited = AwaitedEnd { end, channel: waitable.channel() };
    wait_for(waitable, deadline, &awaited, caller)
}

/// Waits like [`Waitable::block`], for an event that has just not come. `ends` describes the wait.
pub(crate) fn wait_for(
    waitable: &mut impl Waitable,
    deadline: Option<Instant>,
    ends: &dyn Ends,
    caller: Caller,
) -> bool {
    if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        return false;
    }
    // A task may still be registered from an earlier poll; the thread replaces it.
    if waitable.unregister().is_err() {
        return true;
    }
    if waitable.comes_soon() && look_for_a_moment(waitable) {
        return true;
    }
    let mut registered = false;
    let come = wait_until(
        caller,
        ends,
        || deadline,
        |cx| {
            let has_come = if registered {
                waitable.has_come()
            } else {
                registered = true;
                waitable.register(Waiter::of(cx)).is_err()
            };
            if has_come { Poll::Ready(()) } else { Poll::Pending }
        },
    );
    come.is_some() || waitable.unregister().is_err()
}

/// Returns `true` if the event comes within a short time.
fn look_for_a_moment(waitable: &impl Waitable) -> bool {
    let most = waitable.most_in_a_row();
    spin_then_yield(most, || waitable.has_come(), |messages| waitable.have_come(messages))
}

/// Registers the task for an event that has just not come. Returns `Ready` if it has come since.
#[inline(never)]
fn poll(waitable: &mut impl Waitable, cx: &mut Context<'_>) -> Poll<()> {
    if waitable.is_waiting_as(cx.waker()) {
        return Poll::Pending;
    }
    // A waker's `clone` is its executor's code: it is called before anything changes.
    let waiter = Waiter::of(cx);
    if waitable.replace(waiter).is_ok() { Poll::Pending } else { Poll::Ready(()) }
}
