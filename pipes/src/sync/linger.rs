//! The short wait before a thread goes to sleep.
//!
//! Sleeping and being woken costs two system calls and, where an idle core has to be roused, some ten
//! microseconds. Two cheaper things come first.
//!
//! *Looking again for a moment.* Two threads that answer each other at once, each on a core of its own, lose
//! a hundred times more by sleeping than by this; a hundred threads on two cores lose by every moment of it.
//! No fixed time suits both, so each thread learns its own: it begins with hope, a wait that was answered in
//! time renews it, each wait in vain halves it, and without hope it looks no more but for a trial now and
//! then. What is at stake is bounded by [`LONGEST`], about what one sleep and one wake-up cost: the classic
//! bound of the ski-rental problem. (Less would not do: a peer that went to sleep just once would never be
//! back in time, and the two would put each other to sleep for ever.)
//!
//! *Letting others go first, twice.* If the peer waits for this very core it can run now, and what it sends
//! is there when this thread comes back; in a crowd of threads more than one message is. Not in a loop: a
//! thread with nobody to wait for gets the core back at once, and sleeps. A thread that has waited in vain
//! many times in a row does so four times instead. It gains nothing by that itself, for its message is far
//! away; but for a moment longer its core does not fall asleep, and where work wanders from thread to thread
//! the next one finds a core that is awake.
//!
//! A third thing is for senders that may run ahead, those of streams: a message that came at the very first
//! look says that the receiver is at the sender's heels, where the two fight over one cache line for every
//! message. Falling back for [`HEADSTART`] pauses lets a run of messages come, and halves the price of each.

use std::cell::Cell;
use std::hint::spin_loop;
use std::sync::OnceLock;
use std::thread::yield_now;
use std::time::Instant;

/// The longest look, in nanoseconds: roughly the cost of one sleep and one wake-up, where a core has to be
/// woken as well.
const LONGEST: u32 = 25_000;
/// Shorter looks than this are not worth the trouble: the thread stops hoping.
const SHORTEST: u32 = 1_000;
/// How many waits a thread without hope lets pass before it tries the longest look once more: a peer that has
/// gone to sleep as well must be given the time to wake up.
const PATIENCE: u32 = 256;
/// How many pauses of the processor a sender gets that may run ahead.
const HEADSTART: u32 = 16;
/// How often others go first,
const COURTESIES: u32 = 2;
/// and how often after this many waits in vain.
const COURTESIES_IN_VAIN: u32 = 4;
const MANY: u32 = 16;
/// How often where all others are known to work for each other.
const COURTESIES_IN_A_CROWD: u32 = 6;

thread_local! {
    /// How long the next look may take, and how many waits went without one since the last trial.
    static HOPE: Cell<(u32, u32)> = const { Cell::new((LONGEST, 0)) };
    /// How many waits in a row ended with sleep.
    static IN_VAIN: Cell<u32> = const { Cell::new(0) };
}

/// True if another core can be running the peer; asked once a process.
fn has_other_core() -> bool {
    static OTHER: OnceLock<bool> = OnceLock::new();
    *OTHER.get_or_init(|| std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1))
}

/// Waits a moment for `arrived`; `runs_ahead` says that the sender may go on sending. True: it has.
pub(crate) fn linger(runs_ahead: bool, mut arrived: impl FnMut() -> bool) -> bool {
    (has_other_core() && look(runs_ahead, &mut arrived)) || let_others_run(arrived)
}

/// Lets others go first. True: what the thread waits for has arrived.
fn let_others_run(mut arrived: impl FnMut() -> bool) -> bool {
    // A thread that is being torn down has no experience left.
    let in_vain = IN_VAIN.try_with(Cell::get).unwrap_or(0);
    let times = if in_vain < MANY { COURTESIES } else { COURTESIES_IN_VAIN };
    let came = (0..times).any(|_| {
        yield_now();
        arrived()
    });
    let _ = IN_VAIN.try_with(|it| it.set(if came { 0 } else { in_vain.saturating_add(1) }));
    came
}

/// Waits a moment for `arrived` in a crowd of threads that work for each other: only by letting them run.
/// True: it has.
pub(crate) fn step_aside(mut arrived: impl FnMut() -> bool) -> bool {
    (0..COURTESIES_IN_A_CROWD).any(|_| {
        yield_now();
        arrived()
    })
}

/// Looks for `arrived` as long as this thread's experience says that looking pays.
fn look(runs_ahead: bool, mut arrived: impl FnMut() -> bool) -> bool {
    // A thread that is being torn down has no experience left, and goes without.
    let Ok((hope, skipped)) = HOPE.try_with(Cell::get) else { return false };
    if hope == 0 && skipped < PATIENCE {
        let _ = HOPE.try_with(|it| it.set((0, skipped + 1)));
        return false;
    }
    let budget = if hope == 0 { LONGEST } else { hope };
    let mut again = || {
        spin_loop();
        arrived()
    };
    let at_once = again();
    let came = at_once || {
        let begin = Instant::now();
        loop {
            if again() {
                break true;
            }
            if begin.elapsed().as_nanos() >= u128::from(budget) {
                break false;
            }
        }
    };
    if at_once && runs_ahead {
        (0..HEADSTART).for_each(|_| spin_loop());
    }
    let next = if came { (budget * 2).min(LONGEST) } else { hope / 2 };
    let _ = HOPE.try_with(|it| it.set((if next < SHORTEST { 0 } else { next }, 0)));
    came
}
