//! The ways on which streams come: inside of this program, over TLS, and as streams of one connection of
//! QUIC.

use pipes::Link;
use pipes::remote::{Dial, Serve};
use pipes_remote::engine::{Accept, Engine, Quic, Tls};
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote::{ConnectError, ListenError, Via};
use pipes_remote_tests::peer::{Raw, Wire, raw};
use pipes_remote_tests::stranger::{host, parley};
use pipes_remote_tests::talk;
use std::io;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;

type Stream<W> = <<W as Way>::Engine as Engine>::Stream;

/// A way to a listener.
pub trait Way: Sized {
    type Engine: Engine;
    /// Time passes at once when there is nothing else to do.
    const IS_VIRTUAL: bool;
    const NAME: &str;
    /// The most bytes that one stream may take for a while, at both ends.
    const MOST: usize;

    fn new() -> (Via<Self::Engine>, Self);

    /// A stream without a session.
    fn stream(&self) -> impl Future<Output = io::Result<Stream<Self>>> + Send;

    /// What accepts streams for a server by hand.
    type Server: Send;

    /// A way to a server by hand.
    fn by_hand() -> impl Future<Output = (Via<Self::Engine>, Self::Server)> + Send;

    /// The next stream to it, and the name of its client.
    fn accept(server: &mut Self::Server) -> impl Future<Output = (Stream<Self>, String)> + Send;

    /// A session of a neighbour, at the same listener.
    fn neighbour(
        &mut self,
        here: &Via<Self::Engine>,
    ) -> impl Future<Output = (talk::Client<talk::Ask>, Link)> + Send;
}

pub struct Memory(Wire);

/// The buffers of both ends, and of the stream between them. A stranger says at most a few kilobytes, and may
/// say that a mebibyte comes.
const BUFFERS: usize = 256 << 10;

impl Way for Memory {
    type Engine = Raw;
    const IS_VIRTUAL: bool = true;
    const NAME: &str = "memory";
    const MOST: usize = BUFFERS;

    fn new() -> (Via<Raw>, Self) {
        let (via, wire) = raw();
        (via, Memory(wire))
    }

    async fn stream(&self) -> io::Result<Stream<Self>> {
        Ok(self.0.connect())
    }

    type Server = Wire;

    async fn by_hand() -> (Via<Raw>, Wire) {
        raw()
    }

    async fn accept(wire: &mut Wire) -> (Stream<Self>, String) {
        (wire.dialed.recv().await.expect("a client comes"), String::new())
    }

    async fn neighbour(&mut self, here: &Via<Raw>) -> (talk::Client<talk::Ask>, Link) {
        let connecting = talk::connect_with_link_async(here);
        let passing = async {
            let stream = self.0.dialed.recv().await.expect("it connects");
            self.0.pass(stream);
        };
        tokio::join!(connecting, passing).0.expect("it listens")
    }
}

async fn accepted<A: Accept>(server: &mut A) -> (A::Stream, String) {
    let accepted = server.accept().await.expect("it is bound");
    let (stream, peer) = accepted.expect("a client comes");
    (stream, peer.to_string())
}

/// What the server shows, and what clients trust.
pub fn sides() -> (Security, Security) {
    let own = Identity::generate().expect("there are random numbers");
    (Security::new().identity(&own), Security::new().servers(Trust::fingerprint(own.fingerprint())))
}

/// The buffers of a connection of TLS, at both ends: records of 16 KiB as they come, as they are, and as they
/// go, and the certificates.
const TLS: usize = 256 << 10;

impl Way for Tls {
    type Engine = Tls;
    const IS_VIRTUAL: bool = false;
    const NAME: &str = "TLS";
    const MOST: usize = BUFFERS + TLS;

    fn new() -> (Via<Tls>, Self) {
        let (server, client) = sides();
        let here = pipes_remote::tls_free_port(server).expect("there is a free port");
        let there = Tls::new(here.address(), client);
        (here, there)
    }

    async fn stream(&self) -> io::Result<Stream<Self>> {
        Ok(self.open().await?.0)
    }

    type Server = <Tls as Engine>::Accept;

    async fn by_hand() -> (Via<Tls>, Self::Server) {
        let (server, client) = sides();
        let here = Tls::free_port(server).expect("there is a free port");
        let there = Via::new(Tls::new(here.address(), client));
        (there, here.bind().await.expect("it is free"))
    }

    async fn accept(server: &mut Self::Server) -> (Stream<Self>, String) {
        accepted(server).await
    }

    async fn neighbour(&mut self, _: &Via<Tls>) -> (talk::Client<talk::Ask>, Link) {
        talk::connect_with_link_async(&Via::new(self.clone())).await.expect("it listens")
    }
}

/// The library sends what a stream has written, keeps it until that has arrived, and puts it in order at the
/// other end; and it makes room for more streams as more of them come.
const QUIC: usize = 512 << 10;

impl Way for Quic {
    type Engine = Quic;
    const IS_VIRTUAL: bool = false;
    const NAME: &str = "QUIC";
    const MOST: usize = BUFFERS + QUIC;

    fn new() -> (Via<Quic>, Self) {
        let (server, client) = sides();
        let here = pipes_remote::quic_free_port(server).expect("there is a free port");
        let there = Quic::new(here.address(), client);
        (here, there)
    }

    async fn stream(&self) -> io::Result<Stream<Self>> {
        Ok(self.open().await?.0)
    }

    type Server = <Quic as Engine>::Accept;

    async fn by_hand() -> (Via<Quic>, Self::Server) {
        let (server, client) = sides();
        let here = Quic::free_port(server).expect("there is a free port");
        let there = Via::new(Quic::new(here.address(), client));
        (there, here.bind().await.expect("it is free"))
    }

    async fn accept(server: &mut Self::Server) -> (Stream<Self>, String) {
        accepted(server).await
    }

    /// On the connection of the streams.
    async fn neighbour(&mut self, _: &Via<Quic>) -> (talk::Client<talk::Ask>, Link) {
        talk::connect_with_link_async(&Via::new(self.clone())).await.expect("it listens")
    }
}

/// A place at which strangers are served, and neighbours.
pub struct Place<W: Way> {
    pub way: W,
    here: Via<W::Engine>,
    /// The strangers' sessions that are over.
    pub sessions: UnboundedReceiver<Link>,
    answering: JoinHandle<Vec<String>>,
    neighbours: Vec<(talk::Client<talk::Ask>, Link)>,
}

/// The neighbours at each place.
const NEIGHBOURS: usize = 10;

impl<W: Way> Place<W> {
    /// Every other stranger's session is left early here, if `leaves`.
    pub async fn new(leaves: bool) -> Self
    where
        Via<W::Engine>: Serve<parley::Protocol, (parley::Server<parley::Ask>, Link), Error = ListenError>
            + Serve<talk::Protocol, (talk::Server<talk::Ask>, Link), Error = ListenError>
            + Dial<talk::Protocol, Error = ConnectError>,
    {
        let (here, mut way) = W::new();
        let sessions = host(parley::listen_with_links_async(&here).await.expect("it is free"), leaves);
        let mut listener = talk::listen_with_links_async(&here).await.expect("it is free");
        let answering = tokio::spawn(async move {
            let mut served = Vec::new();
            for _ in 0..NEIGHBOURS {
                let (server, link) = listener.recv_async().await.expect("a neighbour comes");
                served.push((tokio::spawn(answer(server)), link));
            }
            let mut peers = Vec::new();
            for (served, link) in served {
                served.await.expect("it does not panic");
                peers.push(link.peer().to_owned());
            }
            peers
        });
        let mut neighbours = Vec::new();
        for _ in 0..NEIGHBOURS {
            neighbours.push(way.neighbour(&here).await);
        }
        Place { way, here, sessions, answering, neighbours }
    }

    /// One of the neighbours asks something, and has the answer.
    pub async fn ask(&mut self, number: u64) {
        let at = number as usize % self.neighbours.len();
        let (client, link) = self.neighbours.swap_remove(at);
        let asked = client.question(number).expect("the link stands");
        match asked.await {
            Ok(talk::Answer::Reply(reply, client)) if reply == !number => {
                self.neighbours.push((client, link))
            }
            other => panic!("{}: {other:?}, {link:?}", W::NAME),
        }
    }

    /// All sessions of neighbours come to their ends. Returns the servers' names for them.
    pub async fn end(self) -> Vec<String> {
        for (client, link) in self.neighbours {
            client.stop().expect("the link stands");
            link.drained_async().await.expect("it has arrived");
        }
        let peers = self.answering.await.expect("it does not panic");
        drop(self.here);
        peers
    }
}

async fn answer(mut server: talk::Server<talk::Ask>) {
    loop {
        match server.await {
            Ok(talk::Ask::Question(number, answer)) => {
                server = answer.reply(!number).expect("the link stands")
            }
            Ok(talk::Ask::Stop) => return,
            Err(error) => panic!("{error}"),
        }
    }
}
