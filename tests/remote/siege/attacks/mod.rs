//! The attackers: each does one attack after the other, chosen at random.

mod clients;
mod crowd;
mod datagrams;
mod garbage;
pub mod killed;
mod scripts;
mod streams;

use crate::away::{Away, Stream};
use crate::ledger::Ledger;
use crate::places::{Place, Places};
use pipes_remote_tests::peer::HEAD;
use pipes_remote_tests::raw::{FAULT, frames};
use pipes_tests::Random;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout};

/// How attackers come. What one kind uses up, another kind has still; honest clients are at 127.0.0.1.
#[derive(Clone, Copy, Debug)]
pub enum Guise {
    /// Few at a time, so that each end is known.
    Few,
    /// Many connections.
    Crowd,
    /// Many streams.
    Streams,
    /// Many sessions.
    Sessions,
}

impl Guise {
    fn from(self) -> Ipv4Addr {
        Ipv4Addr::new(127, 0, 0, 2 + self as u8)
    }

    /// The certificate that it shows where one is needed.
    fn shows(self, place: Place) -> Option<&'static str> {
        let shows = match self {
            Guise::Few => "insider",
            _ => "crowd",
        };
        place.is_known().then_some(shows)
    }

    pub fn at(self, places: &Places, place: Place) -> Away {
        Away::new(places, place, self.from(), self.shows(place))
    }
}

/// Every kind of attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Garbage,
    Datagrams,
    HalfTls,
    Crowd,
    Streams,
    Idle,
    Script,
    Recording,
    Certificate,
    Leaves,
    ShutWindow,
    Killed,
}

impl Kind {
    const ALL: [Kind; 12] = [
        Kind::Garbage,
        Kind::Datagrams,
        Kind::HalfTls,
        Kind::Crowd,
        Kind::Streams,
        Kind::Idle,
        Kind::Script,
        Kind::Recording,
        Kind::Certificate,
        Kind::Leaves,
        Kind::ShutWindow,
        Kind::Killed,
    ];

    fn name(self) -> &'static str {
        match self {
            Kind::Garbage => "bytes before any handshake",
            Kind::Datagrams => "datagrams",
            Kind::HalfTls => "half handshakes of TLS",
            Kind::Crowd => "connections that are held",
            Kind::Streams => "streams that are reset",
            Kind::Idle => "connections without a stream",
            Kind::Script => "bytes by hand",
            Kind::Recording => "changed recordings",
            Kind::Certificate => "certificates that are not trusted",
            Kind::Leaves => "clients that leave",
            Kind::ShutWindow => "clients that do not receive",
            Kind::Killed => "clients that are killed",
        }
    }

    fn is_at(self, place: Place) -> bool {
        match self {
            Kind::Garbage => !place.is_quic(),
            Kind::Datagrams | Kind::Streams | Kind::Idle => place.is_quic(),
            Kind::HalfTls => place.is_tls(),
            Kind::Certificate => place.is_known(),
            // One process attacks all places.
            Kind::Killed => place == Place::Unix,
            Kind::Crowd | Kind::Script | Kind::Recording | Kind::Leaves | Kind::ShutWindow => true,
        }
    }

    /// Every kind at every place.
    fn everywhere() -> Vec<(Kind, Place)> {
        let at = |kind: Kind| {
            Place::ALL.into_iter().filter(move |place| kind.is_at(*place)).map(move |at| (kind, at))
        };
        Kind::ALL.into_iter().flat_map(at).collect()
    }
}

/// What all attackers share.
#[derive(Debug)]
pub struct Camp {
    pub places: Places,
    pub ledger: Arc<Ledger>,
    /// What a client has sent in a whole session.
    pub recording: Vec<u8>,
    /// The datagrams of a whole session, in both directions.
    pub datagrams: Vec<Vec<u8>>,
    /// The connections that crowds may have at a time: a process may not have many more files.
    room: Semaphore,
}

/// How long the bank has connections of QUIC whose clients were killed.
const KILLED_LAST: Duration = Duration::from_secs(15);

/// See there.
const ROOM: usize = 500;
const FEW: usize = 10;

/// Longer than an attack lasts, on whatever machine.
const LONG: Duration = Duration::from_secs(180);

impl Camp {
    pub async fn new(places: Places, ledger: Arc<Ledger>) -> Self {
        let (recording, datagrams) = (scripts::recording().await, datagrams::recording(&places).await);
        Camp { places, ledger, recording, datagrams, room: Semaphore::new(ROOM) }
    }

    /// Room for this many connections, or for a few as soon as there is room for those.
    async fn room(&self, connections: usize) -> (SemaphorePermit<'_>, usize) {
        match self.room.try_acquire_many(connections as u32) {
            Ok(room) => (room, connections),
            Err(_) => {
                let few = connections.min(FEW);
                (self.room_for_all(few).await, few)
            }
        }
    }

    /// Room for this many connections.
    async fn room_for_all(&self, connections: usize) -> SemaphorePermit<'_> {
        self.room.acquire_many(connections as u32).await.expect("it is open")
    }

    /// Runs the attacker `number` of `of`, until it is to stop. First all do everything once, together.
    pub async fn attack(self: Arc<Self>, number: usize, of: usize, until: Instant, seed: u64) {
        let mut random = Random::new(seed);
        let everything = Kind::everywhere();
        let mut first = everything.iter().skip(number).step_by(of);
        loop {
            let (kind, place) = match first.next() {
                Some(first) => *first,
                None => {
                    let left = until.saturating_duration_since(Instant::now());
                    let (kind, place) = everything[random.below(everything.len() as u64) as usize];
                    match (left, kind) {
                        (Duration::ZERO, _) => return,
                        // Not in the end, so that it is not long until the bank is at rest.
                        (_, Kind::Killed) if left < KILLED_LAST => continue,
                        _ => (kind, place),
                    }
                }
            };
            let attack = Attack { camp: &self, kind: kind.name(), place, random: &mut random };
            if timeout(LONG, attack.run(kind)).await.is_err() {
                self.ledger.wrong(format!("{} at {place:?} does not end", kind.name()));
            }
        }
    }

    /// What must have happened, at whatever length.
    pub fn check(&self) {
        for (kind, place) in Kind::everywhere() {
            let (name, ledger) = (kind.name(), &self.ledger);
            assert_ne!(ledger.count(name, place), 0, "no {name}, {place:?}");
        }
        for (kind, end) in [
            (Kind::Script, "refused: another protocol"),
            (Kind::Crowd, "refused: too many sessions"),
            (Kind::Certificate, "no session"),
            (Kind::Leaves, "left"),
            (Kind::ShutWindow, "left"),
            (Kind::Killed, "killed"),
        ] {
            assert_ne!(self.ledger.ended(kind.name(), end), 0, "no {}: {end}\n{}", kind.name(), self.ledger);
        }
        let [script, lost] =
            [self.ledger.all(Kind::Script.name()), self.ledger.ended(Kind::Script.name(), scripts::LOST)];
        assert!(lost * 20 <= script, "{lost} of {script} were lost\n{}", self.ledger);
        assert!(self.ledger.all_wrong().is_empty(), "{:#?}", self.ledger.all_wrong());
    }
}

/// One attack.
struct Attack<'a> {
    camp: &'a Camp,
    kind: &'static str,
    place: Place,
    random: &'a mut Random,
}

impl Attack<'_> {
    async fn run(mut self, kind: Kind) {
        match kind {
            Kind::Garbage => self.garbage().await,
            Kind::Datagrams => self.datagrams().await,
            Kind::HalfTls => self.half_tls().await,
            Kind::Crowd => self.crowd().await,
            Kind::Streams => self.streams().await,
            Kind::Idle => self.idle().await,
            Kind::Script => self.scripts().await,
            Kind::Recording => self.recording().await,
            Kind::Certificate => self.certificate().await,
            Kind::Leaves => self.leaves().await,
            Kind::ShutWindow => self.shut_window().await,
            Kind::Killed => self.killed().await,
        }
    }

    fn note(&self, end: impl Into<String>) {
        self.camp.ledger.note(self.kind, self.place, end);
    }

    fn wrong(&self, what: String) {
        self.camp.ledger.wrong(format!("{}, {:?}: {what}", self.kind, self.place));
    }

    fn at(&self, guise: Guise) -> Away {
        guise.at(&self.camp.places, self.place)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit as u64) as usize
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).map(|_| self.random.below(256) as u8).collect()
    }
}

/// Reads until the bank ends the stream, or until this long has passed: what it has said, and whether it
/// has ended.
async fn read(stream: &mut Stream, time: Duration) -> (Vec<u8>, bool) {
    let mut said = Vec::new();
    // A stream that is reset has ended as well.
    let is_over = timeout(time, stream.read_to_end(&mut said)).await.is_ok();
    (said, is_over)
}

/// What the bank has said to a client by hand.
fn told(said: &[u8]) -> String {
    let refused = match (said.get(HEAD), said.get(HEAD + 1)) {
        // What TLS says to bytes that are none of it is no word of the bank.
        _ if !said.starts_with(b"pipe") => return "no word".into(),
        (Some(0) | None, _) => None,
        (Some(_), reason) => reason,
    };
    match refused {
        Some(0) => return "refused: another protocol".into(),
        Some(2) => return "refused: an unknown protocol".into(),
        Some(4) => return "refused: busy".into(),
        Some(5) => return "refused: too many sessions".into(),
        Some(other) => return format!("refused: {other}"),
        None => {}
    }
    let fault = frames(said).into_iter().rfind(|(code, _)| *code == FAULT);
    match fault {
        Some((_, words)) => format!("fault: {}", String::from_utf8_lossy(&words)),
        None => "a session".into(),
    }
}

/// What the bank has said, without numbers and reasons, so that there are not too many kinds.
fn kind_of(told: &str) -> String {
    let words: Vec<_> = told.split(' ').take_while(|it| !it.starts_with('`')).collect();
    let words: Vec<_> = words.into_iter().filter(|it| it.parse::<u64>().is_err()).collect();
    let mut kind = words.join(" ");
    if let Some((at, _)) = kind.match_indices(':').nth(1) {
        kind.truncate(at);
    }
    kind
}
