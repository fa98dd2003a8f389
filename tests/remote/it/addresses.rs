//! Addresses that lead nowhere: an error that says which address and why, in a bounded time.

use pipes::remote::{Dial, Serve};
use pipes_remote::engine::Engine;
use pipes_remote::{ConnectError, ListenError, Via, quic, tcp, tcp_exposed, tls, ws};
use pipes_remote_tests::engines::{new, trusting};
use pipes_remote_tests::numbers;
use pipes_tests::{test_in, watched};
use std::error::Error;
use std::io::ErrorKind;
use std::net::TcpListener;

/// The error of a connection, which names the address.
fn unreachable(address: &str, error: ConnectError) -> std::io::Error {
    let text = error.to_string();
    assert!(text.contains(address), "{text}");
    assert!(error.source().is_some(), "{text}");
    match error {
        ConnectError::Unreachable { error, .. } => error,
        other => panic!("{other}"),
    }
}

#[test_in(watched)]
fn a_name_that_does_not_resolve() {
    let address = "no-such-host.invalid:7000";
    let error = numbers::connect(&tcp(address)).expect_err("there is no such host");
    match error {
        // A resolver that does not answer is a name that does not resolve, too.
        ConnectError::TimedOut { .. } => assert!(error.to_string().contains(address), "{error}"),
        error => drop(unreachable(address, error)),
    }
}

/// Nothing is looked up or sent: what is wrong is said at once, with the address in quotes.
#[test_in(watched)]
fn what_is_not_written_as_an_address() {
    fn wrong<E: Engine>(at: impl Fn(&str) -> Via<E>)
    where
        Via<E>: Dial<numbers::Protocol, Error = ConnectError>,
        Via<E>: Serve<numbers::Protocol, numbers::Server<numbers::Open>, Error = ListenError>,
    {
        for (address, what) in [
            ("", "the address is empty"),
            ("127.0.0.1:7000\n", "a blank or a line end"),
            (" 127.0.0.1:7000", "a blank or a line end"),
            ("127.0.0.1", "no port"),
            ("localhost", "no port"),
            ("localhost:http", "not a number"),
        ] {
            for error in [
                numbers::connect(&at(address)).map(drop).expect_err("it is no address").to_string(),
                numbers::listen(&at(address)).map(drop).expect_err("it is no address").to_string(),
            ] {
                assert!(error.contains(&format!("{address:?}: ")) && error.contains(what), "{error}");
            }
        }
    }
    let identity = new();
    let security = || trusting(&identity).identity(&identity);
    wrong(|address| tcp(address));
    wrong(|address| tls(address, security()));
    wrong(|address| quic(address, security()));
}

#[test_in(watched)]
fn a_place_at_which_no_program_listens() {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port is free");
    let address = port.to_string();
    let error = numbers::connect(&tcp(&*address)).expect_err("the port was given back");
    assert_eq!(unreachable(&address, error).kind(), ErrorKind::ConnectionRefused);
}

#[cfg(unix)]
#[test_in(watched)]
fn a_path_without_a_file() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("socket");
    let error = numbers::connect(&pipes_remote::unix(&path)).expect_err("there is no file");
    assert_eq!(unreachable(path.to_str().expect("it is plain"), error).kind(), ErrorKind::NotFound);
}

/// IPv4 in the form of IPv6 means the same machines.
#[test_in(watched)]
fn an_address_of_ipv4_in_ipv6() {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port is free");
    let here = tcp(format!("[::ffff:127.0.0.1]:{}", port.port()));
    let _listener = numbers::listen(&here).expect("no other machine reaches it");
    drop(numbers::connect(&here).expect("it listens"));
    for exposed in ["0.0.0.0:0", "[::ffff:0.0.0.0]:0", "[::ffff:192.0.2.1]:0"] {
        let error = numbers::listen(&tcp(exposed)).expect_err("it is not loopback");
        assert!(error.to_string().contains("tcp_exposed"), "{error}");
    }
    let error = numbers::listen(&ws("ws://0.0.0.0:0/")).expect_err("it is not loopback");
    assert!(error.to_string().contains("ws_exposed"), "{error}");
    drop(numbers::listen(&tcp_exposed("127.0.0.1:0")).expect("that it may be exposed is no duty"));
}
