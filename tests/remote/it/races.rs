//! Closing handshakes that cross, and connections that are full.

use pipes::{Cause, Closing, Link, Listener};
use pipes_remote_tests::raw::{BYE, LEAVE, codes};
use pipes_remote_tests::{Cut, DOWN, Net, Plan, UP, feed, numbers, rest, talk, tasks, within};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const SECOND: Duration = Duration::from_secs(1);

type Talks = Listener<talk::Protocol, (talk::Server<talk::Ask>, Link)>;

async fn session(net: &Net) -> (Talks, (talk::Client<talk::Ask>, Link), (talk::Server<talk::Ask>, Link)) {
    let mut listener = talk::listen_with_links_async(&net.via()).await.expect("it is free");
    let client = talk::connect_with_link_async(&net.via()).await.expect("it listens");
    let server = within(listener.recv_async()).await.expect("a client comes");
    (listener, client, server)
}

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

#[tokio::test(start_paused = true)]
async fn both_leave_at_once() {
    let (base, net) = (tasks(), Net::new());
    let (listener, (client, link), (server, its_link)) = session(&net).await;
    crossing(&net, async || drop((client, server))).await;
    for link in [link, its_link] {
        assert!(matches!(link.cause(), Cause::LeftHere), "{link:?}");
        within(link.drained_async()).await.expect("there was nothing");
    }
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}

#[tokio::test(start_paused = true)]
async fn a_last_message_crosses_a_leave() {
    let (base, net) = (tasks(), Net::new());
    let (listener, (client, link), (server, its_link)) = session(&net).await;
    crossing(&net, async || {
        drop(server);
        client.stop().expect("it does not know yet");
    })
    .await;
    assert!(matches!(link.cause(), Cause::Left), "{link:?}");
    within(link.drained_async()).await.expect_err("nobody has it");
    assert!(matches!(its_link.cause(), Cause::LeftHere), "{its_link:?}");
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}

#[tokio::test(start_paused = true)]
async fn a_message_crosses_a_leave() {
    let (base, net) = (tasks(), Net::new());
    let (listener, (client, link), (server, its_link)) = session(&net).await;
    let asking = crossing(&net, async || {
        drop(server);
        client.question(1).expect("it does not know yet")
    })
    .await;
    assert!(within(asking).await.is_err());
    assert!(matches!((link.cause(), its_link.cause()), (Cause::Left, Cause::LeftHere)));
    within(link.drained_async()).await.expect_err("nobody has it");
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}

/// The client's numbers, and its leave, cross the server's leave.
#[tokio::test(start_paused = true)]
async fn many_messages_and_a_leave_cross_a_leave() {
    let (base, net) = (tasks(), Net::new());
    let mut listener = numbers::listen_with_links_async(&net.via()).await.expect("it is free");
    let (mut client, link) = numbers::connect_with_link_async(&net.via()).await.expect("it listens");
    let (server, its_link) = within(listener.recv_async()).await.expect("a client comes");
    crossing(&net, async || {
        drop(server);
        for number in 0..5000 {
            client = client.number(number).expect("it does not know yet");
        }
        drop(client);
    })
    .await;
    assert!(matches!(its_link.cause(), Cause::LeftHere), "{its_link:?}");
    assert!(matches!(link.cause(), Cause::LeftHere | Cause::Left), "{link:?}");
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}

/// Writes fail, and behind that lies the other side's last frame: that is the reason.
#[tokio::test(start_paused = true)]
async fn a_last_frame_behind_a_write_error() {
    let (base, net) = (tasks(), Net::new());
    let (listener, (client, link), (server, its_link)) = session(&net).await;
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
    rest().await;
    assert_eq!(tasks(), base);
}

/// Writes fail, and nothing comes: the error is the reason, when the other side would be lost anyway.
#[tokio::test(start_paused = true)]
async fn a_write_error_and_silence() {
    let (base, net) = (tasks(), Net::new());
    let (listener, (client, link), (server, its_link)) = session(&net).await;
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
    rest().await;
    assert_eq!(tasks(), base);
}

/// A connection that has room for one byte, with heartbeats at every moment.
#[tokio::test(start_paused = true)]
async fn connections_that_are_always_full() {
    for room in [1, 2, 5, 6, 16] {
        let (base, net) = (tasks(), Net::of(Plan { room, ..Plan::default() }));
        let via = net.via().window(3, 1 << 20).beat(Duration::from_millis(1)).lost(SECOND);
        let mut listener = feed::listen_with_links_async(&via).await.expect("it is free");
        let (client, link) = within(feed::connect_with_link_async(&via)).await.expect("it listens");
        let (server, its_link) = within(listener.recv_async()).await.expect("a client comes");
        let mut flow = client.start().expect("the link stands");
        let Ok(feed::Idle::Start(mut items)) = within(server).await else { panic!("it starts") };
        for item in 0..200 {
            items = items.item(item).expect("the link stands");
        }
        items.end().expect("the link stands");
        for expected in 0..200 {
            let Ok(feed::Flow::Item(item, next)) = within(flow).await else { panic!("{link:?}") };
            assert_eq!(item, expected);
            flow = next;
            if expected % 50 == 0 {
                sleep(3 * SECOND).await;
            }
        }
        assert!(matches!(within(flow).await, Ok(feed::Flow::End)));
        within(its_link.drained_async()).await.expect("it is confirmed");
        drop(listener);
        rest().await;
        assert_eq!(tasks(), base);
    }
}

/// More than a connection has room for, and its sender goes: all of it arrives, and then LEAVE.
#[tokio::test(start_paused = true)]
async fn a_leave_waits_behind_what_was_sent() {
    for seconds in [0, 10] {
        let (base, net) = (tasks(), Net::new());
        let mut listener = numbers::listen_with_links_async(&net.via()).await.expect("it is free");
        let (mut client, link) = numbers::connect_with_link_async(&net.via()).await.expect("it listens");
        let (mut server, its_link) = within(listener.recv_async()).await.expect("a client comes");
        net.cable(0).block(UP, true);
        for number in 0..50_000 {
            client = client.number(number).expect("the link stands");
        }
        drop(client);
        // Not so long that the side that listens loses the one of which nothing passes.
        sleep(seconds * SECOND).await;
        net.cable(0).block(UP, false);
        for expected in 0..50_000 {
            let Ok(numbers::Open::Number(number, next)) = within(server).await else { panic!("{link:?}") };
            assert_eq!(number, expected);
            server = next;
        }
        assert!(within(server).await.is_err());
        assert!(matches!((link.cause(), its_link.cause()), (Cause::LeftHere, Cause::Left)));
        within(link.drained_async()).await.expect("it is confirmed");
        drop(listener);
        rest().await;
        assert_eq!(tasks(), base);
    }
}

/// A user that speaks and whose connection is full notices that the other side goes.
#[tokio::test(start_paused = true)]
async fn a_full_connection_hears_a_leave() {
    let (base, net) = (tasks(), Net::new());
    let mut listener = numbers::listen_with_links_async(&net.via()).await.expect("it is free");
    let (mut client, link) = numbers::connect_with_link_async(&net.via()).await.expect("it listens");
    let (server, _) = within(listener.recv_async()).await.expect("a client comes");
    net.cable(0).block(UP, true);
    for number in 0..50_000 {
        client = client.number(number).expect("the link stands");
    }
    drop(server);
    within(client.closed()).await;
    assert!(matches!(link.cause(), Cause::Left), "{link:?}");
    drop((client, listener));
    rest().await;
    assert_eq!(tasks(), base);
}
