//! The short wait before a thread goes to sleep.
//!
//! Two threads that answer each other at once, each on a core of its own, lose twenty times more by sleeping than by
//! waiting a little; a hundred threads on two cores lose by every wait. No fixed number suits both, so each thread learns
//! its own: it begins with hope, a wait that was answered in time renews it, each wait in vain takes an eighth of it away,
//! and without hope it goes to sleep at once but for a trial now and then. What is at stake is bounded by [`LONGEST`],
//! about what one sleep and one wake-up cost: the classic bound of the ski-rental problem.

use std::cell::Cell;
use std::hint::spin_loop;
use std::sync::OnceLock;

/// The longest wait, in pauses of the processor: roughly the cost of one sleep and one wake-up.
const LONGEST: u32 = 256;
/// Shorter waits than this are not worth the trouble: the thread stops hoping.
const SHORTEST: u32 = 16;
/// How many waits a thread without hope lets pass before it tries the longest wait once more: a peer that has gone to
/// sleep as well must be given the time to wake up.
const PATIENCE: u32 = 64;

thread_local! {
    /// How many pauses the next wait may take, and how many waits were skipped since the last probe.
    static HOPE: Cell<(u32, u32)> = const { Cell::new((LONGEST, 0)) };
}

/// True if another core can be running the peer; asked once a process.
fn has_other_core() -> bool {
    static OTHER: OnceLock<bool> = OnceLock::new();
    *OTHER.get_or_init(|| std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1))
}

/// Waits a moment for `arrived`, as long as this thread's experience says that waiting pays.
///
/// True: it has. Never yields to the scheduler, never waits longer than a sleep would cost.
pub(crate) fn spin(mut arrived: impl FnMut() -> bool) -> bool {
    if !has_other_core() {
        return false;
    }
    let Ok((hope, skipped)) = HOPE.try_with(Cell::get) else { return false };
    let budget = match hope {
        0 if skipped < PATIENCE => {
            let _ = HOPE.try_with(|it| it.set((0, skipped + 1)));
            return false;
        }
        0 => LONGEST,
        hope => hope,
    };
    let came = (0..budget).any(|_| {
        spin_loop();
        arrived()
    });
    let hope = match came {
        true => (budget * 2).min(LONGEST),
        false => hope.saturating_sub(hope / 8 + 1),
    };
    let _ = HOPE.try_with(|it| it.set((if hope < SHORTEST { 0 } else { hope }, 0)));
    came
}
