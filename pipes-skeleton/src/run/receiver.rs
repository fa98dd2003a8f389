//! What the replicas of a stage receive from. Free replicas take their items from an input that they share.
//!
//! One replica at a time holds the port of the shared input. It takes the next item and, if more are
//! available, a chunk of those behind it, which costs little more than one item. Then it puts the port back
//! and processes the chunk. Other replicas can steal from the chunk: a replica that holds the port and finds
//! no item there takes the first half of another replica's chunk. If there is always an item at the port,
//! each replica still steals after every [`STEAL_INTERVAL`] chunks. So no item waits for a particular replica
//! while user code processes another item there, however long that takes. And no replica sleeps at the port
//! while a chunk has items: only the replica that holds the port takes new chunks from it, and chunks are
//! divided while the shared input is locked.
//!
//! The other replicas sleep. Waking one of them may take longer than processing an item, so a replica wakes
//! another one only if its own chunk will take longer than that. Otherwise it relies on the *poller*: one of
//! the sleeping replicas, which wakes up after [`POLL_INTERVAL`] and looks for items.

use super::recv::{Limit, Unlimited, recv_later, recv_with_flush};
use super::threads::{Stopped, Threads, WaitError};
use crate::envelope::Envelope;
use crate::sync::{Arc, Lock, nanoseconds, yield_until};
use pipes::inspect::block_until_for;
use pipes::{Port, TryRecvError};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// The maximum length of a chunk. Longer chunks would hardly be faster.
const MAX_CHUNK: u64 = 128;
/// The maximum duration of a chunk, in nanoseconds. Items that take longer are taken one by one, so that no
/// chunk of them has to be divided.
const MAX_CHUNK_TIME: u64 = 50_000;
/// A replica tries to steal from another one each time it has taken this number of chunks.
const STEAL_INTERVAL: usize = 16;
/// The time that the poller sleeps.
const POLL_INTERVAL: Duration = Duration::from_micros(250);
/// The approximate time to wake a replica, in nanoseconds.
const WAKE_TIME: u64 = 20_000;

/// The chunk of a replica: the items that it took at once and has not begun to process.
type Chunk<T> = Arc<Lock<VecDeque<Envelope<T>>>>;

/// The input that the replicas of a stage share.
pub(crate) struct SharedInput<T>(Lock<State<T>>);

struct State<T> {
    /// `None` while a replica holds it.
    port: Option<Port<Envelope<T>>>,
    chunks: Vec<Chunk<T>>,
    /// The wakers of the replicas that wait for the port.
    waiting: Vec<Waker>,
    /// One of the waiting replicas is the poller.
    has_poller: bool,
    /// The replica that holds the port waits for an item, so no poller is needed.
    holder_waits: bool,
}

/// What a replica receives its items from.
pub(crate) enum Receiver<T> {
    /// The stage has one replica.
    Sole(Port<Envelope<T>>),
    /// The stage has several replicas.
    Shared(SharedReceiver<T>),
}

/// The receiver of one of several replicas.
pub(crate) struct SharedReceiver<T> {
    shared: Arc<SharedInput<T>>,
    chunk: Chunk<T>,
    /// The time at which the current chunk was taken.
    since: Option<u64>,
    /// The length of that chunk when it was taken.
    chunk_len: u64,
    /// The estimated time of an item, in nanoseconds.
    item_time: u64,
    /// The number of chunks that the replica has taken.
    chunks_taken: usize,
}

impl<T> Receiver<T> {
    /// Splits the receiver into one for each of `replicas` replicas.
    pub(crate) fn split(self, replicas: usize) -> Vec<Receiver<T>> {
        if replicas == 1 {
            return vec![self];
        }
        let (shared, first) = match self {
            Receiver::Sole(port) => (SharedInput::new(port), None),
            Receiver::Shared(SharedReceiver { shared, chunk, .. }) => (shared, Some(chunk)),
        };
        let fresh = replicas - usize::from(first.is_some());
        let fresh: Vec<_> = (0..fresh).map(|_| Chunk::<T>::new(Lock::new(VecDeque::new()))).collect();
        shared.0.lock().chunks.extend(fresh.iter().cloned());
        let receiver = |chunk| SharedReceiver {
            shared: shared.clone(),
            chunk,
            since: None,
            chunk_len: 0,
            item_time: WAKE_TIME,
            chunks_taken: 0,
        };
        first.into_iter().chain(fresh).map(|chunk| Receiver::Shared(receiver(chunk))).collect()
    }

    /// Takes the next envelope. Returns `None` if there are no more. Calls `flush` before a possible wait, to
    /// return permits.
    #[inline]
    pub(crate) fn next(
        &mut self,
        threads: &Threads,
        flush: impl FnOnce(),
    ) -> Result<Option<Envelope<T>>, Stopped> {
        match self {
            Receiver::Sole(port) => next_from_port(port, threads, flush),
            Receiver::Shared(receiver) => receiver.next(threads, flush),
        }
    }

    /// Takes the next envelope like [`next`](Receiver::next), but waits only until the limit is reached.
    #[inline]
    pub(crate) fn next_within(
        &mut self,
        threads: &Threads,
        limit: &mut dyn Limit,
        flush: impl FnOnce(),
    ) -> Result<Option<Envelope<T>>, WaitError> {
        match self {
            Receiver::Sole(port) => recv_with_flush(port, threads, limit, flush),
            Receiver::Shared(receiver) => match receiver.next_in_chunk() {
                None => {
                    flush();
                    receiver.next_chunk(threads, limit)
                }
                next => Ok(next),
            },
        }
    }
}

/// Receives the next envelope. This is not `recv_with_flush`, whose result also has room for the reason of an
/// error, so that the envelope would be copied in parts.
#[inline]
fn next_from_port<T>(
    port: &mut Port<Envelope<T>>,
    threads: &Threads,
    flush: impl FnOnce(),
) -> Result<Option<Envelope<T>>, Stopped> {
    let next = port.try_iter().next();
    if next.is_some() {
        return Ok(next);
    }
    flush();
    recv_later(port, threads, &mut Unlimited).map_err(Stopped::from)
}

/// For a stage that also waits for something else, and therefore has one replica.
impl<T> Receiver<T> {
    fn sole(&mut self) -> &mut Port<Envelope<T>> {
        match self {
            Receiver::Sole(port) => port,
            Receiver::Shared(_) => {
                unreachable!("a stage that also waits for something else has one replica")
            }
        }
    }

    /// Takes the next envelope if one is available. Returns `Ready(None)` if there are no more.
    pub(crate) fn try_next(&mut self) -> Poll<Option<Envelope<T>>> {
        match self.sole().try_recv() {
            Ok(envelope) => Poll::Ready(Some(envelope)),
            Err(TryRecvError::Closed) => Poll::Ready(None),
            Err(TryRecvError::Empty(())) => Poll::Pending,
        }
    }

    /// Polls until [`try_next`](Receiver::try_next) would be ready.
    pub(crate) fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.sole().poll_ready(cx)
    }
}

impl<T> SharedReceiver<T> {
    #[inline]
    fn next(&mut self, threads: &Threads, flush: impl FnOnce()) -> Result<Option<Envelope<T>>, Stopped> {
        let next = self.next_in_chunk();
        if next.is_some() {
            return Ok(next);
        }
        flush();
        self.next_chunk(threads, &mut Unlimited).map_err(Stopped::from)
    }

    #[inline]
    fn next_in_chunk(&self) -> Option<Envelope<T>> {
        self.chunk.lock().pop_front()
    }

    /// Takes the next item when the chunk is empty.
    fn next_chunk(
        &mut self,
        threads: &Threads,
        limit: &mut dyn Limit,
    ) -> Result<Option<Envelope<T>>, WaitError> {
        if let Some(since) = self.since.take() {
            // The estimate adapts to slower items at once, and to faster ones gradually. Stolen items of the
            // chunk are counted too, so it may be too low.
            self.item_time = ((nanoseconds() - since) / self.chunk_len).max(self.item_time / 2);
        }
        self.chunks_taken = self.chunks_taken.wrapping_add(1);
        // There may always be an item at the port while another replica is busy in user code and its chunk
        // has items.
        if self.chunks_taken.is_multiple_of(STEAL_INTERVAL) {
            let stolen = self.steal();
            if stolen.is_some() {
                return Ok(stolen);
            }
        }
        let mut port = self.shared.hold_port(threads, limit)?;
        let mut is_available = port.is_ready();
        let first = if is_available {
            Ok(port.try_iter().next())
        } else {
            self.steal_or_wait(&mut port, threads, limit, &mut is_available)
        };
        if is_available {
            self.take_chunk(&mut port);
        }
        self.shared.put_back(port, !is_available || self.chunk_len * self.item_time >= WAKE_TIME);
        first
    }

    /// Takes an item from another replica's chunk. If all chunks are empty, waits for an item at the port and
    /// sets `is_available`.
    fn steal_or_wait(
        &self,
        port: &mut Port<Envelope<T>>,
        threads: &Threads,
        limit: &mut dyn Limit,
        is_available: &mut bool,
    ) -> Result<Option<Envelope<T>>, WaitError> {
        let stolen = self.steal();
        if stolen.is_some() {
            return Ok(stolen);
        }
        // All chunks are empty, and will be until this replica puts the port back.
        self.shared.0.lock().holder_waits = true;
        let received = recv_later(port, threads, limit);
        *is_available = matches!(received, Ok(Some(_)));
        received
    }

    /// Takes the items behind the first one: a chunk of at most [`MAX_CHUNK`] items, which takes at most
    /// [`MAX_CHUNK_TIME`] by the estimate.
    fn take_chunk(&mut self, port: &mut Port<Envelope<T>>) {
        let mut chunk = self.chunk.lock();
        let others = (MAX_CHUNK_TIME / self.item_time.max(1)).clamp(1, MAX_CHUNK) - 1;
        // The chunk is empty, so this moves no item and reuses the memory.
        let mut items = Vec::from(std::mem::take(&mut *chunk));
        // If there is none, or the senders are gone, the next receive finds out.
        let others = port.try_recv_many(&mut items, others as usize).unwrap_or(0);
        *chunk = VecDeque::from(items);
        drop(chunk);
        self.chunk_len = 1 + others as u64;
        // Measured from here, so that waiting for the port does not count.
        self.since = Some(nanoseconds());
    }

    /// Takes the first half of another replica's chunk, and returns its first item. The search starts at
    /// another replica after every [`STEAL_INTERVAL`] chunks.
    fn steal(&self) -> Option<Envelope<T>> {
        let state = self.shared.0.lock();
        let (before, behind) = state.chunks.split_at(self.chunks_taken / STEAL_INTERVAL % state.chunks.len());
        let others = behind.iter().chain(before).filter(|other| !Arc::ptr_eq(other, &self.chunk));
        let mut half: VecDeque<_> = others.map(halve).find(|half| !half.is_empty())?;
        let first = half.pop_front();
        self.chunk.lock().append(&mut half);
        first
    }
}

/// Takes the first half of a chunk.
fn halve<T>(chunk: &Chunk<T>) -> VecDeque<Envelope<T>> {
    let mut chunk = chunk.lock();
    let half = chunk.len().div_ceil(2);
    chunk.drain(..half).collect()
}

impl<T> State<T> {
    /// Takes the port if it is free. Otherwise registers this replica as waiting, and makes it the poller if
    /// one is needed and there is none.
    fn poll_port(
        &mut self,
        waker: &Waker,
        is_poller: &Cell<bool>,
        threads: &Threads,
    ) -> Poll<Result<Port<Envelope<T>>, Stopped>> {
        if is_poller.replace(false) {
            self.has_poller = false;
        }
        let port = self.port.take();
        if port.is_some() || threads.is_stopped() {
            self.waiting.retain(|other| !other.will_wake(waker));
            return Poll::Ready(port.ok_or(Stopped));
        }
        if !self.waiting.iter().any(|other| other.will_wake(waker)) {
            self.waiting.push(waker.clone());
        }
        if !self.has_poller && !self.holder_waits {
            self.has_poller = true;
            is_poller.set(true);
        }
        Poll::Pending
    }

    /// Notes that this replica no longer waits for the port.
    fn give_up(&mut self, waker: &Waker, is_poller: &Cell<bool>) {
        if is_poller.replace(false) {
            self.has_poller = false;
        }
        self.waiting.retain(|other| !other.will_wake(waker));
    }
}

impl<T> SharedInput<T> {
    fn new(port: Port<Envelope<T>>) -> Arc<Self> {
        Arc::new(SharedInput(Lock::new(State {
            port: Some(port),
            chunks: Vec::new(),
            waiting: Vec::new(),
            has_poller: false,
            holder_waits: false,
        })))
    }

    /// Takes the port. Waits while another replica holds it.
    fn hold_port(&self, threads: &Threads, limit: &mut dyn Limit) -> Result<Port<Envelope<T>>, WaitError> {
        if let Some(port) = self.0.lock().port.take() {
            return Ok(port);
        }
        yield_until(&|| self.0.lock().port.is_some());
        let (is_poller, limit) = (Cell::new(false), RefCell::new(limit));
        let mut registered = None;
        loop {
            let held = block_until_for(
                "an item of a pipeline, or its turn to take one",
                || {
                    let polls = is_poller.get().then(|| Instant::now() + POLL_INTERVAL);
                    polls.into_iter().chain(limit.borrow().deadline()).min()
                },
                |cx| {
                    registered.get_or_insert_with(|| threads.register_waker(cx.waker()));
                    // This may be the user's code, so it is called before the lock is taken.
                    let limit = &mut **limit.borrow_mut();
                    let is_reached = limit.poll(cx).is_ready()
                        || limit.deadline().is_some_and(|deadline| deadline <= Instant::now());
                    let mut state = self.0.lock();
                    match state.poll_port(cx.waker(), &is_poller, threads) {
                        Poll::Ready(held) => Poll::Ready(held.map_err(|Stopped| WaitError::Stopped)),
                        Poll::Pending if is_reached => {
                            state.give_up(cx.waker(), &is_poller);
                            Poll::Ready(Err(WaitError::LimitReached))
                        }
                        Poll::Pending => Poll::Pending,
                    }
                },
            );
            // If there is no result, the poller's interval or the deadline has passed.
            if let Some(held) = held {
                return held;
            }
        }
    }

    /// Puts the port back. Wakes another replica for it if `wake` is `true`, or if there is no poller.
    fn put_back(&self, port: Port<Envelope<T>>, wake: bool) {
        let mut state = self.0.lock();
        state.port = Some(port);
        state.holder_waits = false;
        let waker = if wake || !state.has_poller { state.waiting.pop() } else { None };
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}
