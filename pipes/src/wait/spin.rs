//! The short wait before a thread goes to sleep.
//!
//! Sleeping and being woken costs two system calls and, if an idle core has to be woken, about ten
//! microseconds. Two cheaper things come first.
//!
//! *Looking again for a moment.* Two threads that answer each other at once, each on its own core, lose a
//! hundred times more by sleeping than by looking; a hundred threads on two cores lose time with each look.
//! No fixed time suits both, so each thread learns its own *spin time*. It begins with the longest time. A
//! wait that succeeds in this time doubles it, and each wait that does not halves it. With a spin time of
//! zero the thread does not look, except for a trial now and then. The loss is bounded by [`LONGEST`], about
//! the cost of one sleep and one wake-up: the classic bound of the ski-rental problem. A shorter time would
//! not be enough: a peer that went to sleep once would never be back in time, and the two would always put
//! each other to sleep.
//!
//! *Yielding, twice.* If the peer waits for this core it can run now, and its message is there when this
//! thread comes back; with a crowd of threads there may be several messages. This is not a loop: if no other
//! thread wants the core, this thread gets it back at once, and sleeps. A thread that has waited without
//! success many times in a row yields four times instead. It gains nothing by that itself, because its
//! message is far away. But its core stays awake a moment longer, and where work moves from thread to thread
//! the next thread finds a core that is awake.
//!
//! Beside a program that computes, a yield is expensive: Linux gives the core to that program for whole
//! slices of some milliseconds, while a thread that sleeps is run soon after it is woken. So a thread notices
//! a yield that came back [`LATE`], and goes to sleep at once in its next waits, until it tries again.
//!
//! *Resting* is a third thing, for a receiver whose sender may run ahead, as in a stream. If a message comes
//! at the very first look, the receiver follows the sender so closely that the two compete for a cache line
//! with each message. A *rest* lets more messages come, and halves the cost of each. It begins with
//! [`HEADSTART`] pauses, and a message that comes alone waits no longer than that. As long as the sender gets
//! further ahead, the rest doubles. It ends before the sender could fill half of its room, and before
//! [`LONGEST_REST`].

use crate::sync::{OnceLock, available_parallelism, yield_now};
use std::cell::Cell;
use std::hint::spin_loop;
use std::time::{Duration, Instant};

/// The longest time to look, in nanoseconds: roughly the cost of one sleep and one wake-up, if a core has to
/// be woken as well.
const LONGEST: u32 = 25_000;
/// A shorter time than this is not worth it: the spin time becomes zero.
const SHORTEST: u32 = 1_000;
/// The number of waits without a look before a thread with a spin time of zero tries the longest time once
/// more: a peer that has gone to sleep as well needs the time to wake up.
const TRIAL_AFTER: u32 = 256;
/// The number of processor pauses in the first step of the rest that a receiver gives a sender which may run
/// ahead.
const HEADSTART: usize = 16;
/// A sender that runs ahead sends a message in less time than this number of pauses takes.
const PAUSES_A_MESSAGE: usize = 16;
/// The longest rest, in nanoseconds, if it is longer than the first pauses.
const LONGEST_REST: usize = 8_000;
/// Roughly what a message costs a sender that runs ahead, in nanoseconds.
const MESSAGE: usize = 8;
/// The number of times that a thread yields.
const YIELDS: u32 = 2;
/// The number of times that a thread yields after [`MANY_FAILURES`] waits without success in a row.
const YIELDS_AFTER_MANY: u32 = 4;
const MANY_FAILURES: u32 = 16;
/// A yield that takes longer than this has let a thread run that computes. This is less than a slice of Linux
/// (3 ms), and more than a crowd of threads needs that handle a message each.
const LATE: Duration = Duration::from_millis(1);
/// The number of waits without a yield after the first late one. It doubles with each late one.
const FEWEST_SKIPPED: u32 = 16;
/// The largest such number. With it, the loss of a slice now and then costs less than a sleep and a wake-up
/// in each wait.
const MOST_SKIPPED: u32 = 2048;

/// A model neither spins nor yields: it explores the sleep.
const IS_ON: bool = cfg!(not(pipes_loom));

thread_local! {
    /// The spin time, which is how long the next look may take, and the number of waits without a look since
    /// the last trial.
    static SPIN_TIME: Cell<(u32, u32)> = const { Cell::new((LONGEST, 0)) };
    /// The number of waits in a row that ended in sleep.
    static FAILURES: Cell<u32> = const { Cell::new(0) };
    /// The number of waits that still go to sleep without a yield, and what that number will be after the
    /// next late yield.
    static SKIPPED: Cell<(u32, u32)> = const { Cell::new((0, FEWEST_SKIPPED)) };
}

/// Returns `true` if another core can run the peer. It is computed once in a process.
fn has_other_core() -> bool {
    static OTHER: OnceLock<bool> = OnceLock::new();
    *OTHER.get_or_init(|| available_parallelism().is_ok_and(|cores| cores.get() > 1))
}

/// Waits a short time for `arrived`. Returns what `arrived` returned last.
///
/// `most` is the number of messages that may come in a row, and `ahead` says whether at least a number of
/// them has come behind the first one.
///
/// What this function calls is compiled once, and not for each type of `arrived`: otherwise it would be a
/// tenth of what is compiled for a program with many ends.
pub(crate) fn spin_then_yield(
    most: usize,
    mut arrived: impl FnMut() -> bool,
    mut ahead: impl FnMut(usize) -> bool,
) -> bool {
    IS_ON && look_and_yield(most, &mut arrived, &mut ahead)
}

fn look_and_yield(
    most: usize,
    arrived: &mut dyn FnMut() -> bool,
    ahead: &mut dyn FnMut(usize) -> bool,
) -> bool {
    (has_other_core() && look(most, arrived, ahead)) || yield_a_few_times(arrived)
}

/// Yields a few times. Returns what `arrived` returned last.
fn yield_a_few_times(arrived: &mut dyn FnMut() -> bool) -> bool {
    // The counter of a thread that is ending is gone.
    let failures = FAILURES.try_with(Cell::get).unwrap_or(0);
    let came = yield_up_to(if failures < MANY_FAILURES { YIELDS } else { YIELDS_AFTER_MANY }, arrived);
    let _ = FAILURES.try_with(|it| it.set(if came { 0 } else { failures.saturating_add(1) }));
    came
}

/// Yields until `arrived`, at most `times` times, and not at all while this thread remembers that a yield
/// came back late. Returns what `arrived` returned last.
fn yield_up_to(times: u32, arrived: &mut dyn FnMut() -> bool) -> bool {
    // A thread that is ending no longer has what it has learnt, so it does not yield.
    let Ok((skipped, next)) = SKIPPED.try_with(Cell::get) else { return false };
    if skipped > 0 {
        let _ = SKIPPED.try_with(|it| it.set((skipped - 1, next)));
        return false;
    }
    let mut begin = Instant::now();
    for _ in 0..times {
        yield_now();
        let end = Instant::now();
        let (is_late, came) = (end.duration_since(begin) > LATE, arrived());
        if is_late {
            let _ = SKIPPED.try_with(|it| it.set((next, (next * 2).min(MOST_SKIPPED))));
        } else if came && next > FEWEST_SKIPPED {
            let _ = SKIPPED.try_with(|it| it.set((0, next / 2)));
        }
        if is_late || came {
            return came;
        }
        begin = end;
    }
    false
}

/// Calls `arrived` again and again for as long as this thread's spin time.
fn look(most: usize, arrived: &mut dyn FnMut() -> bool, ahead: &mut dyn FnMut(usize) -> bool) -> bool {
    // The spin time of a thread that is ending is gone, so it does not look.
    let Ok((spin_time, skipped)) = SPIN_TIME.try_with(Cell::get) else { return false };
    if spin_time == 0 && skipped < TRIAL_AFTER {
        let _ = SPIN_TIME.try_with(|it| it.set((0, skipped + 1)));
        return false;
    }
    let longest = if spin_time == 0 { LONGEST } else { spin_time };
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
            if begin.elapsed().as_nanos() >= u128::from(longest) {
                break false;
            }
        }
    };
    if at_once && most > 1 {
        rest(most, ahead);
    }
    let next = if came { (longest * 2).min(LONGEST) } else { spin_time / 2 };
    let _ = SPIN_TIME.try_with(|it| it.set((if next < SHORTEST { 0 } else { next }, 0)));
    came
}

/// Rests, so that a sender which may send `most` messages in a row gets ahead. Each step is as long as all
/// those before it, so there are few looks, which would take lines from the sender.
fn rest(most: usize, ahead: &mut dyn FnMut(usize) -> bool) {
    let longest = LONGEST_REST.min((most / 2).saturating_mul(MESSAGE));
    let begin = Instant::now();
    let mut pauses = HEADSTART;
    (0..HEADSTART).for_each(|_| spin_loop());
    while begin.elapsed().as_nanos() * 2 < longest as u128 && ahead(pauses / PAUSES_A_MESSAGE) {
        (0..pauses).for_each(|_| spin_loop());
        pauses *= 2;
    }
}

/// Pauses for a few microseconds, so that other threads get ahead with memory for which they compete. If two
/// threads touch a cache line in turn, each of them waits for it longer than a send takes; one thread alone
/// does about a hundred sends in the time of this pause.
#[cold]
pub(crate) fn back_off() {
    const MOMENT: Duration = Duration::from_micros(3);
    let begin = Instant::now();
    while IS_ON && begin.elapsed() < MOMENT {
        spin_loop();
    }
}
