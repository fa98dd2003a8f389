//! The registry of programs: for each, a folder, its `mod` line, and one line in [`ALL`].

mod broadcast;
mod fanin;
mod lateness;
mod msgsend;
mod oneshot;
mod pingpong;
mod rpc;
mod select;
mod session;
mod stream;
mod threadring;
mod watch;
mod workqueue;

use pipes_benches::entry::Entry;

/// Every program of this package, in the order of `list` and `all`.
pub static ALL: &[Entry] = &[
    Entry::of::<pingpong::Pingpong>(),
    Entry::of::<oneshot::Oneshot>(),
    Entry::of::<session::Session>(),
    Entry::of::<stream::Stream>(),
    Entry::of::<fanin::Fanin>(),
    Entry::of::<workqueue::Workqueue>(),
    Entry::of::<broadcast::Broadcast>(),
    Entry::of::<watch::Watch>(),
    Entry::of::<select::Select>(),
    Entry::of::<msgsend::Msgsend>(),
    Entry::of::<threadring::Threadring>(),
    Entry::of::<rpc::Rpc>(),
    Entry::of::<lateness::Lateness>(),
];
