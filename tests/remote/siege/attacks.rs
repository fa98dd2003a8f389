//! The attackers: each does one attack after the other, chosen at random.

use crate::places::{HANDSHAKE, Place, Places, SESSIONS};
use futures::future::join_all;
use pipes_remote::engine::{Engine, Quic};
use pipes_remote::{Via, over};
use pipes_remote_tests::children::{Another, say, wait_for_ever};
use pipes_remote_tests::raw::{HEAD, Hello, append, read_envelope};
use pipes_remote_tests::stranger::{Ending, parley, recordings, send};
use pipes_tests::Random;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream, UdpSocket, UnixStream};
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep, timeout};

/// The attackers at a time.
const ATTACKERS: usize = 16;

/// Longer than an attack lasts, on whatever machine.
const LONG: Duration = Duration::from_secs(180);

/// How long the service has connections of QUIC whose clients were killed.
const KILLED_LAST: Duration = Duration::from_secs(15);

/// The address of attackers; honest clients are at 127.0.0.1.
fn from() -> SocketAddr {
    (Ipv4Addr::new(127, 0, 0, 2), 0).into()
}

/// Every kind of attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Bytes before any handshake.
    Garbage,
    Datagrams,
    /// Connections that are held, more than a peer may have.
    Crowd,
    /// Changed recordings of sessions.
    Recording,
    /// Certificates that are not trusted.
    Certificate,
    /// Clients that leave at any step.
    Leaves,
    /// Clients that ask for much and do not receive.
    DoesNotReceive,
    /// A process of clients that is killed.
    Killed,
}

impl Kind {
    fn is_at(self, place: Place) -> bool {
        match self {
            Kind::Garbage => place != Place::Quic,
            Kind::Datagrams => place == Place::Quic,
            Kind::Certificate => matches!(place, Place::Tls | Place::Quic),
            // One process attacks all places.
            Kind::Killed => place == Place::Unix,
            Kind::Crowd | Kind::Recording | Kind::Leaves | Kind::DoesNotReceive => true,
        }
    }

    /// Every kind at every place.
    fn everywhere() -> Vec<(Kind, Place)> {
        use Kind::*;
        let all = [Garbage, Datagrams, Crowd, Recording, Certificate, Leaves, DoesNotReceive, Killed];
        let at =
            |kind: Kind| Place::ALL.into_iter().filter(move |it| kind.is_at(*it)).map(move |it| (kind, it));
        all.into_iter().flat_map(at).collect()
    }
}

/// How often each kind of attack has ended in which way.
type Ends = Arc<Mutex<BTreeMap<(Kind, Place, &'static str), u64>>>;

pub struct Attackers {
    threads: Vec<JoinHandle<()>>,
    ends: Ends,
}

impl Attackers {
    pub fn come(places: &Places, time: Duration, seed: u64) -> Self {
        let (ends, until) = (Ends::default(), Instant::now() + time);
        let attacker = |number: usize| {
            let attacker = Attacker {
                ways: Ways::new(places),
                ends: ends.clone(),
                random: Random::new(seed * ATTACKERS as u64 + number as u64 + 1),
                recordings: Vec::new(),
            };
            let runtime = Handle::current();
            thread::spawn(move || runtime.block_on(attacker.attack(number, until)))
        };
        Attackers { threads: (0..ATTACKERS).map(attacker).collect(), ends: ends.clone() }
    }

    pub fn have_gone(&self) -> bool {
        self.threads.iter().all(JoinHandle::is_finished)
    }

    /// Asserts that none has failed, and that there was an attack of each kind everywhere.
    pub fn told(self) {
        for attacker in self.threads {
            attacker.join().expect("the service has done what it must not");
        }
        let ends = self.ends.lock().expect("nothing panics with it");
        for ((kind, place, end), count) in &*ends {
            println!("{count:>8} {kind:?}, {place:?}: {end}");
        }
        for (kind, place) in Kind::everywhere() {
            assert!(ends.keys().any(|it| (it.0, it.1) == (kind, place)), "no {kind:?}, {place:?}");
        }
    }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// The ways to the service.
#[derive(Clone)]
struct Ways {
    places: Places,
    /// Its streams share a connection.
    quic: Quic,
}

impl Ways {
    fn new(places: &Places) -> Self {
        Ways { places: places.clone(), quic: places.quic(Some("insider")) }
    }

    /// A stream of TCP, from the attackers' address.
    async fn tcp(self, place: Place) -> Option<TcpStream> {
        let socket = TcpSocket::new_v4().ok()?;
        socket.bind(from()).ok()?;
        socket.connect(self.places.address(place).parse().expect("it is an address")).await.ok()
    }

    /// A stream without a session.
    async fn stream(self, place: Place) -> Option<Box<dyn Stream>> {
        let opening = async {
            Some(match place {
                Place::Unix => Box::new(UnixStream::connect(self.places.address(place)).await.ok()?) as _,
                Place::Tcp => Box::new(self.tcp(place).await?) as _,
                Place::Tls => Box::new(self.places.tls(Some("insider")).open().await.ok()?.0) as _,
                Place::Quic => Box::new(self.quic.open().await.ok()?.0) as Box<dyn Stream>,
            })
        };
        timeout(Duration::from_secs(20), opening).await.ok()?
    }
}

struct Attacker {
    ways: Ways,
    ends: Ends,
    random: Random,
    /// What clients have sent in whole sessions.
    recordings: Vec<Vec<u8>>,
}

impl Attacker {
    /// First all do everything once, together.
    async fn attack(mut self, number: usize, until: Instant) {
        let everything = Kind::everywhere();
        let mut first = everything.iter().skip(number).step_by(ATTACKERS);
        self.recordings = recordings().await;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (kind, place) = match first.next() {
                Some(first) => *first,
                None if left.is_zero() => return,
                None => everything[self.below(everything.len())],
            };
            // Not in the end, so that it is not long until the service is at rest.
            if kind == Kind::Killed && left < KILLED_LAST && left < LONG && self.has_been(kind) {
                continue;
            }
            let end = timeout(LONG, self.run(kind, place)).await;
            let end = end.unwrap_or_else(|_| panic!("{kind:?} at {place:?} does not end"));
            *self.ends.lock().expect("nothing panics with it").entry((kind, place, end)).or_default() += 1;
        }
    }

    fn has_been(&self, kind: Kind) -> bool {
        self.ends.lock().expect("nothing panics with it").keys().any(|it| it.0 == kind)
    }

    async fn run(&mut self, kind: Kind, place: Place) -> &'static str {
        match kind {
            Kind::Garbage => self.garbage(place).await,
            Kind::Datagrams => self.datagrams().await,
            Kind::Crowd => self.crowd(place).await,
            Kind::Recording => self.recording(place).await,
            Kind::Certificate => self.certificate(place).await,
            Kind::Leaves | Kind::DoesNotReceive => self.client(place, kind == Kind::Leaves).await,
            Kind::Killed => self.killed().await,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit as u64) as usize
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).map(|_| self.random.below(256) as u8).collect()
    }

    async fn stream(&self, place: Place) -> Option<Box<dyn Stream>> {
        self.ways.clone().stream(place).await
    }

    /// Bytes without any handshake, below that of TLS as well. They are not held for ever, and have no
    /// session.
    async fn garbage(&mut self, place: Place) -> &'static str {
        let stream = match place {
            Place::Unix => self.stream(place).await,
            _ => self.ways.clone().tcp(place).await.map(|stream| Box::new(stream) as _),
        };
        let Some(mut stream) = stream else { return "not reached" };
        // Something that looks like a beginning, now and then.
        let begin = [&b""[..], b"pipe\x01", b"\x16\x03\x01", b"\x16\x03\x01\x02\x00\x01"][self.below(4)];
        let bytes = [begin, &self.bytes(2000)].concat();
        let _ = stream.write_all(&bytes).await;
        if self.below(2) == 0 {
            let _ = stream.shutdown().await;
        }
        let mut said = Vec::new();
        // Those of TLS have their time twice: for the handshake of TLS, and for that inside.
        let is_over = timeout(5 * HANDSHAKE, stream.read_to_end(&mut said)).await.is_ok();
        let is_taken = said.starts_with(b"pipe") && said.get(HEAD) == Some(&0);
        assert!(is_over && !is_taken, "{place:?}: {bytes:?} {said:?}");
        "ended"
    }

    async fn datagrams(&mut self) -> &'static str {
        let socket = UdpSocket::bind(from()).await.expect("there is a free port");
        socket.connect(self.ways.places.address(Place::Quic)).await.expect("it is an address");
        for _ in 0..1 + self.below(60) {
            let mut bytes = self.bytes(1500);
            // A long header with a version that is known, now and then.
            if bytes.len() > 5 && self.below(2) == 0 {
                bytes[0] |= 0xc0;
                bytes[1..5].copy_from_slice(&[0, 0, 0, self.below(3) as u8]);
            }
            let _ = socket.send(&bytes).await;
        }
        let (mut answer, mut answers) = ([0; 2048], 0);
        while let Ok(Ok(_)) = timeout(Duration::from_millis(300), socket.recv(&mut answer)).await {
            answers += 1;
            assert!(answers <= 2000, "it answers for ever");
        }
        if answers == 0 { "no answer" } else { "answers" }
    }

    /// Many streams that are silent, or have a session each.
    async fn crowd(&mut self, place: Place) -> &'static str {
        // At the Unix socket the crowd and honest clients are the same peer, so it leaves them room.
        let count = if place == Place::Unix { 10 } else { [20, SESSIONS + 20][self.below(2)] };
        let (silent, time) = (self.below(3) == 0, Duration::from_millis(self.random.below(2000)));
        let hello = Hello::of::<parley::Protocol>().bytes();
        let members = (0..count).map(|_| {
            let (ways, hello) = (self.ways.clone(), hello.clone());
            async move {
                let mut stream = ways.stream(place).await?;
                if !silent {
                    stream.write_all(&hello).await.ok()?;
                    timeout(time, read_envelope(&mut stream)).await.ok()?.ok()?;
                }
                sleep(time).await;
                Some(stream)
            }
        });
        let held = join_all(members).await.into_iter().flatten().count();
        if held == count { "held" } else { "some were ended" }
    }

    async fn recording(&mut self, place: Place) -> &'static str {
        let Some(stream) = self.stream(place).await else { return "not reached" };
        let number = self.below(self.recordings.len());
        let mut bytes = self.recordings[number].clone();
        for _ in 0..self.below(4) {
            let at = self.below(bytes.len());
            match self.below(4) {
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes.insert(at, self.random.below(256) as u8),
                2 => bytes.truncate(at.max(1)),
                _ => append(&mut bytes, self.random.below(20) as u32, &[0; 3]),
            }
        }
        let (piece, ending) =
            ([bytes.len(), 11][self.below(2)], [Ending::Goes, Ending::Ends, Ending::Waits][self.below(3)]);
        // A session that is valid so far lasts until it is silent for too long.
        let sending = send(stream, bytes.chunks(piece), || false, ending);
        if timeout(4 * HANDSHAKE, sending).await.is_ok() { "ended" } else { "held" }
    }

    async fn certificate(&mut self, place: Place) -> &'static str {
        let shows = [None, Some("stranger"), Some("expired")][self.below(3)];
        let is_taken = match place {
            Place::Tls => parley::connect_async(&Via::new(self.ways.places.tls(shows))).await.is_ok(),
            _ => parley::connect_async(&Via::new(self.ways.places.quic(shows))).await.is_ok(),
        };
        assert!(!is_taken, "a session with the certificate {shows:?}");
        "no session"
    }

    /// A client that leaves after some steps, or asks for much and does not receive it for a while.
    async fn client(&mut self, place: Place, leaves: bool) -> &'static str {
        let Some(stream) = self.stream(place).await else { return "not reached" };
        let via = over(stream).window(1 + self.below(10), 100);
        let Ok((client, link)) = parley::connect_with_link_async(&via).await else { return "not taken" };
        let (steps, mut client) = (self.below(20), client);
        for number in 0..steps as u64 {
            let Ok(next) = client.text("x".repeat(number as usize * 10)) else { return "closed" };
            let list = (0..2).map(|_| (number as u8, None)).collect();
            let Ok(answer) = next.list(list) else { return "closed" };
            if !leaves {
                sleep(Duration::from_millis(self.random.below(200))).await;
            } else if self.below(5) == 0 {
                return "left while it waits";
            }
            let Ok(parley::Answer::Number(2, next)) = answer.await else { return "closed" };
            let Ok(next) = next.turn() else { return "closed" };
            let Ok(parley::Answer::Again(next)) = next.await else { return "closed" };
            client = next;
        }
        drop(client);
        if self.below(2) == 0 {
            let _ = link.drained_async().await;
        }
        "left"
    }

    async fn killed(&mut self) -> &'static str {
        let role = format!("clients {}", self.ways.places.written());
        let begun = tokio::task::spawn_blocking(move || {
            let mut clients = Another::start("as_another_process", &role);
            clients.says();
            clients
        });
        let mut clients = begun.await.expect("it does not panic");
        sleep(Duration::from_millis(self.random.below(500))).await;
        clients.kill();
        "killed"
    }
}

/// Another process: it has sessions at all places, says so, and waits for its end.
pub fn clients(places: &Places) {
    let ways = Ways::new(places);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let _held = runtime.as_ref().expect("threads can be had").block_on(async {
        let mut held = Vec::new();
        for place in Place::ALL {
            for _ in 0..10 {
                // Others of the same peer may have used up its sessions.
                let Some(stream) = ways.clone().stream(place).await else { continue };
                held.extend(parley::connect_async(&over(stream)).await);
            }
        }
        held
    });
    say("begun");
    wait_for_ever();
}
