//! TLS and QUIC: who gets in, and what is known of them.

use crate::eager::looking;
use crate::refused::reporting;
use futures::FutureExt;
use pipes::Closing;
use pipes::remote::{Dial, Fingerprint, Serve};
use pipes_remote::engine::{Engine, Quic, Tls, Ws};
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote::{AcceptError, ConnectError, Distrust, Refusal, Via, tls};
use pipes_remote_tests::engines::{Secured, host_and_port, new, serve, serves, showing, sum, trusting};
use pipes_remote_tests::numbers;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use std::net::TcpStream;

/// Each test, over each engine with certificates.
macro_rules! over_each {
    ($($test:ident)*) => {
        mod over_tls { $(#[tokio::test] async fn $test() { super::$test::<super::Tls>().await; })* }
        mod over_quic { $(#[tokio::test] async fn $test() { super::$test::<super::Quic>().await; })* }
        mod over_ws { $(#[tokio::test] async fn $test() { super::$test::<super::Ws>().await; })* }
    };
}

over_each! {
    both_sides_know_the_fingerprint_of_the_other_one
    servers_that_are_not_trusted_are_refused
    clients_that_are_not_trusted_reach_nothing
    an_authority_vouches_for_names
    a_fingerprint_is_enough_for_any_certificate
    a_filter_refuses_before_the_listener_sees_anything
    a_peer_has_at_most_its_sessions
    what_has_no_identity_cannot_listen
    another_listener_takes_over
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

/// The server does not trust the client's certificate.
fn is_stranger(error: &ConnectError) -> bool {
    matches!(error, ConnectError::Refused { reason: Refusal::Untrusted, .. }) && !error.is_temporary()
}

fn key() -> KeyPair {
    KeyPair::generate().expect("there are random numbers")
}

/// An authority.
fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new([]).expect("there are no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(rcgen::DnType::CommonName, "an authority");
    CertifiedIssuer::self_signed(params, key()).expect("it can be signed")
}

/// An identity for these names, signed by an authority or by itself, with changes.
fn certified(
    names: &[&str],
    by: Option<&CertifiedIssuer<'static, KeyPair>>,
    change: impl Fn(&mut CertificateParams),
) -> Identity {
    let (key, names): (_, Vec<_>) = (key(), names.iter().map(|name| (*name).to_owned()).collect());
    let mut params = CertificateParams::new(names).expect("these are names");
    change(&mut params);
    let certificate = match by {
        Some(authority) => params.signed_by(&key, authority),
        None => params.self_signed(&key),
    };
    let text = certificate.expect("it can be signed").pem() + &key.serialize_pem();
    Identity::from_pem(text.as_bytes()).expect("it is an identity")
}

/// Makes it valid in the year 2000 only.
fn old(params: &mut CertificateParams) {
    (params.not_before, params.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
}

fn expired() -> Identity {
    certified(&["pipes"], None, old)
}

async fn both_sides_know_the_fingerprint_of_the_other_one<E: Secured>() {
    let (server, client) = (new(), new());
    let here = E::free(showing(&server).clients(Trust::fingerprint(client.fingerprint())));
    let mut listener = numbers::listen_with_links_async(&here).await.expect("the port is free");
    let there = E::at(here.address(), trusting(&server).identity(&client));
    let (_client, link) = numbers::connect_with_link_async(&there).await.expect("it is trusted");
    assert_eq!(link.peer().certificate(), Some(server.fingerprint()));
    assert_eq!(
        link.peer().address().map(|it| it.to_string()),
        Some(host_and_port(&here.address()).to_owned())
    );
    // It has sent nothing yet.
    let (_server, link) = listener.recv_async().await.expect("a client comes");
    assert_eq!(link.peer().certificate(), Some(client.fingerprint()));
}

async fn servers_that_are_not_trusted_are_refused<E: Secured>() {
    let (other, old) = (new(), expired());
    let unknown = Distrust::Unknown { expected: vec![other.fingerprint()] };
    for (server, trusted, distrust) in [(new(), other, unknown), (old.clone(), old, Distrust::Expired)] {
        let (here, mut reports) = reporting(E::free(showing(&server)));
        let mut listener = numbers::listen_async(&here).await.expect("the port is free");
        let error = refused(&E::at(here.address(), trusting(&trusted))).await;
        assert!(!error.is_temporary());
        let text = error.to_string();
        assert!(text.contains(&server.fingerprint().to_string()), "{text}");
        if distrust != Distrust::Expired {
            assert!(text.contains(&trusted.fingerprint().to_string()), "{text}");
        }
        match error {
            ConnectError::Untrusted { theirs, reason, .. } => {
                assert_eq!((theirs, reason), (server.fingerprint(), distrust));
            }
            other => panic!("{other:?}"),
        }
        let (_, why) = reports.recv().await.expect("it is reported");
        assert!(why.to_string().contains("does not trust the certificate of this program"), "{why}");
        let none = refused(&E::at(here.address(), Security::new())).await;
        assert!(none.to_string().contains("which servers are trusted") && !none.is_temporary(), "{none}");
        assert!(listener.recv_async().now_or_never().is_none() && reports.is_empty());
    }
}

async fn clients_that_are_not_trusted_reach_nothing<E: Secured>() {
    let (server, known, old) = (new(), new(), expired());
    let trusted = Trust::fingerprints([known.fingerprint(), old.fingerprint()]);
    let expected = [known.fingerprint(), old.fingerprint()].into();
    let (here, mut reports) = reporting(E::free(showing(&server).clients(trusted)));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    for (identity, distrust) in [
        (None, None),
        (Some(new()), Some(Distrust::Unknown { expected })),
        (Some(old), Some(Distrust::Expired)),
    ] {
        let client = identity.iter().fold(trusting(&server), |client, identity| client.identity(identity));
        let there = E::at(here.address(), client);
        let error = refused(&there).await;
        assert!(is_stranger(&error), "{error}");
        // An eager one may learn it later.
        match numbers::connect_with_link_async(&there.eager()).await {
            Ok((client, link)) => {
                let mut client = client.number(1).expect("it is not known yet");
                client.closed().await;
                looking(&link, |error| assert!(is_stranger(error), "{error:?}"));
                assert!(link.delivered_async().await.is_err());
            }
            Err(error) => assert!(is_stranger(&error), "{error}"),
        }
        for _ in 0..2 {
            let (peer, why) = reports.recv().await.expect("it is reported");
            assert_eq!((peer.certificate(), peer.address().is_some()), (None, true), "it has proved nothing");
            match (why, &distrust) {
                (AcceptError::NoCertificate, None) => {}
                (AcceptError::Untrusted { theirs, reason }, Some(distrust)) => {
                    assert_eq!(
                        (Some(theirs), &reason),
                        (identity.as_ref().map(Identity::fingerprint), distrust)
                    );
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(listener.recv_async().now_or_never().is_none() && reports.is_empty());
    }
    let client = trusting(&server).identity(&known);
    let client = numbers::connect_async(&E::at(here.address(), client)).await.expect("it is trusted");
    serves(&mut listener, client).await;
}

async fn an_authority_vouches_for_names<E: Secured>() {
    let (one, another) = (authority(), authority());
    let trust = Trust::authority_from_pem(one.pem().as_bytes()).expect("it is an authority");
    let other_name = Distrust::OtherName { expected: "127.0.0.1".into() };
    for (names, by, distrust) in [
        (&["127.0.0.1", "bank.example"][..], &one, None),
        (&["127.0.0.1"], &another, Some(Distrust::UnknownAuthority)),
        (&["bank.example"], &one, Some(other_name)),
    ] {
        let here = E::free(showing(&certified(names, Some(by), |_| {})));
        let mut listener = numbers::listen_async(&here).await.expect("the port is free");
        let there = E::at(here.address(), Security::new().servers(trust.clone()));
        let Some(distrust) = distrust else {
            let client = numbers::connect_async(&there).await.expect("it is trusted");
            serves(&mut listener, client).await;
            continue;
        };
        match refused(&there).await {
            ConnectError::Untrusted { reason, .. } => assert_eq!(reason, distrust),
            other => panic!("{other:?}"),
        }
    }
}

/// The zone of an IPv6 address says which of this machine's networks is meant.
#[tokio::test]
async fn a_zone_is_not_in_certificates() {
    let by = authority();
    let authority = Trust::authority_from_pem(by.pem().as_bytes()).expect("it is an authority");
    let server = certified(&["::1"], Some(&by), |_| {});
    let port = std::net::TcpListener::bind("[::1]:0").and_then(|it| it.local_addr()).expect("a port is free");
    let here = tls(port.to_string(), showing(&server));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = tls(format!("[::1%1]:{}", port.port()), Security::new().servers(authority));
    let client = numbers::connect_async(&there).await.expect("it is trusted");
    serves(&mut listener, client).await;
}

/// Of an authority, or as `openssl req -x509` makes it, as long as it is valid.
async fn a_fingerprint_is_enough_for_any_certificate<E: Secured>() {
    let for_all = |params: &mut CertificateParams| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let by = authority();
    for (identity, is_taken) in [
        (certified(&["bank.example"], Some(&by), |_| {}), true),
        (certified(&["bank.example"], Some(&by), old), false),
        (certified(&["bank.example"], None, for_all), true),
        (
            certified(&["bank.example"], None, |params| {
                old(params);
                for_all(params);
            }),
            false,
        ),
    ] {
        let here = E::free(showing(&identity).clients(Trust::fingerprint(identity.fingerprint())));
        let mut listener = numbers::listen_async(&here).await.expect("the port is free");
        let there = E::at(here.address(), trusting(&identity).identity(&identity));
        match numbers::connect_async(&there).await {
            Ok(client) if is_taken => serves(&mut listener, client).await,
            Err(_) if !is_taken => {}
            other => panic!("{other:?}"),
        }
    }
}

async fn a_filter_refuses_before_the_listener_sees_anything<E: Secured>() {
    let (server, good, bad) = (new(), new(), new());
    let trusted = Trust::fingerprints([good.fingerprint(), bad.fingerprint()]);
    let admitted = good.fingerprint();
    let here =
        E::free(showing(&server).clients(trusted)).admit(move |peer| peer.certificate() == Some(admitted));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let error = refused(&E::at(here.address(), trusting(&server).identity(&bad))).await;
    assert!(matches!(error, ConnectError::Refused { reason: Refusal::NotAdmitted, .. }), "{error}");
    assert!(listener.recv_async().now_or_never().is_none());
    let good = E::at(here.address(), trusting(&server).identity(&good));
    let _client = numbers::connect_async(&good).await.expect("it is admitted");
    assert!(listener.recv_async().await.is_ok());
}

async fn a_peer_has_at_most_its_sessions<E: Secured>() {
    let server = new();
    let here = E::free(showing(&server)).sessions(2);
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let there = E::at(here.address(), trusting(&server));
    let first = numbers::connect_async(&there).await.expect("there is room");
    let _second = numbers::connect_async(&there).await.expect("there is room");
    let error = refused(&there).await;
    assert!(matches!(error, ConnectError::Refused { reason: Refusal::Sessions { most: 2 }, .. }), "{error}");
    assert!(error.to_string().contains("has 2 sessions there, which is its limit"), "{error}");
    serves(&mut listener, first).await;
    // The session is counted until its last frame is confirmed.
    let mut third = numbers::connect_async(&there).await;
    while third.is_err() {
        tokio::task::yield_now().await;
        third = numbers::connect_async(&there).await;
    }
    assert!(third.is_ok());
}

async fn what_has_no_identity_cannot_listen<E: Secured>()
where
    Via<E>: Serve<numbers::Protocol, numbers::Server<numbers::Open>>,
{
    let here = E::free(Security::new());
    let error = numbers::listen_async(&here).await.err().map(|error| error.to_string());
    assert!(error.as_ref().is_some_and(|it| it.contains("a server needs an identity")), "{error:?}");
}

async fn another_listener_takes_over<E: Secured>() {
    let server = new();
    let here = E::free(showing(&server));
    let there = E::at(here.address(), trusting(&server));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let going_on = numbers::connect_async(&there).await.expect("it listens");
    let served = listener.recv_async().await.expect("a client comes");
    drop(listener);
    let error = refused(&there).await;
    assert!(error.is_temporary(), "{error:?}");
    // The address stays the same, and the earlier sessions go on.
    let mut listener = numbers::listen_async(&here).await.expect("the port is free again");
    let client = numbers::connect_async(&there).await.expect("it listens again");
    serves(&mut listener, client).await;
    tokio::spawn(serve(served));
    assert_eq!(sum(going_on).await, 5050);
}

#[test]
fn fingerprints_are_read_as_they_are_written() {
    let fingerprint = new().fingerprint();
    let written = fingerprint.to_string();
    let pairs: Vec<&str> = (0..32).map(|pair| &written[2 * pair..][..2]).collect();
    let openssl = format!("sha256 Fingerprint={}\n", pairs.join(":").to_uppercase());
    for form in [written.clone(), format!("{}\n", written.to_uppercase()), pairs.join(":"), openssl] {
        assert_eq!(form.parse::<Fingerprint>(), Ok(fingerprint), "{form}");
    }
    let other_sum = format!("md5 Fingerprint={}", pairs.join(":"));
    let too_long = format!("{written}00");
    for wrong in ["", "0", &written[1..], &too_long, &format!("é{}", &written[2..]), ":", &other_sum] {
        assert!(wrong.parse::<Fingerprint>().is_err(), "{wrong}");
    }
}

/// More than may be in their handshake at a time, with the usual times.
#[tokio::test(flavor = "multi_thread")]
async fn sockets_without_a_handshake_of_tls_hold_up_no_client() {
    let server = new();
    let here = Tls::free(showing(&server));
    let there = tls(here.address(), trusting(&server));
    let mut listener = numbers::listen_async(&here).await.expect("the port is free");
    let connect = || TcpStream::connect(here.address()).expect("it listens");
    let _silent: Vec<_> = (0..600).map(|_| connect()).collect();
    let client = numbers::connect_async(&there).await.expect("it listens");
    serves(&mut listener, client).await;
}
