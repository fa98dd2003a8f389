//! Waiting: how a thread, a task or a set waits for another side, and how it is woken.
//!
//! The structures in which one side waits for another are in [`slot`](crate::slot) and above it. Each
//! implements [`Waitable`], which says how a waiter is registered there and taken back. All that waiting has
//! in common is here.
//!
//! | file | what |
//! |---|---|
//! | `ends` | what a sleeping thread waits for, as data |
//! | `running` | threads and tasks, and futures that wait, as data |
//! | `polled` | whose future a thread polls; only with a feature |
//! | `noted_polls` | how the polls and the wakes of a future are noted; only with a feature |
//! | `living` | what is known of a living channel, as data |
//! | `uses` | notes what happens to the ends of a channel; only with a feature |
//! | `table` | what was noted of the living channels; only with a feature |
//! | `pending` | the futures that wait, and for what; only with a feature |
//! | `in_transit` | the numbers of messages that were sent and not received; only with a feature |
//! | `rings` | where threads keep their last steps; only with a feature |
//! | `steps` | what threads do, step by step; only with a feature |
//! | `wake_flag` | says that a waiting thread was woken |
//! | `sleepers` | the threads that sleep, for others to see |
//! | `park` | the only function that puts a thread to sleep |
//! | `spin` | the short wait before that, which learns whether it pays |
//! | `waiter` | a thread, a task or a set that waits, in the shape of a waker |
//! | `waiter_cell` | where a side puts its waiter for the other side |
//! | `shared_waiter` | a cell on the heap, for an owner that any of several others may wake |
//! | `waitable` | how a thread and a task wait, the same for each structure |
//! | `wakers` | a list of wakers, and wakers to be woken after a lock is released |
//! | `tests` | wakers for the unit tests of all layers |
//! | `waiters` | a count of events, and all that wait for the next one |
//! | `budget` | when a task yields to other tasks although a message is there |
//!
//! # Layers
//!
//! Uses `sync`; used by all other layers.

pub(crate) mod budget;
mod ends;
#[cfg(all(feature = "inspect", not(pipes_loom)))]
mod in_transit;
mod living;
#[cfg(feature = "inspect")]
mod noted_polls;
mod park;
mod pending;
#[cfg(feature = "inspect")]
mod polled;
#[cfg(all(feature = "inspect", not(pipes_loom)))]
pub(crate) mod rings;
mod running;
mod shared_waiter;
mod sleepers;
mod spin;
pub(crate) mod steps;
#[cfg(feature = "inspect")]
mod table;
#[cfg(all(test, not(pipes_loom)))]
pub(crate) mod tests;
pub(crate) mod uses;
mod waitable;
mod waiter;
mod waiter_cell;
mod waiters;
mod wake_flag;
mod wakers;

pub use self::ends::{Awaited, EndList};
pub(crate) use self::ends::{AwaitedEnd, Caller, EndInfo, Ends, Other, Side};
pub(crate) use self::living::{Holder, LivingChannel, LivingSide};
pub(crate) use self::park::wait_until;
pub use self::pending::PendingWait;
pub(crate) use self::pending::{look_at_pending, polled_by_thread};
#[cfg(feature = "inspect")]
pub(crate) use self::polled::polled_by;
#[cfg(feature = "inspect")]
pub(crate) use self::running::Runner;
pub(crate) use self::running::SeenPending;
pub use self::running::{TaskId, ThreadOrTask};
pub(crate) use self::shared_waiter::SharedWaiter;
pub(crate) use self::sleepers::{Seen, end_sleep, look_at_sleepers};
pub(crate) use self::spin::{back_off, spin_then_yield};
pub(crate) use self::waitable::{Taken, Waitable, wait_for};
pub(crate) use self::waiter::{Waiter, wake};
pub(crate) use self::waiter_cell::{CellIndex, Party, Registration, WaiterCell};
pub(crate) use self::waiters::{Count, Entry, Look, Waiters, Waiting};
pub(crate) use self::wakers::{DeferredWakes, WakerList};
