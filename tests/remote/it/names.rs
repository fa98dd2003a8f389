//! Names that stand for several addresses.

use pipes_remote::engine::{Engine, Quic, Tcp, Tls};
use pipes_remote::security::Identity;
use pipes_remote::{ListenError, Via};
use pipes_remote_tests::engines::{new, serves, trusting};
use pipes_remote_tests::numbers;
use socket2::{Domain, Socket, Type};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

pub const HERE: &str = "127.0.0.1";
pub const SECOND: &str = "127.0.0.2";
/// For documentation: of no machine.
const ELSEWHERE: &str = "192.0.2.1";

pub fn ips(ips: &[&str]) -> Vec<IpAddr> {
    ips.iter().map(|ip| ip.parse().expect("it is an address")).collect()
}

/// An engine whose addresses are hosts and ports.
pub trait Named: Engine + Sized {
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
pub fn take<E: Named>(ip: IpAddr, port: u16) -> io::Result<(Socket, u16)> {
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

/// A port that is free at all of these addresses, and which the system gives to no program that does not ask
/// for it.
pub fn free_port<E: Named>(ips: &[IpAddr]) -> u16 {
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
#[cfg(target_os = "linux")]
pub(crate) use over_each;

over_each! {
    a_listener_takes_all_addresses
    a_taken_port_is_an_error
    an_address_of_another_machine_is_an_error
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
