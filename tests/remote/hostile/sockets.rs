//! Strangers at the sockets of each engine, below the handshakes of TLS and QUIC and inside of their
//! connections: honest clients are served elsewhere, over QUIC on the same connection, and the listener keeps
//! no task, file or memory of the strangers.

use crate::{MEMORY, alone, made};
use futures::future::join_all;
use pipes::remote::{Dial, Link, Serve};
use pipes_remote::engine::{Engine, Quic, Tls, Ws};
use pipes_remote::{ConnectError, ListenError, Via};
use pipes_remote_tests::engines::{Secured, Sides, host_and_port, new, serves, showing, tcp_sides, trusting};
use pipes_remote_tests::raw::HEAD;
use pipes_remote_tests::stranger::{Ending, host, parley, send};
use pipes_remote_tests::{numbers, size, tasks};
use pipes_tests::{Rng, watched};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UdpSocket, UnixStream};
use tokio::runtime::Builder;
use tokio::task::yield_now;

/// Strangers at the same time.
const CROWD: u64 = 40;

/// The memory that an allocator may keep.
const MORE: usize = 4 << 20;

/// Some bytes, which begin like a handshake now and then.
fn garbage(random: &mut Rng) -> Vec<u8> {
    let begins = [
        &b""[..],
        b"pipe\x01",
        b"\x16\x03\x01\x02\x00\x01",
        b"GET / HTTP/1.1\r\n",
        b"\xc0\0\0\0\x01",
        b"\xc0\0\0\0\0",
    ];
    let begin = begins[random.usize(..5)];
    begin.iter().copied().chain((0..random.u64(..1400)).map(|_| random.u64(..256) as u8)).collect()
}

/// Garbage on a stream, which is no session.
async fn below(random: &mut Rng, stream: impl AsyncRead + AsyncWrite + Unpin) {
    let (bytes, ending) = (garbage(random), [Ending::Ends, Ending::Waits][random.usize(..2)]);
    let said = send(stream, [bytes], || false, ending).await;
    assert!(!said.starts_with(b"pipe") || said.get(HEAD) != Some(&0), "it has a session: {said:?}");
}

/// What may be a session for a while, on a stream.
async fn inside(random: &mut Rng, stream: impl AsyncRead + AsyncWrite + Unpin) {
    let (bytes, ending) = (made::stream(random), [Ending::Ends, Ending::Goes][random.usize(..2)]);
    send(stream, bytes.chunks(100), || false, ending).await;
}

async fn tcp(random: &mut Rng, address: &str) {
    below(random, TcpStream::connect(host_and_port(address)).await.expect("it listens")).await;
}

async fn datagrams(random: &mut Rng, address: &str) {
    let socket = UdpSocket::bind("127.0.0.1:0").await.expect("there is a free port");
    for _ in 0..random.u64(..60) {
        // The system's buffers may be full.
        let _ = socket.send_to(&garbage(random), address).await;
    }
}

/// What a listener costs: its tasks, the files of this process, and its memory.
fn cost() -> [usize; 3] {
    let files = std::fs::read_dir("/proc/self/fd").expect("it is there").count();
    [tasks(), files, MEMORY.current_usage()]
}

/// Crowds of strangers attack a listener, and honest clients come in between.
async fn attacked<E: Engine>(sides: Sides<E>, attack: impl AsyncFn(&mut Rng, &str))
where
    Via<E>: Dial<numbers::Protocol, Error = ConnectError>
        + Serve<numbers::Protocol, numbers::Server<numbers::Open>, Error = ListenError>
        + Serve<parley::Protocol, (parley::Server<parley::Ask>, Link), Error = ListenError>,
{
    let there = sides.there.handshake(Duration::from_secs(60));
    let here = sides.here.handshake(Duration::from_secs(1));
    let address = here.address();
    let mut sessions = host(parley::listen_with_links_async(&here).await.expect("the place is free"), true);
    let mut listener = numbers::listen_async(&here).await.expect("the place has room");
    let mut honest = async || {
        let client = numbers::connect_async(&there).await.expect("it listens");
        serves(&mut listener, client).await;
    };
    honest().await;
    let [tasks, files, bytes] = cost();
    for crowd in 0..2 + size("PIPES_HOSTILE", 0) / 10_000 {
        let strangers = (0..CROWD).map(async |number| {
            attack(&mut Rng::with_seed(CROWD * crowd + number + 1), &address).await;
        });
        tokio::join!(join_all(strangers), honest());
    }
    let is_at_rest = |now: [usize; 3]| now[0] <= tasks && now[1] <= files && now[2] <= bytes + MORE;
    while !is_at_rest(cost()) {
        while sessions.try_recv().is_ok() {}
        yield_now().await;
    }
}

/// A server with a certificate, which is attacked below its connections and inside of them.
async fn attacked_twice<E: Secured + Clone>(attack: impl AsyncFn(&mut Rng, &str))
where
    Via<E>: Dial<numbers::Protocol, Error = ConnectError>
        + Serve<numbers::Protocol, numbers::Server<numbers::Open>, Error = ListenError>
        + Serve<parley::Protocol, (parley::Server<parley::Ask>, Link), Error = ListenError>,
{
    let server = new();
    let here = E::free(showing(&server));
    let there = E::open_at(here.address(), trusting(&server));
    let sides = Sides { here, there: Via::new(there.clone()) };
    attacked(sides, async |random, address| match random.u64(..2) {
        0 => attack(random, address).await,
        _ => inside(random, there.open().await.expect("it listens").0).await,
    })
    .await;
}

/// Runs this by itself, in real time.
fn run<F: Future<Output = ()>>(test: impl FnOnce() -> F + Send + 'static) {
    alone(|| {
        watched(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("it can be had");
            runtime.block_on(test());
        });
    });
}

#[test]
fn of_unix() {
    run(async || {
        let folder = tempfile::tempdir().expect("there is room");
        let sides = Sides::same(pipes_remote::unix(folder.path().join("socket")));
        attacked(sides, async |random, path| {
            below(random, UnixStream::connect(path).await.expect("it listens")).await;
        })
        .await;
    });
}

#[test]
fn of_tcp() {
    run(|| attacked(tcp_sides(), tcp));
}

#[test]
fn of_tls() {
    run(|| attacked_twice::<Tls>(tcp));
}

#[test]
fn of_ws() {
    run(|| attacked_twice::<Ws>(tcp));
}

#[test]
fn of_quic() {
    run(|| attacked_twice::<Quic>(datagrams));
}
