//! Servers of clients that do not wait for the answer, and what comes of what those have said first.

use crate::eager::{looking, refusal, unanswered};
use futures::FutureExt;
use pipes::{Closing, remote::Cause};
use pipes_remote::engine::{Accept, Engine, Quic, Tls, Ws};
use pipes_remote::{ConnectError, Refusal};
use pipes_remote_tests::engines::{Sides, secured_sides, tcp_sides};
use pipes_remote_tests::raw::{self, FAULT};
use pipes_remote_tests::{
    Counted, Counts, Net, Plan, Trap, at_rest, loads, numbers, rest, tasks, traps, within,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

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
        within(listener.shutdown_async()).await;
        let mut heard = 0;
        for (server, _) in sessions {
            heard += u64::from(matches!(within(server).await, Ok(loads::Open::Load(..))));
        }
        let mut confirmed = 0;
        for link in links {
            confirmed += u64::from(within(link.delivered_async()).await.is_ok());
            assert!(!matches!(link.cause(), Cause::Open | Cause::Ended), "{link:?}");
        }
        assert!(confirmed >= heard, "{before}: {heard} heard, {confirmed} confirmed");
        rest().await;
        assert_eq!(Counts::now().alive, counts.alive);
        assert_eq!(tasks(), base);
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
    at_rest(base).await;
}

/// A first message that cannot be written is the fault, whatever the server says to the hello.
#[tokio::test(start_paused = true)]
async fn a_first_message_that_is_none() {
    let refused = raw::enveloped(1, &(1_u32, Refusal::Busy));
    for answer in [vec![], refused, raw::taken()] {
        for trap in [Trap::FailsInSerialize, Trap::PanicsInSerialize] {
            for before in [0, 3] {
                let (base, net) = (tasks(), Net::new());
                let ((mut client, link), mut wire) = unanswered!(traps, net);
                for number in 0..before {
                    client = client.trap(Trap::Harmless(number)).expect("the link stands");
                }
                let mut client = client.trap(trap).expect("the link stands");
                within(client.closed()).await;
                wire.write_all(&answer).await.expect("the link stands");
                let mut said = Vec::new();
                within(wire.read_to_end(&mut said)).await.expect("the link stands");
                let codes = raw::codes(&said);
                assert_eq!(codes.len(), before as usize + 1);
                assert_eq!(codes.last(), Some(&FAULT));
                drop(wire);
                assert!(within(link.delivered_async()).await.is_err());
                assert!(matches!(link.cause(), Cause::Fault(_)), "{link:?}");
                at_rest(base).await;
            }
        }
    }
}

/// Much is on its way when the refusal comes: it is the cause, whatever the engine.
async fn refused_behind_much<E: Engine>(sides: Sides<E>) {
    let Sides { here, there } = sides.eager();
    let _listener = loads::listen_async(&here.admit(|_| false)).await.expect("it is free");
    for _ in 0..2 {
        let (client, link) = loads::connect_with_link_async(&there).await.expect("it listens");
        let sent = (0..8).try_fold(client, |client, _| client.bytes(vec![0; 1 << 20]).ok());
        let mut client = sent.expect("the refusal is under way");
        client.closed().await;
        assert_eq!(refusal(&link), Refusal::NotAdmitted);
        assert!(link.delivered_async().await.is_err());
    }
}

#[tokio::test]
async fn a_refusal_behind_much_over_sockets_and_tls() {
    refused_behind_much(tcp_sides()).await;
    #[cfg(unix)]
    {
        let folder = tempfile::tempdir().expect("there is room");
        refused_behind_much(Sides::same(pipes_remote::unix(folder.path().join("socket")))).await;
    }
    refused_behind_much(secured_sides::<Tls>()).await;
}

#[tokio::test]
async fn a_refusal_behind_much_over_quic() {
    refused_behind_much(secured_sides::<Quic>()).await;
    refused_behind_much(secured_sides::<Ws>()).await;
}
