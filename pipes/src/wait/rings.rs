//! Where threads keep their last steps while a recorder lives: a ring for each thread.
//!
//! Only its own thread pushes to a ring, so the lock of a ring is free, except at the moment at which the
//! steps are read. A ring is listed when its thread takes its first step, and stays listed when the thread
//! ends. [`ACTIVE`] says whether anything is recorded at all.

use super::ends::{AwaitedEnd, Caller};
use super::in_transit;
use crate::state_info::StateInfo;
use crate::sync::{Arc, AtomicUsize, Ordering, StaticLock, Thread, lock_soon, this_thread, thread_local};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Instant;

/// The most threads of one recording.
pub(crate) const MOST_THREADS: usize = 1024;

/// A step as its thread has seen it.
#[derive(Clone, Debug)]
pub(crate) struct RawStep {
    pub(crate) at: Instant,
    pub(crate) kind: RawKind,
}

/// What a step is. A channel is the address of its memory, which is only a name, and a side is its index.
#[derive(Clone, Debug)]
pub(crate) enum RawKind {
    Made { channel: usize, kind: RawChannel },
    Sent { channel: usize, side: usize, message: RawMessage, number: u64, place: usize },
    Received { channel: usize, side: usize, message: RawMessage, number: Option<u64> },
    Closed { channel: usize, side: usize },
    FellAsleep { caller: Caller, ends: Vec<AwaitedEnd>, other: Option<&'static str> },
    Woke,
    Noted(String),
}

/// What a channel is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RawChannel {
    /// A session, in its first state.
    Session(&'static StateInfo),
    /// A channel of this kind, whose messages have the type that the function names.
    Of(&'static str, fn() -> &'static str),
}

/// What a message is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RawMessage {
    /// One of this state. The function names the type of the closure in the method that sends it.
    Of(&'static StateInfo, fn() -> &'static str),
    /// A value of the type that the function names.
    Value(fn() -> &'static str),
}

/// What a recorder knows of a thread.
#[derive(Debug)]
pub(crate) struct RawThread {
    pub(crate) thread: Thread,
    pub(crate) steps: Vec<RawStep>,
    pub(crate) forgotten: u64,
}

/// A thread's last steps.
struct Ring {
    thread: Thread,
    /// No other ring of the process has it.
    number: u64,
    limit: usize,
    kept: StaticLock<Kept>,
}

#[derive(Default)]
struct Kept {
    steps: VecDeque<RawStep>,
    forgotten: u64,
    /// The number of messages that the thread has sent.
    sent: u32,
}

/// The recorder that lives.
struct Recorded {
    recorder: usize,
    limit: usize,
    rings: Vec<Arc<Ring>>,
    has_more_threads: bool,
}

/// The number of the recorder that lives, or 0.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);
/// How many recorders and rings there were.
static COUNTS: StaticLock<(usize, u64)> = StaticLock::new((0, 0));
static RECORDED: StaticLock<Option<Recorded>> = StaticLock::new(None);

thread_local! {
    /// The recorder for which this thread has a ring, and the ring. It is `None` for a thread too many.
    static OWN: RefCell<(usize, Option<Arc<Ring>>)> = const { RefCell::new((0, None)) };
}

/// Returns `true` while a recorder lives.
#[inline]
pub(crate) fn is_active() -> bool {
    // ORDERING: Relaxed: a step at the very begin or end of a recording may be missed. All else is read under
    // locks.
    ACTIVE.load(Ordering::Relaxed) != 0
}

/// Begins to record. Returns `false` if it is recorded already.
pub(crate) fn begin(limit: usize) -> bool {
    let Some(mut recorded) = lock_soon(&RECORDED) else { return false };
    let Some(mut counts) = lock_soon(&COUNTS) else { return false };
    if recorded.is_some() {
        return false;
    }
    counts.0 += 1;
    let recorder = counts.0;
    *recorded = Some(Recorded { recorder, limit, rings: Vec::new(), has_more_threads: false });
    // ORDERING: Relaxed, see `is_active`.
    ACTIVE.store(recorder, Ordering::Relaxed);
    true
}

/// Ends the recording, and forgets all steps.
pub(crate) fn end() {
    // ORDERING: Relaxed, see `is_active`.
    ACTIVE.store(0, Ordering::Relaxed);
    let rings = lock_soon(&RECORDED).and_then(|mut recorded| recorded.take()).map(|it| it.rings);
    for ring in rings.into_iter().flatten() {
        // A thread that takes no further step keeps its ring, so it is emptied.
        drop(lock_soon(&ring.kept).map(|mut kept| std::mem::take(&mut *kept)));
    }
    in_transit::clear();
}

/// Returns what was recorded until now, and whether there were threads too many.
pub(crate) fn look() -> (Vec<RawThread>, bool) {
    let Some((rings, has_more)) = lock_soon(&RECORDED)
        .and_then(|recorded| recorded.as_ref().map(|it| (it.rings.clone(), it.has_more_threads)))
    else {
        return (Vec::new(), false);
    };
    let thread = |ring: &Arc<Ring>| {
        let kept = lock_soon(&ring.kept)?;
        let steps = kept.steps.iter().cloned().collect();
        Some(RawThread { thread: ring.thread.clone(), steps, forgotten: kept.forgotten })
    };
    (rings.iter().filter_map(thread).collect(), has_more)
}

/// Records a step of this thread.
pub(super) fn push(kind: RawKind) {
    let at = Instant::now();
    with_ring(|_, kept, limit| {
        if kept.steps.len() >= limit {
            kept.steps.pop_front();
            kept.forgotten += 1;
        }
        if limit > 0 {
            if kept.steps.len() == kept.steps.capacity() {
                // Never more than the limit.
                let more = kept.steps.len().max(16).min(limit - kept.steps.len());
                kept.steps.reserve_exact(more);
            }
            kept.steps.push_back(RawStep { at, kind });
        }
    });
}

/// Records that this thread is about to publish a message in the slot at `place`.
pub(super) fn push_sent(channel: usize, side: usize, place: usize, message: RawMessage) {
    let number = with_ring(|ring, kept, _| {
        kept.sent = kept.sent.wrapping_add(1);
        ring.number << 32 | u64::from(kept.sent)
    });
    let Some(number) = number else { return };
    in_transit::put(place, number);
    push(RawKind::Sent { channel, side, message, number, place });
}

/// Records that this thread has seen a message in the slot at `place`, and takes it.
pub(super) fn push_received(channel: usize, side: usize, place: usize, message: RawMessage) {
    push(RawKind::Received { channel, side, message, number: in_transit::take(place) });
}

/// Takes back this thread's last steps, which are sends or receives.
pub(super) fn take_back(count: usize) {
    for _ in 0..count {
        let last = with_ring(|_, kept, _| {
            let is_one = |it: &RawStep| matches!(it.kind, RawKind::Sent { .. } | RawKind::Received { .. });
            if kept.steps.back().is_some_and(is_one) { kept.steps.pop_back() } else { None }
        });
        if let Some(Some(RawStep { kind: RawKind::Sent { place, .. }, .. })) = last {
            in_transit::take(place);
        }
    }
}

/// Calls the function with this thread's ring, if there is a recorder. Without a lock, nothing is recorded.
fn with_ring<R>(call: impl FnOnce(&Ring, &mut Kept, usize) -> R) -> Option<R> {
    // ORDERING: Relaxed, see `is_active`.
    let recorder = ACTIVE.load(Ordering::Relaxed);
    if recorder == 0 {
        return None;
    }
    // A thread that is ending has no ring any more. What drops a step may take one, and finds it borrowed.
    let ring = OWN.try_with(|own| {
        let mut own = own.try_borrow_mut().ok()?;
        if own.0 != recorder {
            *own = (recorder, join(recorder));
        }
        own.1.clone()
    });
    let ring = ring.ok().flatten()?;
    let mut kept = lock_soon(&ring.kept)?;
    Some(call(&ring, &mut kept, ring.limit))
}

/// Lists a ring for this thread.
fn join(recorder: usize) -> Option<Arc<Ring>> {
    let mut recorded = lock_soon(&RECORDED)?;
    let recorded = recorded.as_mut().filter(|it| it.recorder == recorder)?;
    if recorded.rings.len() >= MOST_THREADS {
        recorded.has_more_threads = true;
        return None;
    }
    let mut counts = lock_soon(&COUNTS)?;
    counts.1 += 1;
    let ring =
        Ring { thread: this_thread(), number: counts.1, limit: recorded.limit, kept: StaticLock::default() };
    let ring = Arc::new(ring);
    recorded.rings.push(ring.clone());
    Some(ring)
}
