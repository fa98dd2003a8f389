//! Shows what the threads of a running program wait for.
//!
//! A debugger says of a program that stands still only that its threads sleep. [`snapshot()`] says of each
//! thread that sleeps in this library what it waits for, since when, and at which line:
//!
//! ```
//! # #[cfg(feature = "proto")] {
//! use pipes::inspect::{Sleeper, snapshot};
//! use std::thread;
//!
//! pipes::proto! {
//!     bank {
//!         login: send { login(String) -> answer }
//!         answer: recv { ok -> ! , refused -> login }
//!     }
//! }
//!
//! let (client, server) = bank::pipe();
//! let till = thread::Builder::new().name("till".to_owned()).spawn(|| {
//!     let client = client.login("Ada".to_owned()).expect("the server is there");
//!     client.recv()
//! })?;
//!
//! let is_till = |it: &Sleeper| it.name.as_deref() == Some("till");
//! let asleep = loop {
//!     if let Some(till) = snapshot().sleepers.into_iter().find(is_till) {
//!         break till;
//!     }
//!     thread::yield_now();
//! };
//! assert_eq!(
//!     asleep.waits_for[0].to_string(),
//!     "a message at bank::Client<Answer>: the server sends `ok` or `refused`",
//! );
//! # drop(server);
//! # assert!(till.join().expect("it does not panic").is_err());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This works in every build, also in a release build. A sleep takes one or two percent longer for it, and
//! what does not sleep takes as long as without it. So a program can always be asked, for example by a
//! thread that notices that nothing moves. On Unix, [`serve`](fn.serve.html) lets other programs ask, and the
//! program `pipes-top` shows their answers live.
//!
//! [`deadlocks()`] finds threads that wait for each other, [`watch()`] prints them when nothing moves, and
//! [`test()`] lets a test fail with them. The page *When nothing moves* of the guide shows what they say of
//! five classic mistakes.
//!
//! With the feature `inspect`, [`record`](fn.record.html) keeps the last steps of all threads: what they have
//! sent to each other, and when they have slept. A recording is data, and can be drawn as a sequence chart.
//!
//! # What it sees
//!
//! - Threads that sleep in a method of this crate: in a receive, in a send that waits for room, in
//!   [`select!`](crate::select!), in a set, in an accept. Also those inside a
//!   [`block_on`](crate::block_on()), of which it knows the line.
//! - With the feature `inspect`, which makes each step slower: what the future of a `block_on` waits for; the
//!   tasks of executors, which [`named`] gives names; all living channels, with their unread messages; and
//!   which thread or task has used each end last.
//! - Not threads that compute, or that sleep elsewhere: in a lock, or in a `read`.
//!
//! A thread looks for a moment before it sleeps, so it is listed some microseconds after its call.
//!
//! # Layers
//!
//! Uses `wait`; used only by the crate's surface.

mod deadlock;
mod declare;
mod display;
mod json;
mod knots;
mod names;
#[cfg(all(feature = "inspect", not(pipes_loom)))]
mod recorder;
#[cfg(all(feature = "inspect", not(pipes_loom)))]
mod recording;
#[cfg(all(feature = "inspect", not(pipes_loom)))]
mod sequence;
#[cfg(all(feature = "inspect", not(pipes_loom)))]
mod sequence_svg;
#[cfg(all(unix, not(pipes_loom)))]
mod server;
mod snapshot;
#[cfg(all(unix, not(pipes_loom)))]
mod socket_file;
mod watch;

pub use self::deadlock::{Deadlock, Verdict, deadlocks, standing};
pub use self::declare::{named, scope};
#[cfg(all(feature = "inspect", not(pipes_loom)))]
pub use self::recorder::{Recorder, note, record};
#[cfg(all(feature = "inspect", not(pipes_loom)))]
pub use self::recording::{
    Event, RecordedChannel, RecordedMessage, RecordedThread, RecordedWait, Recording, Step,
};
#[cfg(all(unix, not(pipes_loom)))]
pub use self::server::{SnapshotServer, serve};
pub use self::snapshot::{Channel, ChannelId, ChannelSide, HeldBy, Sleeper, Snapshot, Wait, snapshot};
pub use self::watch::{Watch, test, watch};
pub use crate::blocking::block_until_for;
pub use crate::wait::{Awaited, TaskId, ThreadOrTask};
