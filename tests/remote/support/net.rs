//! An engine whose connections do what their test wants.

use crate::cable::{Cable, Plan, Wire};
use pipes::remote::Peer;
use pipes_remote::Via;
use pipes_remote::engine::{Accept, Beats, Engine};
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// A place inside of this program. A clone is the same place.
#[derive(Clone, Debug, Default)]
pub struct Net(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    plan: Plan,
    cables: Vec<Cable>,
    listening: Option<mpsc::UnboundedSender<io::Result<Wire>>>,
    beats: Beats,
    is_eager: bool,
}

impl Net {
    /// A place whose connections are ordinary.
    pub fn new() -> Self {
        Self::default()
    }

    /// A place whose connections all do this.
    pub fn of(plan: Plan) -> Self {
        let net = Self::new();
        net.with(|inner| inner.plan = plan);
        net
    }

    fn with<T>(&self, action: impl FnOnce(&mut Inner) -> T) -> T {
        action(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns this place, whose clients do not wait for the answer.
    pub fn eager(self) -> Self {
        self.with(|inner| inner.is_eager = true);
        self
    }

    /// This place, with the usual settings.
    pub fn via(&self) -> Via<Net> {
        let via = Via::new(self.clone());
        if self.with(|inner| inner.is_eager) { via.eager() } else { via }
    }

    /// The connection with this number, from 0.
    pub fn cable(&self, number: usize) -> Cable {
        self.with(|inner| inner.cables[number].clone())
    }

    /// How many connections there were.
    pub fn cables(&self) -> usize {
        self.with(|inner| inner.cables.len())
    }

    /// The engine notices a silence of this time itself.
    pub fn with_own_heartbeats(self, lost: Duration) -> Self {
        self.with(|inner| inner.beats = Beats::Engine { lost });
        self
    }

    /// Returns `true` if anything accepts connections.
    pub fn is_bound(&self) -> bool {
        self.with(|inner| inner.listening.as_ref().is_some_and(|listening| !listening.is_closed()))
    }

    /// The next accept fails like this.
    pub fn fail_accept(&self, kind: ErrorKind) {
        self.with(|inner| {
            let listening = inner.listening.as_ref().expect("there is a listener");
            listening.send(Err(kind.into())).expect("there is a listener");
        });
    }

    /// There are no more connections to accept.
    pub fn close(&self) {
        self.with(|inner| inner.listening = None);
    }

    /// A connection for bytes by hand.
    pub fn dial(&self) -> io::Result<Wire> {
        self.with(|inner| {
            let plan = inner.plan;
            let (cable, ours, theirs) = Cable::new(plan);
            let listening = inner.listening.as_ref();
            // Outside of the `Result`, so that the ends are not dropped in the lock of this place.
            let sent = listening.map(|listening| listening.send(Ok(theirs)));
            if plan.keeps_history {
                inner.cables.push(cable);
            }
            match sent {
                Some(Ok(())) => Ok(ours),
                _ => Err(ErrorKind::ConnectionRefused.into()),
            }
        })
    }
}

impl Engine for Net {
    type Stream = Wire;
    type Accept = Accepts;

    fn address(&self) -> String {
        String::from("the net")
    }

    async fn open(&self) -> io::Result<(Wire, Peer)> {
        self.dial().map(|wire| (wire, Peer::new("a server")))
    }

    async fn bind(&self) -> io::Result<Accepts> {
        self.with(|inner| {
            if inner.listening.as_ref().is_some_and(|listening| !listening.is_closed()) {
                return Err(ErrorKind::AddrInUse.into());
            }
            let (sender, receiver) = mpsc::unbounded_channel();
            inner.listening = Some(sender);
            Ok(Accepts(receiver))
        })
    }

    fn beats(&self) -> Beats {
        self.with(|inner| inner.beats)
    }
}

/// What waits for connections.
#[derive(Debug)]
pub struct Accepts(mpsc::UnboundedReceiver<io::Result<Wire>>);

impl Accept for Accepts {
    type Stream = Wire;

    async fn accept(&mut self) -> Option<io::Result<(Wire, Peer)>> {
        let accepted = self.0.recv().await?;
        Some(accepted.map(|wire| (wire, Peer::new("a client"))))
    }
}
