//! Names that stand for several addresses.

use pipes_remote::engine::{Engine, Quic, Tcp, Tls};
use pipes_remote::farm::{PipelineExt, Workers, worker};
use pipes_remote::security::Identity;
use pipes_remote::{ListenError, Via};
use pipes_remote_tests::engines::{new, serves, trusting};
use pipes_remote_tests::numbers;
use pipes_skeleton::from_iter;
use pipes_tests::{spin_while, test_in, watched};
use socket2::{Domain, Socket, Type};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{process, thread};

const HERE: &str = "127.0.0.1";
const SECOND: &str = "127.0.0.2";
/// For documentation: of no machine.
const ELSEWHERE: &str = "192.0.2.1";

fn ips(ips: &[&str]) -> Vec<IpAddr> {
    ips.iter().map(|ip| ip.parse().expect("it is an address")).collect()
}

/// An engine whose addresses are hosts and ports.
trait Named: Engine + Sized {
    /// Its sockets are those of UDP.
    const IS_UDP: bool = false;

    /// This port of a name with these addresses.
    fn named(port: u16, ips: Vec<IpAddr>, identity: &Identity) -> Via<Self>;
}

impl Named for Tcp {
    fn named(port: u16, ips: Vec<IpAddr>, _: &Identity) -> Via<Tcp> {
        Via::new(Tcp::exposed(format!("name:{port}")).resolved_by(move |_| Ok(ips.clone())))
    }
}

impl Named for Tls {
    fn named(port: u16, ips: Vec<IpAddr>, identity: &Identity) -> Via<Tls> {
        let security = trusting(identity).identity(identity);
        Via::new(Tls::new(format!("name:{port}"), security).resolved_by(move |_| Ok(ips.clone())))
    }
}

impl Named for Quic {
    const IS_UDP: bool = true;

    fn named(port: u16, ips: Vec<IpAddr>, identity: &Identity) -> Via<Quic> {
        let security = trusting(identity).identity(identity);
        Via::new(Quic::new(format!("name:{port}"), security).resolved_by(move |_| Ok(ips.clone())))
    }
}

/// A socket that takes a port, and the port.
fn take<E: Named>(ip: IpAddr, port: u16) -> io::Result<(Socket, u16)> {
    let address = SocketAddr::from((ip, port));
    let kind = if E::IS_UDP { Type::DGRAM } else { Type::STREAM };
    let socket = Socket::new(Domain::for_address(address), kind, None)?;
    socket.bind(&address.into())?;
    if !E::IS_UDP {
        socket.listen(1)?;
    }
    let port = socket.local_addr()?.as_socket().expect("it is one of IP").port();
    Ok((socket, port))
}

/// A socket at this address that never answers: one of UDP does not in any case, and of one of TCP whose
/// backlog is full, the system drops what further clients say.
fn silent<E: Named>(ip: IpAddr, port: u16) -> (Socket, Option<TcpStream>) {
    if E::IS_UDP {
        return (take::<E>(ip, port).expect("the port is free").0, None);
    }
    let address = SocketAddr::from((ip, port));
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None).expect("there is one");
    socket.bind(&address.into()).expect("the port is free");
    socket.listen(0).expect("it is bound");
    let client = TcpStream::connect(address).expect("one fits");
    // The column after the state has what waits to be accepted.
    let IpAddr::V4(ip) = ip else { panic!("it is IPv4") };
    let row = format!("{:08X}:{port:04X} 00000000:0000 0A ", u32::from_le_bytes(ip.octets()));
    spin_while(|| {
        let table = std::fs::read_to_string("/proc/net/tcp").expect("it is there");
        !table.lines().any(|line| line.contains(&row) && line.contains(":00000001 00:"))
    });
    (socket, Some(client))
}

/// A port that is free at all of these addresses, and which the system gives to no program that does not ask
/// for it.
fn free_port<E: Named>(ips: &[IpAddr]) -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let next = process::id() * 61 + NEXT.fetch_add(1, Ordering::Relaxed);
        let port = 10_000 + (next % 20_000) as u16;
        if ips.iter().all(|ip| take::<E>(*ip, port).is_ok()) {
            return port;
        }
    }
}

/// Each test, over all engines.
macro_rules! over_each {
    ($($test:ident)*) => {
        mod over_tcp { $(#[tokio::test] async fn $test() { super::$test::<super::Tcp>().await; })* }
        mod over_tls { $(#[tokio::test] async fn $test() { super::$test::<super::Tls>().await; })* }
        mod over_quic { $(#[tokio::test] async fn $test() { super::$test::<super::Quic>().await; })* }
    };
}

over_each! {
    an_address_that_is_silent_is_passed
    a_listener_takes_all_addresses
    a_taken_port_is_an_error
    an_address_of_another_machine_is_an_error
}

async fn an_address_that_is_silent_is_passed<E: Named>() {
    let (identity, all) = (new(), ips(&[SECOND, HERE]));
    let port = free_port::<E>(&all);
    let here = E::named(port, ips(&[HERE]), &identity);
    let _silent = silent::<E>(all[0], port);
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = E::named(port, all, &identity).handshake(Duration::from_secs(60));
    let client = numbers::connect_async(&there).await.expect("it listens");
    serves(&mut listener, client).await;
}

async fn a_listener_takes_all_addresses<E: Named>() {
    let mut all = ips(&[HERE, SECOND]);
    if take::<E>(ips(&["::1"])[0], 0).is_ok() {
        all.insert(0, ips(&["::1"])[0]);
    }
    let (identity, port) = (new(), free_port::<E>(&all));
    let here = E::named(port, all.clone(), &identity);
    // A second listener follows at once, at the same addresses.
    for _ in 0..2 {
        let mut listener = numbers::listen_async(&here).await.expect("the ports are free");
        for ip in &all {
            let there = E::named(port, vec![*ip], &identity);
            let client = numbers::connect_async(&there).await.expect("it listens");
            serves(&mut listener, client).await;
        }
    }
}

async fn a_taken_port_is_an_error<E: Named>() {
    let (second, port) = take::<E>(ips(&[SECOND])[0], 0).expect("a port is free");
    let here = E::named(port, ips(&[HERE, SECOND]), &new());
    let error = numbers::listen_async(&here).await.map(drop).expect_err("one is taken");
    assert!(error.to_string().contains(&format!("{SECOND}:{port}: ")), "{error}");
    assert!(std::error::Error::source(&error).is_some_and(|source| source.is::<std::io::Error>()));
    let ListenError::Unavailable { error, .. } = error else { panic!("{error}") };
    assert_eq!(error.kind(), ErrorKind::AddrInUse);
    // None is kept.
    drop(second);
    numbers::listen_async(&here).await.map(drop).expect("both are free");
}

async fn an_address_of_another_machine_is_an_error<E: Named>() {
    let port = free_port::<E>(&ips(&[HERE]));
    let here = E::named(port, ips(&[HERE, ELSEWHERE]), &new());
    let error = numbers::listen_async(&here).await.map(drop).expect_err("one is not of this machine");
    assert!(error.to_string().contains(ELSEWHERE), "{error}");
    numbers::listen_async(&E::named(port, ips(&[HERE]), &new())).await.map(drop).expect("none was kept");
}

#[tokio::test]
async fn a_name_that_other_machines_reach_at_one_address() {
    let all = ips(&[HERE, "0.0.0.0"]);
    let here = Via::new(Tcp::new("name:0").resolved_by(move |_| Ok(all.clone())));
    let error = numbers::listen_async(&here).await.map(drop).expect_err("one is not loopback");
    assert!(error.to_string().contains("tcp_exposed"), "{error}");
}

/// A worker finds its farm like every client.
#[test_in(watched)]
fn a_worker_finds_the_address_at_which_its_farm_listens() {
    let port = free_port::<Tcp>(&ips(&[HERE, SECOND]));
    let _silent = silent::<Tcp>(ips(&[SECOND])[0], port);
    let farm =
        Workers::<u64, u64>::listen(&Tcp::named(port, ips(&[HERE]), &new())).expect("the port is free");
    let there = Tcp::named(port, ips(&[SECOND, HERE]), &new()).handshake(Duration::from_secs(60));
    let working = thread::spawn(move || worker(&there, 1, |number: u64| number + 1));
    let results = from_iter(0..3).remote(&farm, |number| number).collect().expect("there is a worker");
    assert_eq!(results.iter().sum::<u64>(), 6);
    assert!(farm.finish(Duration::from_secs(60)));
    assert_eq!(working.join().expect("it does not panic").expect("the farm has ended"), 3);
}
