//! The loop of a stage that combines items: one thread, or replicas that share the items and the output.

use super::input::Input;
use super::output::Output;
use super::permits::Releaser;
use super::receiver::Receiver;
use super::recv::{Limit, Unlimited, recv_with_flush};
use super::stamps::{Stamp, Stamps};
use super::threads::{Stopped, Threads, WaitError};
use super::work::failed;
use crate::envelope::{Envelope, Group};
use crate::gather::Gather;
use crate::measure::probe::{Probe, Spent};
use crate::sync::{Arc, Lock};
use pipes::{Chan, Port, stream};
use std::convert::Infallible;
use std::marker::PhantomData;
use std::mem::take;
use std::task::{Context, Poll};
use std::time::Instant;
use std::vec;

/// Where the items come from.
pub(crate) trait TakeItems<T> {
    /// Takes the next item. Waits until there is one, or until the limit is reached. Returns `None` if there
    /// are no more. The item before it is done.
    fn next_within(&mut self, threads: &Threads, limit: &mut impl Limit) -> Result<Option<T>, WaitError>;

    /// Returns the stamp of the last item.
    fn stamp(&self) -> Stamp;

    /// Returns all released permits, before a wait for something else.
    fn flush(&mut self);
}

impl<T> TakeItems<T> for Input<T> {
    #[inline]
    fn next_within(&mut self, threads: &Threads, limit: &mut impl Limit) -> Result<Option<T>, WaitError> {
        Input::next_within(self, threads, limit)
    }

    #[inline]
    fn stamp(&self) -> Stamp {
        Input::stamp(self)
    }

    fn flush(&mut self) {
        Input::flush(self);
    }
}

/// The input of a replica at the end of a region, which takes a share of the items.
pub(crate) struct GatherInput<T> {
    receiver: Receiver<T>,
    releaser: Releaser,
    stamps: Stamps,
    /// The items of the current envelope that are not taken yet.
    rest: vec::IntoIter<T>,
    /// The current envelope has a permit that is not released yet.
    holds_permit: bool,
    stamp: Stamp,
}

impl<T> GatherInput<T> {
    pub(crate) fn new(receiver: Receiver<T>, releaser: Releaser, stamps: Stamps) -> Self {
        let rest = Vec::new().into_iter();
        GatherInput { receiver, releaser, stamps, rest, holds_permit: false, stamp: Stamp::default() }
    }
}

impl<T> TakeItems<T> for GatherInput<T> {
    #[inline]
    fn next_within(&mut self, threads: &Threads, limit: &mut impl Limit) -> Result<Option<T>, WaitError> {
        loop {
            if threads.is_stopped() {
                return Err(WaitError::Stopped);
            }
            if self.rest.len() > 0 {
                return Ok(self.rest.next());
            }
            if take(&mut self.holds_permit) {
                self.releaser.release(self.stamp.weight);
            }
            if limit.is_reached() {
                return Err(WaitError::LimitReached);
            }
            let GatherInput { receiver, releaser, .. } = self;
            let Some(Envelope { tag, items }) = receiver.next_within(threads, limit, || releaser.flush())?
            else {
                // A stage that fails reports it before its channel closes.
                return if threads.is_stopped() { Err(WaitError::Stopped) } else { Ok(None) };
            };
            self.holds_permit = true;
            self.stamp = self.stamps.take(tag);
            match items {
                Group::None => {}
                Group::One(item) => return Ok(Some(item)),
                Group::Many(items) => self.rest = items.into_iter(),
            }
        }
    }

    #[inline]
    fn stamp(&self) -> Stamp {
        self.stamp
    }

    fn flush(&mut self) {
        self.releaser.flush();
    }
}

/// Where the items go that a stage emits.
pub(crate) trait EmitItems<T> {
    /// Sends an item, waiting until there is room for it. `is_last` says that no more items come to the
    /// stage. Calls `flush` before it waits.
    fn emit(
        &mut self,
        threads: &Threads,
        item: T,
        stamp: Stamp,
        is_last: bool,
        flush: impl FnMut(),
    ) -> Result<(), Stopped>;
}

impl<T> EmitItems<T> for Output<T> {
    #[inline]
    fn emit(
        &mut self,
        threads: &Threads,
        item: T,
        stamp: Stamp,
        _is_last: bool,
        flush: impl FnMut(),
    ) -> Result<(), Stopped> {
        self.set_stamp(stamp);
        Output::emit(self, threads, item, flush)
    }
}

/// The output of a replica, which it shares with the others. What replicas emit at the end comes in the order
/// of the replicas.
pub(crate) struct SharedOutput<T> {
    output: Arc<Lock<Output<T>>>,
    /// Closed when the replica before this one has ended; `None` if it is this one's turn.
    turn: Option<Port<Infallible>>,
    /// Dropped when this replica has ended.
    _next_turn: Option<Chan<Infallible>>,
}

impl<T> SharedOutput<T> {
    /// Splits an output into one for each replica.
    pub(crate) fn split(output: Output<T>, replicas: usize) -> Vec<Self> {
        let output = Arc::new(Lock::new(output));
        let mut turn = None;
        let share = |replica| {
            let (next_turn, port) = stream();
            let turn = turn.replace(port);
            let next_turn = (replica < replicas).then_some(next_turn);
            SharedOutput { output: output.clone(), turn, _next_turn: next_turn }
        };
        (1..=replicas).map(share).collect()
    }
}

impl<T> EmitItems<T> for SharedOutput<T> {
    fn emit(
        &mut self,
        threads: &Threads,
        item: T,
        stamp: Stamp,
        is_last: bool,
        mut flush: impl FnMut(),
    ) -> Result<(), Stopped> {
        if is_last && let Some(turn) = &mut self.turn {
            let ended = recv_with_flush(turn, threads, &mut Unlimited, &mut flush);
            ended.map(drop).map_err(Stopped::from)?;
            self.turn = None;
        }
        // Another replica may hold the lock while it waits for room. That only needs the stages behind, so
        // released permits need not be returned before.
        let mut output = self.output.lock();
        threads.check_stopped()?;
        output.set_stamp(stamp);
        output.emit(threads, item, flush)
    }
}

/// A limit that is reached when a [`Gather`] wants to be woken.
struct UntilWoken<'a, G, T>(&'a mut G, PhantomData<fn(T)>);

impl<T, G: Gather<T>> Limit for UntilWoken<'_, G, T> {
    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }

    fn is_reached(&self) -> bool {
        self.0.deadline().is_some_and(|deadline| deadline <= Instant::now())
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.register(cx.waker());
        Poll::Pending
    }
}

/// Runs a stage that combines items, or one of its replicas.
pub(crate) fn gather<T, G: Gather<T>>(
    threads: &Threads,
    name: &str,
    input: &mut impl TakeItems<T>,
    gather: &mut G,
    output: &mut impl EmitItems<G::Out>,
    probe: &mut Probe,
) -> Result<(), Stopped> {
    // The stamp of what is emitted next. Its weight is that of all items taken since the last emission.
    let mut stamp = Stamp { time: 0, weight: 0 };
    loop {
        let next = input.next_within(threads, &mut UntilWoken(gather, PhantomData));
        match &next {
            Ok(Some(_)) => {
                probe.took();
                let Stamp { time, weight } = input.stamp();
                stamp = Stamp { time, weight: stamp.weight.saturating_add(weight) };
            }
            _ => probe.lap(Spent::WaitingForItems),
        }
        let (is_item, is_last) = (matches!(next, Ok(Some(_))), matches!(next, Ok(None)));
        let mut emit = |item| {
            probe.lap(Spent::Working);
            let weight = if threads.setting().is_weighed { take(&mut stamp.weight) } else { 1 };
            // What is made of no item leaves the source now.
            stamp.time = if stamp.time == 0 { threads.now() } else { stamp.time };
            let sent = output.emit(threads, item, Stamp { weight, ..stamp }, is_last, || input.flush());
            probe.lap(Spent::WaitingForRoom);
            Ok(sent?)
        };
        let done = match next {
            Ok(Some(item)) => gather.take(item, &mut emit),
            Err(WaitError::LimitReached) => gather.wake(&mut emit),
            Ok(None) => gather.finish(&mut emit),
            Err(WaitError::Stopped) => return Err(Stopped),
        };
        if is_item {
            probe.done();
        }
        done.or_else(|error| failed(threads, name, error))?;
        if is_last {
            return Ok(());
        }
    }
}
