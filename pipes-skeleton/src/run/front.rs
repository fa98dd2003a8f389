//! The front of a stage with replicas: free replicas take their items from it.
//!
//! One replica at a time holds the port. It takes the next item and, if more are there, a run of those behind
//! it, which costs little more than one item; then it puts the port back and begins to work. Other replicas
//! can reach the run: a replica that holds the port and finds no item there takes the first half of another's
//! run, and if there is always an item, each replica does so now and then ([`TAKE_OVER`]). So no item waits
//! for one particular replica while the user's code runs there for another item, however long that takes. And
//! no replica sleeps at the port while a run is left, because only the replica that holds the port takes new
//! runs from it, and runs are divided under the door's lock.
//!
//! The other replicas sleep. Waking one of them may take longer than an item, so a replica does it only if it
//! expects to work for longer than that on its run. Otherwise it relies on the *sentry*: one of the sleeping
//! replicas, which wakes up by itself after a moment ([`SENTRY_SLEEP`]) and looks for work.

use super::crew::{Crew, Halted};
use super::recv::{Unlimited, recv_later};
use crate::envelope::Envelope;
use crate::sync::{Arc, Lock, nanoseconds, step_aside};
use pipes::{Port, TryRecvError, block_until};
use std::cell::Cell;
use std::collections::VecDeque;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// The longest run, in items. Longer runs save next to nothing.
const RUN: u64 = 128;
/// The longest run, in nanoseconds of work. Items that take longer are taken one by one, so that no run of
/// them has to be divided.
const SPAN: u64 = 50_000;
/// After this many runs from the port a replica takes one over from another, if there is one.
const TAKE_OVER: usize = 16;
/// The time for which the sentry sleeps.
const SENTRY_SLEEP: Duration = Duration::from_micros(250);
/// The approximate time in nanoseconds until a replica that is woken is at work.
const WAKING: u64 = 20_000;

/// The run of a replica: items that it has taken and not begun.
type Run<T> = Arc<Lock<VecDeque<Envelope<T>>>>;

/// The port of a stage with several replicas.
pub(crate) struct Front<T>(Lock<Door<T>>);

struct Door<T> {
    /// `None` while a replica holds it.
    port: Option<Port<Envelope<T>>>,
    runs: Vec<Run<T>>,
    /// The wakers of the replicas that wait for the port.
    asleep: Vec<Waker>,
    /// One of them is the sentry, which wakes up by itself.
    has_sentry: bool,
    /// The replica that holds the port waits there for an item, so no sentry is needed.
    holder_waits: bool,
}

/// The inlet of a replica, from which it takes items.
pub(crate) enum Inlet<T> {
    /// The stage has one replica.
    Sole(Port<Envelope<T>>),
    /// The stage has several replicas.
    Shared(SharedInlet<T>),
}

/// The inlet of one of several replicas.
pub(crate) struct SharedInlet<T> {
    front: Arc<Front<T>>,
    run: Run<T>,
    /// The time at which the last run was taken.
    since: Option<u64>,
    /// The length of the last run.
    length: u64,
    /// The estimated time of an item, in nanoseconds.
    pace: u64,
    /// The number of runs that it has taken.
    runs: usize,
}

impl<T> Inlet<T> {
    /// Splits the inlet of one replica into those of this number of replicas.
    pub(crate) fn split(self, replicas: usize) -> Vec<Inlet<T>> {
        if replicas == 1 {
            return vec![self];
        }
        let (front, first) = match self {
            Inlet::Sole(port) => (Front::new(port), None),
            Inlet::Shared(SharedInlet { front, run, .. }) => (front, Some(run)),
        };
        let fresh = replicas - usize::from(first.is_some());
        let fresh: Vec<_> = (0..fresh).map(|_| Run::<T>::new(Lock::new(VecDeque::new()))).collect();
        front.0.lock().runs.extend(fresh.iter().cloned());
        let inlet =
            |run| SharedInlet { front: front.clone(), run, since: None, length: 0, pace: WAKING, runs: 0 };
        first.into_iter().chain(fresh).map(|run| Inlet::Shared(inlet(run))).collect()
    }

    /// Takes the next item. Before it may wait it calls `pay`, which gives back places. Returns `None` if
    /// there are no more.
    #[inline]
    pub(crate) fn next(&mut self, crew: &Crew, pay: impl FnOnce()) -> Result<Option<Envelope<T>>, Halted> {
        match self {
            Inlet::Sole(port) => next_at(port, crew, pay),
            Inlet::Shared(inlet) => inlet.next(crew, pay),
        }
    }
}

/// Receives the next item. Not `recv_paying`: its result has a reason for failure beside the envelope, with
/// which the envelope is copied in parts.
#[inline]
fn next_at<T>(
    port: &mut Port<Envelope<T>>,
    crew: &Crew,
    pay: impl FnOnce(),
) -> Result<Option<Envelope<T>>, Halted> {
    let next = port.try_iter().next();
    if next.is_some() {
        return Ok(next);
    }
    pay();
    recv_later(port, crew, &mut Unlimited).map_err(Halted::from)
}

/// For a stage that also waits for something else, and so has one replica.
impl<T> Inlet<T> {
    fn sole(&mut self) -> &mut Port<Envelope<T>> {
        match self {
            Inlet::Sole(port) => port,
            Inlet::Shared(_) => unreachable!("a stage that waits for something else, too, has one replica"),
        }
    }

    /// Takes the next item, if there is one. Ready with `None` if there are no more.
    pub(crate) fn try_next(&mut self) -> Poll<Option<Envelope<T>>> {
        match self.sole().try_recv() {
            Ok(envelope) => Poll::Ready(Some(envelope)),
            Err(TryRecvError::Closed) => Poll::Ready(None),
            Err(TryRecvError::Empty(())) => Poll::Pending,
        }
    }

    /// Polls until [`try_next`](Inlet::try_next) would return something.
    pub(crate) fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.sole().poll_ready(cx)
    }
}

impl<T> SharedInlet<T> {
    #[inline]
    fn next(&mut self, crew: &Crew, pay: impl FnOnce()) -> Result<Option<Envelope<T>>, Halted> {
        let next = self.run.lock().pop_front();
        if next.is_some() {
            return Ok(next);
        }
        pay();
        self.next_run(crew)
    }

    /// Takes the next item, when the run is used up.
    fn next_run(&mut self, crew: &Crew) -> Result<Option<Envelope<T>>, Halted> {
        if let Some(since) = self.since.take() {
            // The estimate follows slower items at once, and faster ones gradually. Items of the run that
            // others took over count too, so it may be too low.
            self.pace = ((nanoseconds() - since) / self.length).max(self.pace / 2);
        }
        self.runs = self.runs.wrapping_add(1);
        // There may always be an item at the port, while another replica is held up in the user's code with
        // items left in its run.
        if self.runs.is_multiple_of(TAKE_OVER) {
            let stolen = self.steal();
            if stolen.is_some() {
                return Ok(stolen);
            }
        }
        let mut port = self.front.hold_port(crew)?;
        let mut is_here = port.is_ready();
        let first = if is_here {
            Ok(port.try_iter().next())
        } else {
            self.steal_or_wait(&mut port, crew, &mut is_here)
        };
        if is_here {
            self.take_run(&mut port);
        }
        self.front.put_back(port, !is_here || self.length * self.pace >= WAKING);
        first
    }

    /// Takes an item from another replica's run or, if no run is left, waits at the port for one; then sets
    /// `is_here`.
    fn steal_or_wait(
        &self,
        port: &mut Port<Envelope<T>>,
        crew: &Crew,
        is_here: &mut bool,
    ) -> Result<Option<Envelope<T>>, Halted> {
        let stolen = self.steal();
        if stolen.is_some() {
            return Ok(stolen);
        }
        // No run is left, and none comes before this replica has put the port back.
        self.front.0.lock().holder_waits = true;
        let received = recv_later(port, crew, &mut Unlimited).map_err(Halted::from);
        *is_here = matches!(received, Ok(Some(_)));
        received
    }

    /// Takes the items behind the first one: a run of at most [`SPAN`] of work, by the pace of the last run.
    fn take_run(&mut self, port: &mut Port<Envelope<T>>) {
        let mut run = self.run.lock();
        let others = (SPAN / self.pace.max(1)).clamp(1, RUN) - 1;
        // The run is used up, so this moves no item, and the memory stays.
        let mut items = Vec::from(std::mem::take(&mut *run));
        // If there is none, or the senders have left, the next receive will say so.
        let others = port.try_recv_many(&mut items, others as usize).unwrap_or(0);
        *run = VecDeque::from(items);
        drop(run);
        self.length = 1 + others as u64;
        // The clock starts here, after the wait for the port, which is not time spent on items.
        self.since = Some(nanoseconds());
    }

    /// Takes the first half of another replica's run, and returns its first item. The replica that it asks
    /// first changes every [`TAKE_OVER`] runs.
    fn steal(&self) -> Option<Envelope<T>> {
        let door = self.front.0.lock();
        let (before, behind) = door.runs.split_at(self.runs / TAKE_OVER % door.runs.len());
        let others = behind.iter().chain(before).filter(|other| !Arc::ptr_eq(other, &self.run));
        let mut half: VecDeque<_> = others.map(halve).find(|half| !half.is_empty())?;
        let first = half.pop_front();
        self.run.lock().append(&mut half);
        first
    }
}

/// Takes the first half of a run.
fn halve<T>(run: &Run<T>) -> VecDeque<Envelope<T>> {
    let mut run = run.lock();
    let half = run.len().div_ceil(2);
    run.drain(..half).collect()
}

impl<T> Door<T> {
    /// Takes the port if it is free. Otherwise this replica sleeps; it is the sentry if one is needed and
    /// there is none.
    fn poll_port(
        &mut self,
        waker: &Waker,
        is_sentry: &Cell<bool>,
        crew: &Crew,
    ) -> Poll<Result<Port<Envelope<T>>, Halted>> {
        if is_sentry.replace(false) {
            self.has_sentry = false;
        }
        let port = self.port.take();
        if port.is_some() || crew.is_stopped() {
            self.asleep.retain(|asleep| !asleep.will_wake(waker));
            return Poll::Ready(port.ok_or(Halted));
        }
        if !self.asleep.iter().any(|asleep| asleep.will_wake(waker)) {
            self.asleep.push(waker.clone());
        }
        if !self.has_sentry && !self.holder_waits {
            self.has_sentry = true;
            is_sentry.set(true);
        }
        Poll::Pending
    }
}

impl<T> Front<T> {
    fn new(port: Port<Envelope<T>>) -> Arc<Self> {
        Arc::new(Front(Lock::new(Door {
            port: Some(port),
            runs: Vec::new(),
            asleep: Vec::new(),
            has_sentry: false,
            holder_waits: false,
        })))
    }

    /// Takes the port, as soon as no other replica holds it.
    fn hold_port(&self, crew: &Crew) -> Result<Port<Envelope<T>>, Halted> {
        if let Some(port) = self.0.lock().port.take() {
            return Ok(port);
        }
        step_aside(&|| self.0.lock().port.is_some());
        let (is_sentry, mut asleep) = (Cell::new(false), None);
        loop {
            let held = block_until(
                || is_sentry.get().then(|| Instant::now() + SENTRY_SLEEP),
                |cx| {
                    asleep.get_or_insert_with(|| crew.asleep(cx.waker()));
                    self.0.lock().poll_port(cx.waker(), &is_sentry, crew)
                },
            );
            // If there is no result, the sentry's sleep is over.
            if let Some(held) = held {
                return held;
            }
        }
    }

    /// Puts the port back. Another replica is woken for it, or the sentry will take it in time.
    fn put_back(&self, port: Port<Envelope<T>>, wake: bool) {
        let mut door = self.0.lock();
        door.port = Some(port);
        door.holder_waits = false;
        let waker = if wake || !door.has_sentry { door.asleep.pop() } else { None };
        drop(door);
        waker.into_iter().for_each(Waker::wake);
    }
}
