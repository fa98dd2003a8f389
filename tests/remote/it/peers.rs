//! Peers that speak well and behave badly, and payloads that panic when they go.

use pipes::remote::{Cause, Fault};
use pipes_remote_tests::raw::{self, BEAT, BYE, FAULT, Hello, LEAVE, MESSAGE, codes, frame};
use pipes_remote_tests::{Bomb, DOWN, Net, at_rest, bombs, by_hand, session, talk, tasks, within};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn a_peer_that_accepts_no_message() {
    let (base, net) = (tasks(), Net::new());
    let hello = Hello { limit: 0, ..Hello::of::<talk::Protocol>() };
    let (listener, mut wire, (server, link)) = by_hand!(talk, &net, hello);
    wire.write_all(&frame(MESSAGE, &[1])).await.expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("a question comes") };
    let server = answer.reply(2).expect("it is not looked at yet");
    assert!(within(server).await.is_err());
    assert!(matches!(link.cause(), Cause::Fault(Fault::TooLong { limit: 0, .. })), "{link:?}");
    assert_eq!(within(raw::read_frame(&mut wire)).await.expect("the link stands").0, FAULT);
    drop((wire, listener));
    at_rest(base).await;
}

#[tokio::test(start_paused = true)]
async fn a_peer_with_any_heartbeat() {
    for (heartbeat, most) in [(Duration::ZERO, 10_000), (Duration::from_nanos(1), 10_000), (Duration::MAX, 2)]
    {
        let (base, net) = (tasks(), Net::new());
        let hello = Hello { heartbeat, ..Hello::of::<talk::Protocol>() };
        let (listener, mut wire, (server, link)) = by_hand!(talk, &net, hello);
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
        at_rest(base).await;
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
            let (listener, mut wire, (server, _)) = by_hand!(talk, &net);
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
            at_rest(base).await;
        }
    }
}

/// A peer that takes the last message and does not confirm it: it is waited for as long as it is alive.
#[tokio::test(start_paused = true)]
async fn a_peer_that_confirms_nothing() {
    let (base, net) = (tasks(), Net::new());
    let (listener, mut wire, (server, link)) = by_hand!(talk, &net);
    wire.write_all(&frame(MESSAGE, &[1])).await.expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("a question comes") };
    answer.enough().expect("the link stands");
    for _ in 0..60 {
        wire.write_all(&frame(BEAT, b"")).await.expect("the link stands");
        sleep(10 * SECOND).await;
    }
    assert!(matches!(link.cause(), Cause::Open), "{link:?}");
    assert!(within(link.delivered_async()).await.is_err());
    assert!(matches!(link.cause(), Cause::Silent(_)), "{link:?}");
    assert!(codes(&net.cable(0).history(DOWN)).contains(&(MESSAGE + 1)) || net.cable(0).passed(DOWN) > 0);
    drop((wire, listener));
    at_rest(base).await;
}

/// A payload whose destructor panics, in the pump that has written it.
#[tokio::test(start_paused = true)]
async fn a_destructor_that_panics() {
    let (base, net) = (tasks(), Net::new());
    let (mut listener, (client, link), (server, its_link)) = session!(bombs, &net.via());
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
    at_rest(base).await;
}
