//! TLS and QUIC: who gets in, and what is known of them.

use futures::FutureExt;
use pipes::Cause;
use pipes::remote::{Dial, Serve};
use pipes_remote::engine::{Engine, Quic, Tls};
use pipes_remote::security::{Fingerprint, Identity, Security, Trust};
use pipes_remote::{ConnectError, Refusal, Via, quic, quic_free_port, tls, tls_free_port};
use pipes_remote_tests::numbers;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use std::time::Duration;

type Numbers = numbers::Client<numbers::Open>;

/// One of the two engines.
trait Secured {
    type Engine: Engine;
    fn free(security: Security) -> Via<Self::Engine>;
    fn at(address: String, security: Security) -> Via<Self::Engine>;
}

enum OverTls {}
enum OverQuic {}

impl Secured for OverTls {
    type Engine = Tls;
    fn free(security: Security) -> Via<Tls> {
        tls_free_port(security).expect("there is a free port")
    }
    fn at(address: String, security: Security) -> Via<Tls> {
        tls(address, security)
    }
}

impl Secured for OverQuic {
    type Engine = Quic;
    fn free(security: Security) -> Via<Quic> {
        quic_free_port(security).expect("there is a free port")
    }
    fn at(address: String, security: Security) -> Via<Quic> {
        quic(address, security)
    }
}

/// Each test, over both engines.
macro_rules! over_both {
    ($($test:ident)*) => {
        mod over_tls { $(#[tokio::test] async fn $test() { super::$test::<super::OverTls>().await; })* }
        mod over_quic { $(#[tokio::test] async fn $test() { super::$test::<super::OverQuic>().await; })* }
    };
}

over_both! {
    a_session_with_a_known_server
    servers_that_are_not_trusted_are_refused
    clients_that_are_not_trusted_reach_nothing
    an_authority_vouches_for_names
    what_is_known_of_a_client_is_shown_first
    a_filter_refuses_before_the_listener_sees_anything
    a_peer_has_at_most_its_sessions
    what_has_no_identity_cannot_listen
    another_listener_takes_over
}

pub fn new() -> Identity {
    Identity::generate().expect("there are random numbers")
}

pub fn showing(identity: &Identity) -> Security {
    Security::new().identity(identity)
}

pub fn trusting(identity: &Identity) -> Security {
    Security::new().servers(Trust::fingerprint(identity.fingerprint()))
}

/// Sums some numbers up, over a session.
pub async fn sum(client: Numbers) -> u64 {
    let mut client = client;
    for number in 1..=100 {
        client = client.number(number).expect("the link stands");
    }
    let numbers::Sum::Sum(sum) = client.done().expect("the link stands").await.expect("it answers");
    sum
}

pub async fn serve(server: numbers::Server<numbers::Open>) {
    let (mut sum, mut server) = (0, server);
    loop {
        match server.await.expect("the link stands") {
            numbers::Open::Number(number, next) => (sum, server) = (sum + number, next),
            numbers::Open::Done(answer) => return answer.sum(sum).expect("the link stands"),
        }
    }
}

/// Connects where nothing may come of it. Returns the error.
async fn refused<E: Engine>(via: &Via<E>) -> ConnectError
where
    Via<E>: Dial<numbers::Protocol, Error = ConnectError>,
{
    match numbers::connect_async(via).await {
        Ok(_) => panic!("it was taken"),
        Err(error) => error,
    }
}

/// The error of a handshake that TLS has ended.
fn of_tls(error: &ConnectError) -> bool {
    matches!(error, ConnectError::Unreachable { .. })
}

async fn a_session_with_a_known_server<S: Secured>() {
    let server = new();
    let here = S::free(showing(&server));
    let mut listener = numbers::listen_with_links_async(&here).await.expect("the port is free");
    let serving = tokio::spawn(async move {
        let (server, link) = listener.recv_async().await.expect("a client comes");
        serve(server).await;
        link.drained_async().await.expect("the client is there");
        link.cause()
    });
    let there = S::at(here.address(), trusting(&server));
    let (client, link) = numbers::connect_with_link_async(&there).await.expect("it is trusted");
    assert!(link.peer().contains(&server.fingerprint().to_string()), "{}", link.peer());
    assert_eq!(sum(client).await, 5050);
    let cause = serving.await.expect("it does not panic");
    assert!(matches!(cause, Cause::Ended), "{cause:?}");
    link.drained_async().await.expect("all is confirmed");
    assert!(matches!(link.cause(), Cause::Ended), "{link:?}");
}

/// An identity that was valid in the year 2000 only.
fn expired() -> Identity {
    let mut params = CertificateParams::new([String::from("pipes")]).expect("it is a name");
    (params.not_before, params.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
    let key = KeyPair::generate().expect("there are random numbers");
    let certificate = params.self_signed(&key).expect("it can be signed");
    Identity::from_pem((certificate.pem() + &key.serialize_pem()).as_bytes()).expect("it is an identity")
}

async fn servers_that_are_not_trusted_are_refused<S: Secured>() {
    for (server, trusted) in [(new(), new()), {
        let old = expired();
        (old.clone(), old)
    }] {
        let here = S::free(showing(&server));
        let mut listener = numbers::listen_async(&here).await.expect("the port is free");
        let error = refused(&S::at(here.address(), trusting(&trusted))).await;
        assert!(of_tls(&error) && error.to_string().contains("certificate"), "{error}");
        let none = refused(&S::at(here.address(), Security::new())).await;
        assert!(none.to_string().contains("which servers are trusted"), "{none}");
        assert!(listener.recv_async().now_or_never().is_none());
    }
}

async fn clients_that_are_not_trusted_reach_nothing<S: Secured>() {
    let (server, known, old) = (new(), new(), expired());
    let trusted = Trust::fingerprints([known.fingerprint(), old.fingerprint()]);
    let here = S::free(showing(&server).clients(trusted));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    for identity in [None, Some(new()), Some(old)] {
        let client = identity.iter().fold(trusting(&server), |client, identity| client.identity(identity));
        let error = refused(&S::at(here.address(), client)).await;
        assert!(of_tls(&error), "{error}");
        assert!(listener.recv_async().now_or_never().is_none());
    }
    let client = trusting(&server).identity(&known);
    let client = numbers::connect_async(&S::at(here.address(), client)).await.expect("it is trusted");
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
}

/// An authority, and an identity that it has signed for these names.
fn signed(names: &[&str]) -> (Trust, Identity) {
    let mut params = CertificateParams::new([]).expect("there are no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority =
        CertifiedIssuer::self_signed(params, KeyPair::generate().expect("there are random numbers"))
            .expect("it can be signed");
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let key = KeyPair::generate().expect("there are random numbers");
    let certificate = CertificateParams::new(names)
        .expect("these are names")
        .signed_by(&key, &authority)
        .expect("it can sign");
    let trust = Trust::authority_from_pem(authority.pem().as_bytes()).expect("it is an authority");
    let identity = Identity::from_pem((certificate.pem() + &key.serialize_pem()).as_bytes());
    (trust, identity.expect("it is an identity"))
}

async fn an_authority_vouches_for_names<S: Secured>() {
    let (authority, server) = signed(&["127.0.0.1", "bank.example"]);
    let (_, wrong) = signed(&["127.0.0.1"]);
    let (same_authority, other_name) = signed(&["bank.example"]);
    for (server, trust, is_taken) in
        [(server, &authority, true), (wrong, &authority, false), (other_name, &same_authority, false)]
    {
        let here = S::free(showing(&server));
        let mut listener = numbers::listen_async(&here).await.expect("the port is free");
        let there = S::at(here.address(), Security::new().servers(trust.clone()));
        if is_taken {
            let client = numbers::connect_async(&there).await.expect("it is trusted");
            tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
            assert_eq!(sum(client).await, 5050);
        } else {
            let error = refused(&there).await;
            assert!(of_tls(&error) && error.to_string().contains("certificate"), "{error}");
        }
    }
}

/// The zone of an IPv6 address says which of this machine's networks is meant.
#[tokio::test]
async fn a_zone_is_not_in_certificates() {
    let (authority, server) = signed(&["::1"]);
    let port = std::net::TcpListener::bind("[::1]:0").and_then(|it| it.local_addr()).expect("a port is free");
    let here = tls(port.to_string(), showing(&server));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = tls(format!("[::1%1]:{}", port.port()), Security::new().servers(authority));
    let client = numbers::connect_async(&there).await.expect("it is trusted");
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
}

async fn what_is_known_of_a_client_is_shown_first<S: Secured>() {
    let (server, client) = (new(), new());
    let here = S::free(showing(&server).clients(Trust::fingerprint(client.fingerprint())));
    let mut listener = numbers::listen_with_links_async(&here).await.expect("the port is free");
    let there = S::at(here.address(), trusting(&server).identity(&client));
    let _client = numbers::connect_async(&there).await.expect("it is trusted");
    // It has sent nothing yet.
    let (_server, link) = listener.recv_async().await.expect("a client comes");
    assert!(link.peer().contains(&client.fingerprint().to_string()), "{}", link.peer());
}

async fn a_filter_refuses_before_the_listener_sees_anything<S: Secured>() {
    let (server, good, bad) = (new(), new(), new());
    let trusted = Trust::fingerprints([good.fingerprint(), bad.fingerprint()]);
    let admitted = good.fingerprint();
    let here =
        S::free(showing(&server).clients(trusted)).admit(move |peer| peer.fingerprint() == Some(admitted));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let error = refused(&S::at(here.address(), trusting(&server).identity(&bad))).await;
    assert!(matches!(error, ConnectError::Refused { reason: Refusal::NotAdmitted, .. }), "{error}");
    assert!(listener.recv_async().now_or_never().is_none());
    let good = S::at(here.address(), trusting(&server).identity(&good));
    let _client = numbers::connect_async(&good).await.expect("it is admitted");
    assert!(listener.recv_async().await.is_ok());
}

async fn a_peer_has_at_most_its_sessions<S: Secured>() {
    let server = new();
    let here = S::free(showing(&server)).sessions(2);
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = S::at(here.address(), trusting(&server));
    let first = numbers::connect_async(&there).await.expect("there is room");
    let _second = numbers::connect_async(&there).await.expect("there is room");
    let error = refused(&there).await;
    assert!(matches!(error, ConnectError::Refused { reason: Refusal::Sessions { most: 2 }, .. }), "{error}");
    assert!(error.to_string().contains("has 2 sessions there, which is its limit"), "{error}");
    serve_and_end(&mut listener, first).await;
    // The session is counted until its last frame is confirmed.
    let mut third = numbers::connect_async(&there).await;
    while third.is_err() {
        tokio::task::yield_now().await;
        third = numbers::connect_async(&there).await;
    }
    assert!(third.is_ok());
}

async fn serve_and_end(listener: &mut pipes::Listener<numbers::Protocol>, client: Numbers) {
    tokio::spawn(serve(listener.recv_async().await.expect("a client comes")));
    assert_eq!(sum(client).await, 5050);
}

async fn what_has_no_identity_cannot_listen<S: Secured>()
where
    Via<S::Engine>: Serve<numbers::Protocol, numbers::Server<numbers::Open>>,
{
    let here = S::free(Security::new());
    let error = numbers::listen_async(&here).await.err().map(|error| error.to_string());
    assert!(error.as_ref().is_some_and(|it| it.contains("a server needs an identity")), "{error:?}");
}

async fn another_listener_takes_over<S: Secured>() {
    let server = new();
    let here = S::free(showing(&server));
    let there = S::at(here.address(), trusting(&server));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let going_on = numbers::connect_async(&there).await.expect("it listens");
    let served = listener.recv_async().await.expect("a client comes");
    drop(listener);
    let error = refused(&there).await;
    assert!(of_tls(&error) || matches!(error, ConnectError::Refused { .. }), "{error}");
    // The address stays the same, and the earlier sessions go on.
    let mut listener = numbers::listen_async(&here).await.expect("the port is free again");
    let client = numbers::connect_async(&there).await.expect("it listens again");
    serve_and_end(&mut listener, client).await;
    tokio::spawn(serve(served));
    assert_eq!(sum(going_on).await, 5050);
}

#[tokio::test]
async fn a_plain_client_gets_nothing_from_a_secured_server() {
    let here =
        tls_free_port(showing(&new())).expect("there is a free port").handshake(Duration::from_secs(60));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let plain = pipes_remote::tcp(here.address());
    let error = match numbers::connect_async(&plain).await {
        Ok(_) => panic!("it was taken"),
        Err(error) => error,
    };
    assert!(of_tls(&error), "{error}");
    assert!(listener.recv_async().now_or_never().is_none());
}

#[test]
fn fingerprints_are_read_as_they_are_written() {
    let fingerprint = new().fingerprint();
    let written = fingerprint.to_string();
    let pairs: Vec<&str> = (0..32).map(|pair| &written[2 * pair..][..2]).collect();
    for form in [written.clone(), written.to_uppercase(), pairs.join(":")] {
        assert_eq!(form.parse::<Fingerprint>(), Ok(fingerprint), "{form}");
    }
    for wrong in ["", "0", &written[1..], &format!("{written}00"), &format!("é{}", &written[2..]), ":"] {
        assert!(wrong.parse::<Fingerprint>().is_err(), "{wrong}");
    }
}
