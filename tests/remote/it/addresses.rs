//! Addresses that lead nowhere: an error that says which address and why, in a bounded time.

use crate::secure::{new, trusting};
use pipes::remote::{Dial, Serve};
use pipes_remote::engine::Engine;
use pipes_remote::{
    ConnectError, ListenError, Refusal, Via, quic, tcp, tcp_exposed, tcp_free_port, tls, unix,
};
use pipes_remote_tests::{letter, numbers};
use pipes_tests::watched;
use std::error::Error;
use std::net::TcpListener;
use std::time::Duration;

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

#[test]
fn a_name_that_does_not_resolve() {
    watched(|| {
        let address = "no-such-host.invalid:7000";
        let error = numbers::connect(&tcp(address)).expect_err("there is no such host");
        match error {
            // A resolver that does not answer is a name that does not resolve, too.
            ConnectError::TimedOut { .. } => assert!(error.to_string().contains(address), "{error}"),
            error => drop(unreachable(address, error)),
        }
    });
}

#[test]
fn a_name_without_a_port() {
    watched(|| {
        let error = numbers::connect(&tcp("localhost")).expect_err("it has no port");
        assert_eq!(unreachable("localhost", error).kind(), std::io::ErrorKind::InvalidInput);
        let error = numbers::listen(&tcp("localhost")).expect_err("it has no port");
        assert!(error.to_string().contains("localhost"), "{error}");
    });
}

/// Nothing is looked up or sent: what is wrong is said at once, with the address in quotes.
#[test]
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
    watched(|| {
        let identity = new();
        let security = || trusting(&identity).identity(&identity);
        wrong(|address| tcp(address));
        wrong(|address| tls(address, security()));
        wrong(|address| quic(address, security()));
    });
}

#[test]
fn a_port_at_which_no_program_listens() {
    watched(|| {
        let address =
            TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port is free");
        let address = address.to_string();
        let error = numbers::connect(&tcp(&*address)).expect_err("the port was given back");
        assert_eq!(unreachable(&address, error).kind(), std::io::ErrorKind::ConnectionRefused);
    });
}

/// The connection stands, because the system takes it; but no program answers.
#[test]
fn a_program_that_never_answers() {
    watched(|| {
        let silent = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = silent.local_addr().expect("it is bound").to_string();
        let time = Duration::from_millis(50);
        let error = numbers::connect(&tcp(&*address).handshake(time)).expect_err("it is silent");
        assert!(matches!(&error, ConnectError::TimedOut { time: told, .. } if *told == time), "{error}");
        assert!(error.to_string().contains(&address), "{error}");
    });
}

#[test]
fn a_port_in_use() {
    watched(|| {
        let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = taken.local_addr().expect("it is bound").to_string();
        let error = numbers::listen(&tcp(&*address)).expect_err("it is taken");
        assert!(error.to_string().contains(&address), "{error}");
        let ListenError::Unavailable { error, .. } = error else { panic!("{error}") };
        assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    });
}

#[test]
fn an_address_that_other_machines_reach() {
    watched(|| {
        let error = numbers::listen(&tcp("0.0.0.0:0")).expect_err("it is not loopback");
        assert!(error.to_string().contains("tcp_exposed"), "{error}");
        drop(numbers::listen(&tcp_exposed("127.0.0.1:0")).expect("that it may be exposed is no duty"));
    });
}

/// IPv4 in the form of IPv6 means the same machines.
#[test]
fn an_address_of_ipv4_in_ipv6() {
    watched(|| {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port is free");
        let here = tcp(format!("[::ffff:127.0.0.1]:{}", port.port()));
        let _listener = numbers::listen(&here).expect("no other machine reaches it");
        drop(numbers::connect(&here).expect("it listens"));
        for exposed in ["[::ffff:0.0.0.0]:0", "[::ffff:192.0.2.1]:0"] {
            let error = numbers::listen(&tcp(exposed)).expect_err("it is not loopback");
            assert!(error.to_string().contains("tcp_exposed"), "{error}");
        }
    });
}

#[test]
fn a_socket_file_that_exists() {
    watched(|| {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("socket");
        std::fs::write(&path, "precious").expect("it can be written");
        let error = numbers::listen(&unix(&path)).expect_err("the file exists");
        let text = error.to_string();
        assert!(text.contains(path.to_str().expect("it is plain")) && text.contains("exists"), "{text}");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "precious");
    });
}

#[test]
fn a_socket_file_that_does_not_exist() {
    watched(|| {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("socket");
        let error = numbers::connect(&unix(&path)).expect_err("there is no file");
        let address = path.to_str().expect("it is plain");
        assert_eq!(unreachable(address, error).kind(), std::io::ErrorKind::NotFound);
    });
}

#[test]
fn a_socket_file_is_removed_with_its_listener() {
    watched(|| {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("socket");
        for _ in 0..3 {
            let here = unix(&path);
            let listener = numbers::listen(&here).expect("the file was removed");
            assert!(path.exists());
            drop(listener);
            while path.exists() {
                std::thread::yield_now();
            }
        }
    });
}

#[test]
fn an_address_with_another_protocol() {
    watched(|| {
        let here = tcp_free_port().expect("a port is free");
        let _listener = letter::listen(&here).expect("it is free");
        let error = numbers::connect(&here).expect_err("there are only letters");
        let ConnectError::Refused { address, reason } = error else { panic!("{error}") };
        assert_eq!((address, reason), (here.address(), Refusal::UnknownProtocol));
    });
}
