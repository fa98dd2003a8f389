//! Addresses that never answer: a client passes them. How it is made that one does not answer is Linux's way.

use crate::names::{HERE, Named, SECOND, free_port, ips, over_each, take};
use pipes_remote::engine::{Quic, Tcp, Tls};
use pipes_remote::farm::{PipelineExt, Workers, worker};
use pipes_remote_tests::engines::{new, serves};
use pipes_remote_tests::numbers;
use pipes_skeleton::from_iter;
use pipes_tests::{spin_while, test_in, watched};
use socket2::{Domain, Socket, Type};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

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

over_each! { an_address_that_is_silent_is_passed }

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
