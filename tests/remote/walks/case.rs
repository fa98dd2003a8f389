//! One random protocol, and its sessions.

use crate::arena::{Arena, WINDOWS};
use crate::carried::Carrier;
use crate::endings::Sums;
use crate::player::Walk;
use pipes::remote::{Relay, Remote};
use pipes::{Listener, Protocol, remote::Link};
use pipes_remote::Via;
use pipes_remote::engine::Engine;
use pipes_remote_tests::{Net, Plan, size};
use pipes_tests::OnPanic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The client's first endpoint.
pub type ClientOf<W> = <<W as Spoken>::Protocol as Protocol>::Client;
/// The server's first endpoint.
pub type ServerOf<W> = <<W as Spoken>::Protocol as Protocol>::Server;
/// What accepts sessions.
pub type ListenerOf<W> = Listener<<W as Spoken>::Protocol, (ServerOf<W>, Link)>;

/// A random protocol. The build script implements it for one type a protocol.
pub trait Spoken: 'static {
    type Protocol: Remote<
            Client: Send,
            Server: Send,
            Calls: Relay<Carrier> + Send + Unpin,
            Serves: Relay<Carrier> + Send + Unpin,
        >;

    const NAME: &'static str;
    /// The protocol, as the macro read it.
    const TEXT: &'static str;

    fn client(endpoint: ClientOf<Self>) -> Walk
    where
        Self: Sized;
    fn server(endpoint: ServerOf<Self>) -> Walk
    where
        Self: Sized;
}

/// Walks a protocol in many sessions, and says which one runs.
pub type Walked = fn(Running) -> Sums;

/// A random protocol, and its walks over each kind of connection.
pub struct Case {
    name: &'static str,
    text: &'static str,
    pub memory: Walked,
    /// Over Unix sockets, or over TCP where there are none.
    pub socket: Walked,
    pub chopped: Walked,
}

impl Case {
    pub const fn of<W: Spoken>() -> Self {
        #[cfg(unix)]
        let socket: Walked = |running| {
            let folder = tempfile::tempdir().expect("there is room");
            all::<W, _>(running, |window| pipes_remote::unix(folder.path().join(window.to_string())))
        };
        #[cfg(not(unix))]
        let socket: Walked =
            |running| all::<W, _>(running, |_| pipes_remote::tcp_free_port().expect("there is a free port"));
        Case {
            name: W::NAME,
            text: W::TEXT,
            memory: |running| all::<W, _>(running, |_| pipes_remote::memory()),
            socket,
            chopped: |running| all::<W, _>(running, pieces),
        }
    }

    /// From now on a failure is reported as this protocol's, and as the running session's.
    pub fn tell(&self, over: &'static str) -> (Running, OnPanic<impl Fn()>) {
        let running = Running::default();
        let now = running.clone();
        let report = move || {
            let [window, session] = [0, 1].map(|at: usize| now.0[at].load(Ordering::Relaxed));
            let Case { name, text, .. } = self;
            eprintln!("PIPES_WALK={session} with a window of {window} over {over} fails, of {name}:\n{text}");
        };
        (running, OnPanic(report))
    }
}

/// Connections whose reads and writes move few bytes, of which few are under way, with heartbeats at every
/// moment.
fn pieces(window: usize) -> Via<Net> {
    let (piece, room) = match window {
        1 => (1, 1),
        2 => (7, 10),
        16 => (100, 90),
        _ => (5_000, 300),
    };
    let net = Net::of(Plan { piece, room, keeps_history: false, ..Plan::default() });
    net.via().beat(Duration::from_millis(1)).lost(Duration::from_secs(15))
}

/// All sessions of a protocol over one kind of connection.
fn all<W: Spoken, E: Engine>(running: Running, via: impl Fn(usize) -> Via<E>) -> Sums {
    let (first, sessions) = (size("PIPES_WALK", 0), size("PIPES_WALKS", 12));
    let mut sums = Sums::default();
    for window in WINDOWS {
        let mut arena = Arena::<W, E>::new(via(window), window);
        for session in first..first + sessions {
            running.begin(window, session);
            arena.run(session).iter().for_each(|record| sums.add(record));
        }
    }
    sums
}

/// The session that runs: its window and its number.
#[derive(Clone, Default)]
pub struct Running(Arc<[AtomicU64; 2]>);

impl Running {
    fn begin(&self, window: usize, session: u64) {
        self.0[0].store(window as u64, Ordering::Relaxed);
        self.0[1].store(session, Ordering::Relaxed);
    }
}
