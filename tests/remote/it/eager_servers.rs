//! What servers make of clients that do not wait for their answer.

use crate::eager::{looking, refusal};
use futures::FutureExt;
use pipes::{Cause, Closing};
use pipes_remote::{ConnectError, Refusal, Via};
use pipes_remote_tests::raw::{self, BEAT, BYE, FAULT, LEAVE, MESSAGE};
use pipes_remote_tests::{Counted, Counts, Cut, DOWN, Net, Plan, loads, numbers, rest, tasks, within};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Clients that a listener does not take, each of them with much to say: they hold no place there.
#[tokio::test(start_paused = true)]
async fn a_listener_that_takes_none_of_many() {
    let (base, net) = (tasks(), Net::new());
    let here = net.via().admit(|_| false);
    let listener = numbers::listen_async(&here).await.expect("it is free");
    let via: Via<Net> = net.via().eager();
    let mut clients = Vec::new();
    for _ in 0..300 {
        let (client, link) = numbers::connect_with_link_async(&via).await.expect("there is a stream");
        let sent = (0..100).try_fold(client, |client, number| client.number(number).ok());
        clients.push((sent, link));
    }
    for (client, link) in clients {
        let Some(mut client) = client else { continue };
        within(client.closed()).await;
        assert_eq!(refusal(&link), Refusal::NotAdmitted);
    }
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}

/// A service that comes to its end while eager clients come: each of them is served or refused, and nothing
/// is said to have arrived that did not.
#[tokio::test(start_paused = true)]
async fn a_service_that_ends_while_they_come() {
    for before in 0..40 {
        let (base, net) = (tasks(), Net::of(Plan { piece: 7, ..Plan::default() }));
        let mut listener = loads::listen_with_links_async(&net.via()).await.expect("it is free");
        let counts = Counts::now();
        let mut links = Vec::new();
        for number in 0..4 {
            let client = loads::connect_with_link_async(&net.via().eager()).await;
            let (client, link) = client.expect("there is a stream");
            drop(client.load(Counted::new(number)).expect("the link stands"));
            links.push(link);
        }
        for _ in 0..before {
            tokio::task::yield_now().await;
        }
        let mut sessions = Vec::new();
        while let Some(session) = listener.recv_async().now_or_never() {
            sessions.push(session.expect("it listens"));
        }
        within(listener.drain_async()).await;
        let mut heard = 0;
        for (server, _) in sessions {
            heard += u64::from(matches!(within(server).await, Ok(loads::Open::Load(..))));
        }
        let mut confirmed = 0;
        for link in links {
            confirmed += u64::from(within(link.drained_async()).await.is_ok());
            assert!(!matches!(link.cause(), Cause::Open | Cause::Ended), "{link:?}");
        }
        assert!(confirmed >= heard, "{before}: {heard} heard, {confirmed} confirmed");
        rest().await;
        assert_eq!(Counts::now().alive(), counts.alive());
        assert_eq!(tasks(), base);
    }
}

/// What a server makes of these bytes: why its session ended, the messages before that, and what it said.
async fn heard(bytes: &[u8], is_patient: bool) -> (String, Vec<u64>, Vec<u32>) {
    let (base, net) = (tasks(), Net::new());
    let mut listener = numbers::listen_with_links_async(&net.via()).await.expect("it is free");
    let mut wire = net.dial().expect("it listens");
    let hello = raw::Hello::of::<numbers::Protocol>().bytes();
    if is_patient {
        wire.write_all(&hello).await.expect("the link stands");
        raw::read_envelope(&mut wire).await.expect("it answers");
        wire.write_all(bytes).await.expect("the link stands");
    } else {
        wire.write_all(&[&hello, bytes].concat()).await.expect("the link stands");
    }
    wire.shutdown().await.expect("the link stands");
    let (mut server, link) = within(listener.recv_async()).await.expect("a client comes");
    let mut numbers = Vec::new();
    while let Ok(numbers::Open::Number(number, next)) = within(server).await {
        numbers.push(number);
        server = next;
    }
    let mut said = Vec::new();
    within(wire.read_to_end(&mut said)).await.expect("the link stands");
    let codes = if is_patient { raw::codes(&[raw::taken(), said].concat()) } else { raw::codes(&said) };
    drop((listener, wire));
    rest().await;
    assert_eq!(tasks(), base);
    (format!("{:?}", link.cause()), numbers, codes)
}

/// What comes right behind a hello is what comes after an answer.
#[tokio::test(start_paused = true)]
async fn what_is_behind_a_hello() {
    let number = raw::frame(MESSAGE, &[7]);
    let many = number.repeat(5000);
    let all: [Vec<u8>; 12] = [
        vec![],
        vec![0],
        vec![0, 0, 0, 0],
        vec![0xff; 4],
        raw::frame(LEAVE, &[]),
        raw::frame(BYE, &[]),
        raw::frame(FAULT, b"I do not like it"),
        raw::frame(BEAT, &[]),
        raw::frame(4, &[]),
        [&number, &*raw::frame(LEAVE, &[])].concat(),
        [&many, &*raw::frame(MESSAGE + 9, &[])].concat(),
        raw::Hello::of::<numbers::Protocol>().bytes(),
    ];
    for bytes in all {
        assert_eq!(
            heard(&bytes, true).await,
            heard(&bytes, false).await,
            "{:?}",
            &bytes[..bytes.len().min(20)]
        );
    }
}

/// A filter that panics takes no client, and does no harm to the next one.
#[tokio::test(start_paused = true)]
async fn a_filter_that_panics() {
    let (base, net) = (tasks(), Net::new());
    let (panics, again) = (Arc::new(AtomicBool::new(true)), net.via().sessions(1));
    let seen = panics.clone();
    let here = again.admit(move |_| if seen.load(Ordering::Relaxed) { panic!("no") } else { true });
    let mut listener = numbers::listen_async(&here).await.expect("it is free");
    for _ in 0..300 {
        let refused = numbers::connect_async(&net.via()).await;
        assert!(matches!(refused, Err(ConnectError::Unreachable { .. })));
        let (client, link) = numbers::connect_with_link_async(&net.via().eager()).await.expect("a stream");
        let mut client = client.number(1).expect("the link stands");
        within(client.closed()).await;
        looking(&link, |error| assert!(matches!(error, ConnectError::Unreachable { .. }), "{error:?}"));
    }
    assert!(listener.recv_async().now_or_never().is_none());
    panics.store(false, Ordering::Relaxed);
    let client = numbers::connect_async(&net.via()).await.expect("there is a place");
    let server = within(listener.recv_async()).await.expect("a client comes");
    drop((client, server, listener));
    rest().await;
    assert_eq!(tasks(), base);
}

/// A session whose answer is lost may have taken place: its client does not know.
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_lost() {
    let net = Net::of(Plan { cut: Some((DOWN, 0, Cut::Silence)), ..Plan::default() });
    let mut listener = numbers::listen_async(&net.via()).await.expect("it is free");
    let (client, link) = numbers::connect_with_link_async(&net.via().eager()).await.expect("a stream");
    let mut client = client.number(7).expect("the link stands");
    let server = within(listener.recv_async()).await.expect("a client comes");
    assert!(matches!(within(server).await, Ok(numbers::Open::Number(7, _))));
    within(client.closed()).await;
    looking(&link, |error| assert!(matches!(error, ConnectError::TimedOut { .. }), "{error:?}"));
    assert!(link.drained_async().await.is_err());
}
