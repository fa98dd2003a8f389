//! The ways on which streams come: inside of this program, over TLS, and as streams of one connection of
//! QUIC.

use pipes::Link;
use pipes::remote::{Dial, Serve};
use pipes_remote::engine::{Accept, Engine, Quic, Tls};
use pipes_remote::{ConnectError, ListenError, Via};
use pipes_remote_tests::engines::{self, Secured, showing, trusting};
use pipes_remote_tests::net::Accepts;
use pipes_remote_tests::stranger::{host, parley};
use pipes_remote_tests::{Net, Plan, talk};
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

pub struct Memory(Net);

/// The buffers of both ends, and of the stream between them. A stranger says at most a few kilobytes, and
/// may say that a mebibyte comes.
const BUFFERS: usize = 256 << 10;

impl Way for Memory {
    type Engine = Net;
    const IS_VIRTUAL: bool = true;
    const NAME: &str = "memory";
    const MOST: usize = BUFFERS;

    fn new() -> (Via<Net>, Self) {
        let net = Net::of(Plan { keeps_history: false, ..Plan::default() });
        (net.via(), Memory(net))
    }

    async fn stream(&self) -> io::Result<Stream<Self>> {
        self.0.dial()
    }

    type Server = Accepts;

    async fn by_hand() -> (Via<Net>, Accepts) {
        let net = Net::new();
        (net.via(), net.bind().await.expect("it is free"))
    }

    async fn accept(accepts: &mut Accepts) -> (Stream<Self>, String) {
        (accepts.accept().await.expect("it is bound").expect("a client comes").0, String::new())
    }

    async fn neighbour(&mut self, here: &Via<Net>) -> (talk::Client<talk::Ask>, Link) {
        talk::connect_with_link_async(here).await.expect("it listens")
    }
}

/// The buffers of a connection of TLS, at both ends: records of 16 KiB as they come, as they are, and as
/// they go, and the certificates.
const TLS: usize = 256 << 10;

/// The library of QUIC sends what a stream has written, keeps it until that has arrived, and puts it in
/// order at the other end; and it makes room for more streams as more of them come.
const QUIC: usize = 512 << 10;

macro_rules! secured_ways {
    ($($engine:ty: $most:expr;)*) => {
        $(impl Way for $engine {
            type Engine = $engine;
            const IS_VIRTUAL: bool = false;
            const NAME: &str = stringify!($engine);
            const MOST: usize = BUFFERS + $most;

            fn new() -> (Via<$engine>, Self) {
                let server = engines::new();
                let here = <$engine>::free(showing(&server));
                let there = <$engine>::new(here.address(), trusting(&server));
                (here, there)
            }

            async fn stream(&self) -> io::Result<Stream<Self>> {
                Ok(self.open().await?.0)
            }

            type Server = <$engine as Engine>::Accept;

            async fn by_hand() -> (Via<$engine>, Self::Server) {
                let server = engines::new();
                let here = <$engine>::free_port(showing(&server)).expect("there is a free port");
                let there = <$engine>::at(here.address(), trusting(&server));
                (there, here.bind().await.expect("it is free"))
            }

            async fn accept(server: &mut Self::Server) -> (Stream<Self>, String) {
                let accepted = server.accept().await.expect("it is bound");
                let (stream, peer) = accepted.expect("a client comes");
                (stream, peer.to_string())
            }

            /// Over QUIC, on the connection of the streams.
            async fn neighbour(&mut self, _: &Via<$engine>) -> (talk::Client<talk::Ask>, Link) {
                talk::connect_with_link_async(&Via::new(self.clone())).await.expect("it listens")
            }
        })*
    };
}

secured_ways! {
    Tls: TLS;
    Quic: QUIC;
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
                peers.push(link.peer().to_string());
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
