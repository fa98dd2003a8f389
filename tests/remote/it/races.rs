//! Closing handshakes that cross, and connections that are full.

use pipes::{Closing, remote::Cause};
use pipes_remote_tests::raw::{BYE, LEAVE, codes};
use pipes_remote_tests::{Cut, DOWN, Net, UP, at_rest, numbers, rest, session, talk, tasks, within};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const SECOND: Duration = Duration::from_secs(1);

/// Nothing passes for a second, in which both sides do this; then everything does. No side waits for a time
/// limit.
async fn crossing<T>(net: &Net, both: impl AsyncFnOnce() -> T) -> T {
    let cable = net.cable(0);
    cable.block(UP, true);
    cable.block(DOWN, true);
    let outcome = both().await;
    sleep(SECOND).await;
    cable.block(UP, false);
    cable.block(DOWN, false);
    let open = Instant::now();
    rest().await;
    for line in [UP, DOWN] {
        assert_eq!(cable.dropped(line).expect("the pump has ended"), open);
        let codes = codes(&cable.history(line));
        assert!(codes.iter().filter(|code| **code == BYE).count() <= 1, "{codes:?}");
        assert!(codes.iter().filter(|code| **code == LEAVE).count() <= 1, "{codes:?}");
    }
    outcome
}

/// What a client does while its server leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crosses {
    Leave,
    LastMessage,
    Message,
}

#[tokio::test(start_paused = true)]
async fn what_crosses_a_leave() {
    for crosses in [Crosses::Leave, Crosses::LastMessage, Crosses::Message] {
        let (base, net) = (tasks(), Net::new());
        let (listener, (client, link), (server, its_link)) = session!(talk, &net.via());
        let asking = crossing(&net, async || {
            drop(server);
            match crosses {
                Crosses::Leave => drop(client),
                Crosses::LastMessage => client.stop().expect("it does not know yet"),
                Crosses::Message => return Some(client.question(1).expect("it does not know yet")),
            }
            None
        });
        if let Some(asking) = asking.await {
            assert!(within(asking).await.is_err());
        }
        assert!(matches!(its_link.cause(), Cause::LeftHere), "{its_link:?}");
        let has_left = matches!(link.cause(), Cause::LeftHere);
        assert!(has_left || matches!(link.cause(), Cause::Left), "{link:?}");
        let is_delivered = within(link.delivered_async()).await.is_ok();
        assert_eq!([has_left, is_delivered], [crosses == Crosses::Leave; 2], "{crosses:?}");
        drop(listener);
        at_rest(base).await;
    }
}

/// Writes fail, and behind that lies the other side's last frame: that is the reason.
#[tokio::test(start_paused = true)]
async fn a_last_frame_behind_a_write_error() {
    let (base, net) = (tasks(), Net::new());
    let (listener, (client, link), (server, its_link)) = session!(talk, &net.via());
    net.cable(0).refuse_writes(UP);
    net.cable(0).block(DOWN, true);
    let asking = client.question(1).expect("it does not know yet");
    sleep(SECOND).await;
    assert!(matches!(link.cause(), Cause::Open), "what comes is read first");
    drop(server);
    sleep(SECOND).await;
    net.cable(0).block(DOWN, false);
    assert!(within(asking).await.is_err());
    assert!(matches!(link.cause(), Cause::Left), "{link:?}");
    assert!(matches!(its_link.cause(), Cause::LeftHere), "{its_link:?}");
    drop(listener);
    at_rest(base).await;
}

/// Writes fail, and nothing comes: the error is the reason, when the other side would be lost anyway.
#[tokio::test(start_paused = true)]
async fn a_write_error_and_silence() {
    let (base, net) = (tasks(), Net::new());
    let (listener, (client, link), (server, its_link)) = session!(talk, &net.via());
    net.cable(0).cut(DOWN, Cut::Silence);
    net.cable(0).refuse_writes(UP);
    let began = Instant::now();
    let asking = client.question(1).expect("it does not know yet");
    assert!(within(asking).await.is_err());
    let Cause::Broken(error) = link.cause() else { panic!("{link:?}") };
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    assert_eq!(Instant::now() - began, 15 * SECOND);
    assert!(within(server).await.is_err());
    assert!(matches!(its_link.cause(), Cause::Broken(_) | Cause::Silent(_)), "{its_link:?}");
    drop(listener);
    at_rest(base).await;
}

/// A user that speaks and whose connection is full notices that the other side goes.
#[tokio::test(start_paused = true)]
async fn a_full_connection_hears_a_leave() {
    let (base, net) = (tasks(), Net::new());
    let (listener, (mut client, link), (server, _)) = session!(numbers, &net.via());
    net.cable(0).block(UP, true);
    for number in 0..50_000 {
        client = client.number(number).expect("the link stands");
    }
    drop(server);
    within(client.closed()).await;
    assert!(matches!(link.cause(), Cause::Left), "{link:?}");
    drop((client, listener));
    at_rest(base).await;
}
