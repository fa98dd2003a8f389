//! The latest value, and the receivers that wait for it to change.
//!
//! | file | what |
//! |---|---|
//! | `cell` | the value, and a borrow of it |
//! | `chan`, `port` | the ends |
//!
//! # Access
//!
//! | what | who |
//! |---|---|
//! | the value | a thread that holds the lock, for writing or for reading; users read it with the lock |
//! | the count of changes | its own steps (`wait::Waiters`); only a thread that holds the lock for writing adds to it |
//!
//! So a receiver that holds the lock for reading knows which change it sees.
//!
//! # Layers
//!
//! Uses `wait` and `endpoint`, and tokens of `slot`; used by nothing.

mod cell;
mod chan;
mod port;

pub use self::cell::WatchRef;
pub use self::chan::WatchChan;
pub use self::port::WatchPort;

use self::cell::WatchCell;
use crate::sync::Arc;

/// Creates a channel that has the latest value only: a [`WatchPort`] looks at the value when it likes, and
/// waits until it has changed.
///
/// A receiver that is slow does not see each value, but the last one in any case. The initial value counts as
/// seen. The channel closes when the [`WatchChan`] is dropped; its last value can still be borrowed, and if a
/// receiver has not seen it, that is still a change.
///
/// A value is borrowed under a lock that all receivers share. So **a borrow that is held blocks the sender**,
/// and all that want to borrow after it: keep a [`WatchRef`] for a moment, not across an `await`, and send
/// nothing in the same channel while you have one.
///
/// A wait may take an allocation. The last step of a send is to wake the receivers that wait. If the waker of
/// a task panics there, the panic goes on in the sender, and the value was sent.
///
/// ```
/// let (chan, mut port) = pipes::watch("starting");
/// assert_eq!(*port.borrow(), "starting");
/// let waiting = std::thread::spawn(move || {
///     port.changed()?;
///     Ok::<_, pipes::RecvError>(*port.borrow())
/// });
/// chan.send("running")?;
/// assert_eq!(waiting.join().expect("it does not panic")?, "running");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "state")]
#[doc(alias = "latest")]
pub fn watch<T>(initial: T) -> (WatchChan<T>, WatchPort<T>) {
    let cell = Arc::new(WatchCell::new(initial));
    let port = WatchPort::new(cell.clone());
    (WatchChan::new(cell), port)
}
