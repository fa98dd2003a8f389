//! Peers that speak well and behave badly, and users that panic.

use pipes::{Cause, Fault, Link, Listener};
use pipes_remote_tests::raw::{self, BEAT, BYE, FAULT, Hello, LEAVE, MESSAGE, codes, frame};
use pipes_remote_tests::{Bomb, Cut, DOWN, Net, UP, Wire, bombs, rest, talk, tasks, within};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep};

const SECOND: Duration = Duration::from_secs(1);

type Talks = Listener<talk::Protocol, (talk::Server<talk::Ask>, Link)>;

/// A session of a client by hand that says this.
async fn greeted(net: &Net, hello: &Hello) -> (Talks, Wire, talk::Server<talk::Ask>, Link) {
    let mut listener = talk::listen_with_links_async(&net.via()).await.expect("it is free");
    let mut wire = net.dial().expect("it listens");
    wire.write_all(&hello.bytes()).await.expect("the link stands");
    assert_eq!(raw::read_envelope(&mut wire).await.expect("it answers")[0], 0);
    let (server, link) = within(listener.recv_async()).await.expect("a client comes");
    (listener, wire, server, link)
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_accepts_no_message() {
    let (base, net) = (tasks(), Net::new());
    let hello = Hello { limit: 0, ..Hello::of::<talk::Protocol>() };
    let (listener, mut wire, server, link) = greeted(&net, &hello).await;
    wire.write_all(&frame(MESSAGE, &[1])).await.expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("a question comes") };
    let server = answer.reply(2).expect("it is not looked at yet");
    assert!(within(server).await.is_err());
    assert!(matches!(link.cause(), Cause::Fault(Fault::TooLong { limit: 0, .. })), "{link:?}");
    assert_eq!(within(raw::read_frame(&mut wire)).await.expect("the link stands").0, FAULT);
    drop((wire, listener));
    rest().await;
    assert_eq!(tasks(), base);
}

#[tokio::test(start_paused = true)]
async fn a_peer_with_any_heartbeat() {
    for (heartbeat, most) in [(Duration::ZERO, 10_000), (Duration::from_nanos(1), 10_000), (Duration::MAX, 2)]
    {
        let (base, net) = (tasks(), Net::new());
        let hello = Hello { heartbeat, ..Hello::of::<talk::Protocol>() };
        let (listener, mut wire, server, link) = greeted(&net, &hello).await;
        sleep(10 * SECOND + SECOND / 2).await;
        let mut heartbeats = 0;
        wire.write_all(&frame(LEAVE, b"")).await.expect("the link stands");
        while let Ok((code, _)) = within(raw::read_frame(&mut wire)).await {
            assert!(code == BEAT || code == BYE);
            heartbeats += usize::from(code == BEAT);
        }
        assert!((2..=most + 600).contains(&heartbeats), "{heartbeats} heartbeats");
        assert!(within(server).await.is_err());
        assert!(matches!(link.cause(), Cause::Left), "{link:?}");
        drop((wire, listener));
        rest().await;
        assert_eq!(tasks(), base);
    }
}

/// After its last frame, a peer neither closes the stream nor keeps still.
#[tokio::test(start_paused = true)]
async fn a_peer_that_never_goes() {
    // After a FAULT there is nothing to say.
    for (last_frame, time) in [
        (frame(LEAVE, b""), 5 * SECOND),
        (frame(MESSAGE + 1, b""), 5 * SECOND),
        (vec![0; 4], 5 * SECOND),
        (frame(FAULT, b"no"), Duration::ZERO),
    ] {
        for is_loud in [false, true] {
            let (base, net) = (tasks(), Net::new());
            let (listener, mut wire, server, _) = greeted(&net, &Hello::of::<talk::Protocol>()).await;
            wire.write_all(&last_frame).await.expect("the link stands");
            let began = Instant::now();
            drop(within(server).await);
            for _ in 0..100 {
                if is_loud {
                    let _ = wire.write_all(&frame(BEAT, &[1; 5000])).await;
                }
                sleep(SECOND / 10).await;
            }
            let ended = net.cable(0).dropped(DOWN).expect("the pump has ended");
            assert_eq!(ended - began, time);
            drop((wire, listener));
            rest().await;
            assert_eq!(tasks(), base);
        }
    }
}

/// A peer that takes the last message and does not confirm it: it is waited for as long as it is alive.
#[tokio::test(start_paused = true)]
async fn a_peer_that_confirms_nothing() {
    let (base, net) = (tasks(), Net::new());
    let (listener, mut wire, server, link) = greeted(&net, &Hello::of::<talk::Protocol>()).await;
    wire.write_all(&frame(MESSAGE, &[1])).await.expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("a question comes") };
    answer.enough().expect("the link stands");
    for _ in 0..60 {
        wire.write_all(&frame(BEAT, b"")).await.expect("the link stands");
        sleep(10 * SECOND).await;
    }
    assert!(matches!(link.cause(), Cause::Open), "{link:?}");
    assert!(within(link.drained_async()).await.is_err());
    assert!(matches!(link.cause(), Cause::Silent(_)), "{link:?}");
    assert!(codes(&net.cable(0).history(DOWN)).contains(&(MESSAGE + 1)) || net.cable(0).passed(DOWN) > 0);
    drop((wire, listener));
    rest().await;
    assert_eq!(tasks(), base);
}

/// A user that panics has left.
#[tokio::test(start_paused = true)]
async fn a_user_that_panics() {
    let (base, net) = (tasks(), Net::new());
    let mut listener = talk::listen_async(&net.via()).await.expect("it is free");
    let (client, link) = talk::connect_with_link_async(&net.via()).await.expect("it listens");
    let server = within(listener.recv_async()).await.expect("a client comes");
    let serving = tokio::spawn(async move {
        let Ok(talk::Ask::Question(number, _answer)) = server.await else { panic!("a question comes") };
        panic!("what is {number}?");
    });
    let asking = client.question(1).expect("the link stands");
    assert!(within(asking).await.is_err());
    assert!(matches!(link.cause(), Cause::Left), "{link:?}");
    assert!(within(serving).await.is_err());
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}

/// A payload whose destructor panics, in the pump that has written it.
#[tokio::test(start_paused = true)]
async fn a_destructor_that_panics() {
    let (base, net) = (tasks(), Net::new());
    let mut listener = bombs::listen_with_links_async(&net.via()).await.expect("it is free");
    let (client, link) = bombs::connect_with_link_async(&net.via()).await.expect("it listens");
    let (server, its_link) = within(listener.recv_async()).await.expect("a client comes");
    let (other, _) = bombs::connect_with_link_async(&net.via()).await.expect("it listens");
    let (other_server, _) = within(listener.recv_async()).await.expect("a client comes");
    let mut client = client.bomb(Bomb { explodes: true }).expect("the link stands");
    within(pipes::Closing::closed(&mut client)).await;
    assert!(matches!(link.cause(), Cause::Fault(Fault::Panicked)), "{link:?}");
    assert!(within(server).await.is_err());
    assert!(matches!(its_link.cause(), Cause::Broken(_) | Cause::Fault(_)), "{its_link:?}");
    drop(other.bomb(Bomb { explodes: false }).expect("the other session goes on"));
    assert!(matches!(within(other_server).await, Ok(bombs::Open::Bomb(_, _))));
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}

/// The connection breaks while its peer is only slow, on a line that is still full.
#[tokio::test(start_paused = true)]
async fn a_reset_behind_a_full_line() {
    let (base, net) = (tasks(), Net::new());
    let (listener, mut wire, server, link) = greeted(&net, &Hello::of::<talk::Protocol>()).await;
    net.cable(0).block(DOWN, true);
    wire.write_all(&frame(MESSAGE, &[1])).await.expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("a question comes") };
    let server = answer.reply(2).expect("the link stands");
    net.cable(0).cut(UP, Cut::Resets);
    assert!(within(server).await.is_err());
    assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
    drop((wire, listener));
    rest().await;
    assert_eq!(tasks(), base);
}
