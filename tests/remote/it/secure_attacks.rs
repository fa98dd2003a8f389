//! TLS and QUIC, attacked: runtimes that end, certificates of every kind, files, filters that panic.

use crate::secure::{new, serve, showing, sum, trusting};
use futures::FutureExt;
use pipes::Cause;
use pipes_remote::engine::{Engine, Quic};
use pipes_remote::security::{Fingerprint, Identity, Trust};
use pipes_remote::{quic, quic_free_port, tls, tls_free_port};
use pipes_remote_tests::numbers;
use pipes_tests::watched;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use std::net::{IpAddr, Ipv4Addr, TcpStream, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tokio::runtime::{Builder, Runtime};

/// More than may be in their handshake, and wait for that, at a time.
const MANY: usize = 600;

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads can be had")
}

/// A server in the background runtime, which answers one client after the other.
fn answering(mut listener: pipes::Listener<numbers::Protocol>) {
    thread::spawn(move || {
        let serving = runtime();
        while let Ok(server) = listener.accept() {
            serving.spawn(serve(server));
        }
    });
}

#[test]
fn an_address_outlives_the_runtime_that_used_it_first() {
    watched(|| {
        let server = new();
        let here = quic_free_port(showing(&server)).expect("there is a free port");
        answering(numbers::listen(&here).expect("the port is free"));
        let there = quic(here.address(), trusting(&server));
        for _ in 0..3 {
            let at = Builder::new_current_thread().enable_all().build().expect("a poller can be had");
            let client = at.block_on(numbers::connect_async(&there)).expect("it listens");
            assert_eq!(at.block_on(sum(client)), 5050);
        }
    });
}

#[test]
fn a_session_does_not_end_with_the_runtime_of_another() {
    watched(|| {
        let server = new();
        let here = quic_free_port(showing(&server)).expect("there is a free port");
        answering(numbers::listen(&here).expect("the port is free"));
        let there = quic(here.address(), trusting(&server));
        let (first, second) = (runtime(), runtime());
        let _ends = first.block_on(numbers::connect_async(&there)).expect("it listens");
        let goes_on = second.block_on(numbers::connect_async(&there)).expect("it listens");
        drop(first);
        assert_eq!(second.block_on(sum(goes_on)), 5050);
    });
}

/// A future that waits for the connection, and is not polled, does not hold up others.
#[tokio::test]
async fn who_is_not_polled_holds_up_no_other() {
    let server = new();
    let here = quic_free_port(showing(&server)).expect("there is a free port");
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = quic(here.address(), trusting(&server));
    let mut rests = Box::pin(numbers::connect_async(&there));
    assert!(rests.as_mut().now_or_never().is_none());
    let client = numbers::connect_async(&there).await.expect("it listens");
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
}

/// All that was said arrives, and its end, though the address is gone at once.
#[tokio::test]
async fn sessions_outlive_their_address() {
    let server = new();
    let here = quic_free_port(showing(&server)).expect("there is a free port");
    let mut listener = numbers::listen_with_links_async(&here).await.expect("the port is free");
    let address = here.address();
    for _ in 0..50 {
        let there = quic(&*address, trusting(&server));
        let client = numbers::connect_async(&there).await.expect("it listens");
        drop(there);
        let (server, link) = listener.recv_async().await.expect("a client comes");
        let serving = tokio::spawn(serve(server));
        assert_eq!(sum(client).await, 5050);
        serving.await.expect("it does not panic");
        link.drained_async().await.expect("the client has it");
        assert!(matches!(link.cause(), Cause::Ended), "{link:?}");
    }
}

/// As TCP's is: a client that keeps its connection does not keep the port.
#[test]
fn a_port_is_free_when_its_address_is_dropped() {
    watched(|| {
        runtime().block_on(async {
            let server = new();
            let here = quic_free_port(showing(&server)).expect("there is a free port");
            let there = quic(here.address(), trusting(&server));
            let mut listener = numbers::listen_async(&here).await.expect("the port is free");
            let client = numbers::connect_async(&there).await.expect("it listens");
            tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
            assert_eq!(sum(client).await, 5050);
            drop((listener, here));
            let again = quic(there.address(), showing(&server));
            while numbers::listen_async(&again).await.is_err() {
                tokio::task::yield_now().await;
            }
        });
    });
}

/// A certificate with these settings, signed by an authority or by itself.
fn certified(change: impl Fn(&mut CertificateParams), by_authority: bool) -> Identity {
    let key = KeyPair::generate().expect("there are random numbers");
    let mut params = CertificateParams::new([String::from("bank.example")]).expect("it is a name");
    change(&mut params);
    let certificate = if by_authority {
        let mut above = CertificateParams::new([]).expect("there are no names");
        above.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        above.distinguished_name.push(rcgen::DnType::CommonName, "an authority");
        let own = KeyPair::generate().expect("there are random numbers");
        let above = CertifiedIssuer::self_signed(above, own).expect("it can be signed");
        params.signed_by(&key, &above).expect("it can sign")
    } else {
        params.self_signed(&key).expect("it can be signed")
    };
    // The key may be first, and lines may end as they do on Windows.
    let text = (key.serialize_pem() + &certificate.pem()).replace("\r\n", "\n").replace('\n', "\r\n");
    Identity::from_pem(text.as_bytes()).expect("it is an identity")
}

/// Makes it expire in the year 2001.
fn old(params: &mut CertificateParams) {
    (params.not_before, params.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
}

/// As `openssl req -x509` makes it.
fn for_all(params: &mut CertificateParams) {
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
}

/// Returns `true` if two programs with this identity, which know each other by fingerprints, come together.
async fn known_by_fingerprint(identity: &Identity) -> Result<(), String> {
    let trust = Trust::fingerprint(identity.fingerprint());
    let here = tls_free_port(showing(identity).clients(trust)).expect("there is a free port");
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = tls(here.address(), trusting(identity).identity(identity));
    let client = numbers::connect_async(&there).await.map_err(|error| error.to_string())?;
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
    Ok(())
}

#[tokio::test]
async fn a_fingerprint_is_enough_for_a_certificate_of_an_authority() {
    assert_eq!(known_by_fingerprint(&certified(|_| {}, true)).await, Ok(()));
    assert!(known_by_fingerprint(&certified(old, true)).await.is_err());
}

#[tokio::test]
async fn a_fingerprint_is_enough_for_what_openssl_makes() {
    assert_eq!(known_by_fingerprint(&certified(for_all, false)).await, Ok(()));
    let old_for_all = |params: &mut CertificateParams| {
        old(params);
        for_all(params);
    };
    assert!(known_by_fingerprint(&certified(old_for_all, false)).await.is_err());
}

#[test]
fn fingerprints_are_read_as_openssl_prints_them() {
    let fingerprint = new().fingerprint();
    let written = fingerprint.to_string().to_uppercase();
    let pairs: Vec<&str> = (0..32).map(|pair| &written[2 * pair..][..2]).collect();
    let printed = format!("sha256 Fingerprint={}\n", pairs.join(":"));
    assert_eq!(printed.parse::<Fingerprint>(), Ok(fingerprint));
    assert_eq!(format!("{written}\n").parse::<Fingerprint>(), Ok(fingerprint));
}

#[tokio::test]
async fn a_filter_that_panics_refuses_that_client_only() {
    let server = new();
    let calls = Arc::new(AtomicUsize::new(0));
    let here = tls_free_port(showing(&server)).expect("there is a free port").sessions(1);
    let here = here.admit(move |_| {
        assert!(calls.fetch_add(1, Ordering::Relaxed) > 300, "it does not like this one");
        true
    });
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = tls(here.address(), trusting(&server));
    for _ in 0..=300 {
        assert!(numbers::connect_async(&there).await.is_err());
    }
    let client = numbers::connect_async(&there).await.expect("no session is counted");
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
}

#[test]
fn clients_that_give_up_are_not_counted() {
    watched(|| {
        runtime().block_on(async {
            let server = new();
            let here = quic_free_port(showing(&server)).expect("there is a free port").sessions(1);
            let listening = numbers::listen_async(&here).await.expect("the port is free");
            for polls in 0..40 {
                let there = quic(here.address(), trusting(&server));
                let mut connecting = Box::pin(numbers::connect_async(&there));
                for _ in 0..polls {
                    if connecting.as_mut().now_or_never().is_some() {
                        break;
                    }
                    tokio::task::yield_now().await;
                }
            }
            let there = quic(here.address(), trusting(&server));
            while numbers::connect_async(&there).await.is_err() {
                tokio::task::yield_now().await;
            }
            drop(listening);
        });
    });
}

/// With the usual times.
#[test]
fn sockets_without_a_handshake_of_tls_hold_up_no_client() {
    watched(|| {
        let server = new();
        let here = tls_free_port(showing(&server)).expect("there is a free port");
        let there = tls(here.address(), trusting(&server));
        runtime().block_on(async {
            let mut listener = numbers::listen_async(&here).await.expect("the port is free");
            let connect = || TcpStream::connect(here.address()).expect("it listens");
            let _silent: Vec<_> = (0..MANY).map(|_| connect()).collect();
            let client = numbers::connect_async(&there).await.expect("it listens");
            tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
            assert_eq!(sum(client).await, 5050);
        });
    });
}

/// Everything that clients send goes to this address, and nothing comes back.
fn one_way(to: String) -> String {
    let from = UdpSocket::bind("127.0.0.1:0").expect("there is a free port");
    let out = UdpSocket::bind("127.0.0.1:0").expect("there is a free port");
    let address = from.local_addr().expect("it is bound").to_string();
    thread::spawn(move || {
        let mut bytes = [0; 2048];
        while let Ok(length) = from.recv(&mut bytes) {
            out.send_to(&bytes[..length], &to).expect("it can be sent");
        }
    });
    address
}

#[test]
fn handshakes_of_quic_without_an_end_are_limited() {
    /// For each handshake that is under way, that of the listener and that of the library.
    const TASKS: usize = 2 * 256;
    watched(|| {
        let server = new();
        let here = quic_free_port(showing(&server)).expect("there is a free port");
        let (serving, clients) = (runtime(), runtime());
        let _listener = serving.block_on(numbers::listen_async(&here)).expect("the port is free");
        let address = one_way(here.address());
        for _ in 0..MANY {
            let there = Quic::new(&*address, trusting(&server));
            // On a busy machine, the first may be given up before the last begin.
            clients.spawn(async move { while there.open().await.is_err() {} });
        }
        // Until the first of them are given up.
        let (mut now, mut most) = (0, 0);
        while most < TASKS || now == most {
            now = serving.metrics().num_alive_tasks();
            // Those that are given up are closed for a moment, and the listener has tasks, too.
            assert!(now <= TASKS + TASKS / 2 + 8, "{now}");
            most = most.max(now);
            thread::yield_now();
        }
    });
}

/// A socket for both families says where its clients are as one for theirs does.
#[tokio::test]
async fn a_machine_is_the_same_at_a_socket_for_both_families() {
    let server = new();
    // Not every machine has both.
    let Ok(free) = UdpSocket::bind("[::]:0") else { return };
    let port = free.local_addr().expect("it is bound").port();
    drop(free);
    let here = quic(format!("[::]:{port}"), showing(&server));
    let here = here.admit(|peer| peer.holder() == IpAddr::from(Ipv4Addr::LOCALHOST).to_string());
    let _listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = quic(format!("127.0.0.1:{port}"), trusting(&server));
    assert!(numbers::connect_async(&there).await.is_ok());
    let there = quic(format!("[::1]:{port}"), trusting(&server));
    let error = numbers::connect_async(&there).await.err().map(|it| it.to_string());
    assert!(error.as_ref().is_some_and(|it| it.contains("is not admitted")), "{error:?}");
}
