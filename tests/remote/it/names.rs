//! Names that stand for several addresses.

use crate::secure::{new, serve, sum, trusting};
use pipes::remote::{Dial, Serve};
use pipes_remote::engine::{Engine, Quic, Tcp, Tls};
use pipes_remote::farm::{Remote, Workers, worker};
use pipes_remote::security::Identity;
use pipes_remote::{ConnectError, ListenError, Via};
use pipes_remote_tests::numbers;
use pipes_skeleton::from_iter;
use pipes_tests::{spin_while, watched};
use socket2::{Domain, Socket, Type};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{process, thread};

const HERE: &str = "127.0.0.1";
const SECOND: &str = "127.0.0.2";
/// For documentation: of no machine.
const ELSEWHERE: [&str; 2] = ["192.0.2.1", "2001:db8::1"];

fn ips(ips: &[&str]) -> Vec<IpAddr> {
    ips.iter().map(|ip| ip.parse().expect("it is an address")).collect()
}

/// An engine whose addresses are hosts and ports.
trait Named: Sized {
    type Engine: Engine;

    /// This port of a name with these addresses.
    fn named(port: u16, ips: Vec<IpAddr>, identity: &Identity) -> Via<Self::Engine>;

    /// A socket at a port, which takes it.
    type Taken;
    fn take(address: SocketAddr) -> io::Result<(Self::Taken, u16)>;

    /// A socket at this address that never answers.
    type Silent;
    fn silent(address: SocketAddr) -> Self::Silent;
}

enum OverTcp {}
enum OverTls {}
enum OverQuic {}

fn name(port: u16) -> String {
    format!("name:{port}")
}

fn take_tcp(address: SocketAddr) -> io::Result<(TcpListener, u16)> {
    let taken = TcpListener::bind(address)?;
    let port = taken.local_addr()?.port();
    Ok((taken, port))
}

/// A backlog that is full: the system drops what further clients say.
fn silent_tcp(address: SocketAddr) -> (Socket, TcpStream) {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None).expect("there is one");
    socket.bind(&address.into()).expect("the port is free");
    socket.listen(0).expect("it is bound");
    let client = TcpStream::connect(address).expect("one fits");
    // The column after the state has what waits to be accepted.
    let IpAddr::V4(ip) = address.ip() else { panic!("it is IPv4") };
    let row = format!("{:08X}:{:04X} 00000000:0000 0A ", u32::from_le_bytes(ip.octets()), address.port());
    spin_while(|| {
        let table = std::fs::read_to_string("/proc/net/tcp").expect("it is there");
        !table.lines().any(|line| line.contains(&row) && line.contains(":00000001 00:"))
    });
    (socket, client)
}

impl Named for OverTcp {
    type Engine = Tcp;
    fn named(port: u16, ips: Vec<IpAddr>, _: &Identity) -> Via<Tcp> {
        Via::new(Tcp::exposed(name(port)).resolved_by(move |_| Ok(ips.clone())))
    }
    type Taken = TcpListener;
    fn take(address: SocketAddr) -> io::Result<(TcpListener, u16)> {
        take_tcp(address)
    }
    type Silent = (Socket, TcpStream);
    fn silent(address: SocketAddr) -> Self::Silent {
        silent_tcp(address)
    }
}

impl Named for OverTls {
    type Engine = Tls;
    fn named(port: u16, ips: Vec<IpAddr>, identity: &Identity) -> Via<Tls> {
        let security = trusting(identity).identity(identity);
        Via::new(Tls::new(name(port), security).resolved_by(move |_| Ok(ips.clone())))
    }
    type Taken = TcpListener;
    fn take(address: SocketAddr) -> io::Result<(TcpListener, u16)> {
        take_tcp(address)
    }
    type Silent = (Socket, TcpStream);
    fn silent(address: SocketAddr) -> Self::Silent {
        silent_tcp(address)
    }
}

impl Named for OverQuic {
    type Engine = Quic;
    fn named(port: u16, ips: Vec<IpAddr>, identity: &Identity) -> Via<Quic> {
        let security = trusting(identity).identity(identity);
        Via::new(Quic::new(name(port), security).resolved_by(move |_| Ok(ips.clone())))
    }
    type Taken = UdpSocket;
    fn take(address: SocketAddr) -> io::Result<(UdpSocket, u16)> {
        let taken = UdpSocket::bind(address)?;
        let port = taken.local_addr()?.port();
        Ok((taken, port))
    }
    type Silent = UdpSocket;
    fn silent(address: SocketAddr) -> UdpSocket {
        UdpSocket::bind(address).expect("the port is free")
    }
}

/// A port that is free at all of these addresses, and which the system gives to no program that does not ask
/// for it.
fn free_port<S: Named>(ips: &[IpAddr]) -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let next = process::id() * 61 + NEXT.fetch_add(1, Ordering::Relaxed);
        let port = 10_000 + (next % 20_000) as u16;
        if ips.iter().all(|ip| S::take((*ip, port).into()).is_ok()) {
            return port;
        }
    }
}

/// Each test, over all engines.
macro_rules! over_each {
    ($($test:ident)*) => {
        mod over_tcp { $(#[tokio::test] async fn $test() { super::$test::<super::OverTcp>().await; })* }
        mod over_tls { $(#[tokio::test] async fn $test() { super::$test::<super::OverTls>().await; })* }
        mod over_quic { $(#[tokio::test] async fn $test() { super::$test::<super::OverQuic>().await; })* }
    };
}

over_each! {
    an_address_that_refuses_is_passed
    an_address_that_is_silent_is_passed
    the_error_names_all_addresses
    a_listener_takes_all_addresses
    a_taken_port_is_an_error
    a_family_that_is_missing_is_passed
    an_address_of_another_machine_is_an_error
}

/// A session with the server at the last one of these addresses.
async fn reaches_the_last<S: Named>(ips: Vec<IpAddr>, before: impl FnOnce(u16) -> Option<S::Silent>)
where
    Via<S::Engine>: Serve<numbers::Protocol, numbers::Server<numbers::Open>, Error = ListenError>,
    Via<S::Engine>: Dial<numbers::Protocol, Error = ConnectError>,
{
    let (identity, port) = (new(), free_port::<S>(&ips));
    let here = S::named(port, ips[1..].to_vec(), &identity);
    let _silent = before(port);
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = S::named(port, ips, &identity).handshake(Duration::from_secs(60));
    let client = numbers::connect_async(&there).await.expect("it listens");
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
}

macro_rules! test {
    ($test:ident::<$engine:ident> $body:block) => {
        async fn $test<$engine: Named>()
        where
            Via<$engine::Engine>: Serve<numbers::Protocol, numbers::Server<numbers::Open>, Error = ListenError>,
            Via<$engine::Engine>: Dial<numbers::Protocol, Error = ConnectError>,
        $body
    };
}

test! { an_address_that_refuses_is_passed::<S> {
    reaches_the_last::<S>(ips(&[SECOND, HERE]), |_| None).await;
} }

test! { an_address_that_is_silent_is_passed::<S> {
    let first = ips(&[SECOND])[0];
    reaches_the_last::<S>(ips(&[SECOND, HERE]), |port| Some(S::silent((first, port).into()))).await;
} }

test! { the_error_names_all_addresses::<S> {
    let port = free_port::<S>(&ips(&[HERE, SECOND]));
    let there = S::named(port, ips(&[HERE, SECOND]), &new()).handshake(Duration::from_secs(60));
    let error = numbers::connect_async(&there).await.map(drop).expect_err("nothing listens there");
    let text = error.to_string();
    assert!(text.contains(&format!("{HERE}:{port}: ")) && text.contains(&format!("{SECOND}:{port}: ")), "{text}");
    let ConnectError::Unreachable { error, .. } = error else { panic!("{text}") };
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
} }

test! { a_listener_takes_all_addresses::<S> {
    let mut all = ips(&[HERE, SECOND]);
    if S::take((ips(&["::1"])[0], 0).into()).is_ok() {
        all.insert(0, ips(&["::1"])[0]);
    }
    let (identity, port) = (new(), free_port::<S>(&all));
    let here = S::named(port, all.clone(), &identity);
    // A second listener follows at once, at the same addresses.
    for _ in 0..2 {
        let mut listener = numbers::listen_async(&here).await.expect("the ports are free");
        for ip in &all {
            let there = S::named(port, vec![*ip], &identity);
            let client = numbers::connect_async(&there).await.expect("it listens");
            tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
            assert_eq!(sum(client).await, 5050);
        }
    }
} }

test! { a_taken_port_is_an_error::<S> {
    let (second, port) = S::take((ips(&[SECOND])[0], 0).into()).expect("a port is free");
    let here = S::named(port, ips(&[HERE, SECOND]), &new());
    let error = numbers::listen_async(&here).await.map(drop).expect_err("one is taken");
    assert!(error.to_string().contains(&format!("{SECOND}:{port}: ")), "{error}");
    let ListenError::Unavailable { error, .. } = error else { panic!("{error}") };
    assert_eq!(error.kind(), ErrorKind::AddrInUse);
    // None is kept.
    drop(second);
    numbers::listen_async(&here).await.map(drop).expect("both are free");
} }

test! { a_family_that_is_missing_is_passed::<S> {
    let port = free_port::<S>(&ips(&[HERE]));
    let nowhere = S::named(port, ips(&[ELSEWHERE[1]]), &new());
    assert!(numbers::listen_async(&nowhere).await.is_err(), "there is no other one");
    let here = S::named(port, ips(&[ELSEWHERE[1], HERE]), &new());
    numbers::listen_async(&here).await.map(drop).expect("one address is here");
} }

test! { an_address_of_another_machine_is_an_error::<S> {
    let port = free_port::<S>(&ips(&[HERE]));
    let here = S::named(port, ips(&[HERE, ELSEWHERE[0]]), &new());
    let error = numbers::listen_async(&here).await.map(drop).expect_err("one is not of this machine");
    assert!(error.to_string().contains(ELSEWHERE[0]), "{error}");
    numbers::listen_async(&S::named(port, ips(&[HERE]), &new())).await.map(drop).expect("none was kept");
} }

#[tokio::test]
async fn a_name_that_other_machines_reach_at_one_address() {
    let all = ips(&[HERE, "0.0.0.0"]);
    let here = Via::new(Tcp::new("name:0").resolved_by(move |_| Ok(all.clone())));
    let error = numbers::listen_async(&here).await.map(drop).expect_err("one is not loopback");
    assert!(error.to_string().contains("tcp_exposed"), "{error}");
}

/// A worker finds its farm like every client.
#[test]
fn a_worker_finds_the_address_at_which_its_farm_listens() {
    watched(|| {
        let port = free_port::<OverTcp>(&ips(&[HERE, SECOND]));
        let _silent = silent_tcp((ips(&[SECOND])[0], port).into());
        let farm = Workers::<u64, u64>::listen(&OverTcp::named(port, ips(&[HERE]), &new()))
            .expect("the port is free");
        let there = OverTcp::named(port, ips(&[SECOND, HERE]), &new()).handshake(Duration::from_secs(60));
        let working = thread::spawn(move || worker(&there, 1, |number: u64| number + 1));
        let results = from_iter(0..3).remote(&farm, |number| number).collect().expect("there is a worker");
        assert_eq!(results.iter().sum::<u64>(), 6);
        assert!(farm.finish(Duration::from_secs(60)));
        assert_eq!(working.join().expect("it does not panic").expect("the farm has ended"), 3);
    });
}
