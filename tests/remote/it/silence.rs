//! Heartbeats, silence, and the time that each takes.

use pipes::{Closing, remote::Cause};
use pipes_remote::Via;
use pipes_remote_tests::raw::{BEAT, codes};
use pipes_remote_tests::{Cut, DOWN, Net, UP, at_rest, numbers, rest, session, talk, tasks, within};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);

fn heartbeats(net: &Net, line: usize) -> usize {
    codes(&net.cable(0).history(line)).iter().filter(|code| **code == BEAT).count()
}

#[tokio::test(start_paused = true)]
async fn heartbeats_keep_an_idle_session_alive() {
    let net = Net::new();
    let (_listener, (client, link), (server, its_link)) = session!(talk, &net.via(), &net.via());
    sleep(HOUR + SECOND).await;
    assert!(matches!(link.cause(), Cause::Open) && matches!(its_link.cause(), Cause::Open));
    assert_eq!([heartbeats(&net, UP), heartbeats(&net, DOWN)], [720, 720]);
    client.stop().expect("the link stands");
    assert!(matches!(within(server).await, Ok(talk::Ask::Stop)));
    within(link.delivered_async()).await.expect("it is confirmed");
}

#[tokio::test(start_paused = true)]
async fn the_smaller_heartbeat_of_both_sides_counts() {
    for (ours, theirs) in [(1, 10), (10, 1)] {
        let net = Net::new();
        let (client, server) = (net.via().beat(ours * SECOND), net.via().beat(theirs * SECOND));
        let (_listener, _client, _server) = session!(talk, &client, &server);
        sleep(100 * SECOND + SECOND / 2).await;
        assert_eq!([heartbeats(&net, UP), heartbeats(&net, DOWN)], [100, 100], "{ours} {theirs}");
    }
}

/// A message counts as a heartbeat.
#[tokio::test(start_paused = true)]
async fn a_side_that_speaks_sends_no_heartbeats() {
    let net = Net::new();
    let mut listener = numbers::listen_async(&net.via()).await.expect("it is free");
    let mut client = numbers::connect_async(&net.via()).await.expect("it listens");
    let mut server = within(listener.recv_async()).await.expect("a client comes");
    for number in 0..100 {
        client = client.number(number).expect("the link stands");
        let Ok(numbers::Open::Number(_, next)) = within(server).await else { panic!("a number comes") };
        server = next;
        sleep(4 * SECOND).await;
    }
    assert_eq!([heartbeats(&net, UP), heartbeats(&net, DOWN)], [0, 79]);
}

/// Silence from a moment on, with these settings: when the listening and the speaking side have closed.
async fn silence(via: &Via<Net>, net: &Net, how: Cut, after: Duration) -> [Duration; 2] {
    let (listener, (client, link), (server, its_link)) = session!(talk, via, via);
    sleep(after).await;
    let cable = net.cable(net.cables() - 1);
    cable.cut(DOWN, how);
    let began = Instant::now();
    let mut client = client;
    within(client.closed()).await;
    assert!(matches!(link.cause(), Cause::Silent(_)), "{link:?}");
    let first = Instant::now() - began;
    assert!(within(server).await.is_err());
    assert!(matches!(its_link.cause(), Cause::Silent(_) | Cause::Broken(_)), "{its_link:?}");
    drop(listener);
    [first, Instant::now() - began]
}

#[tokio::test(start_paused = true)]
async fn a_silent_side_is_lost_after_exactly_its_time() {
    let base = tasks();
    for how in [Cut::Silence, Cut::Dead] {
        let net = Net::new();
        // The last heartbeat came after 30 s.
        let ended = silence(&net.via(), &net, how, 32 * SECOND).await;
        assert_eq!(ended, [13 * SECOND; 2], "{how:?}");
        let net = Net::new();
        let via = net.via().beat(SECOND).lost(3 * SECOND);
        assert_eq!(silence(&via, &net, how, SECOND / 2).await, [5 * SECOND / 2; 2]);
    }
    at_rest(base).await;
}

#[tokio::test(start_paused = true)]
async fn a_loss_below_two_heartbeats_counts_as_two() {
    let net = Net::new();
    let via = net.via().beat(4 * SECOND).lost(SECOND);
    let (listener, talker, answerer) = session!(talk, &via, &via);
    sleep(HOUR).await;
    assert!(matches!(talker.1.cause(), Cause::Open), "{:?}", talker.1);
    assert!(matches!(answerer.1.cause(), Cause::Open), "{:?}", answerer.1);
    drop((listener, talker, answerer));
    let net = Net::new();
    let via = net.via().beat(4 * SECOND).lost(SECOND);
    assert_eq!(silence(&via, &net, Cut::Dead, SECOND).await, [7 * SECOND; 2]);
}

#[tokio::test(start_paused = true)]
async fn times_may_be_as_long_as_they_can_be() {
    let net = Net::new();
    let via = net.via().lost(Duration::MAX).handshake(Duration::MAX);
    let patient = via.clone().beat(Duration::MAX);
    for (client, server) in [(&via, &patient), (&patient, &via), (&patient, &patient)] {
        // The listener before this one gives up its place.
        rest().await;
        let (_listener, (client, link), (server, _)) = session!(talk, client, server);
        sleep(HOUR).await;
        let asking = client.question(1).expect("the link stands");
        let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("{link:?}") };
        answer.enough().expect("the link stands");
        assert!(matches!(within(asking).await, Ok(talk::Answer::Enough)));
    }
}

/// While the window is shut, the pump reads nothing and cannot know. Once it is open, the time begins.
#[tokio::test(start_paused = true)]
async fn silence_while_the_window_is_shut() {
    let base = tasks();
    let net = Net::new();
    let via = net.via().window(4, 1 << 20);
    let (listener, (mut client, link), (mut server, its_link)) = session!(numbers, &via);
    for number in 0..10 {
        client = client.number(number).expect("the link stands");
    }
    sleep(SECOND).await;
    net.cable(0).cut(UP, Cut::Dead);
    // The client's side listens, and has heard something a second ago.
    let cut = Instant::now();
    within(client.closed()).await;
    assert!(matches!(link.cause(), Cause::Silent(_)), "{link:?}");
    assert_eq!(Instant::now() - cut, 14 * SECOND);
    sleep(HOUR).await;
    assert!(matches!(its_link.cause(), Cause::Open), "{its_link:?}");
    for expected in 0..10 {
        let Ok(numbers::Open::Number(number, next)) = within(server).await else { panic!("{its_link:?}") };
        assert_eq!(number, expected);
        server = next;
    }
    // All ten had come into its system; they were read when the window had room for them.
    let open = Instant::now();
    assert!(within(server).await.is_err());
    assert!(matches!(its_link.cause(), Cause::Silent(_)), "{its_link:?}");
    assert_eq!(Instant::now() - open, 15 * SECOND);
    drop(listener);
    at_rest(base).await;
}

/// Where the engine notices silence itself, the pumps send no heartbeats.
#[tokio::test(start_paused = true)]
async fn an_engine_with_its_own_heartbeats_gets_none() {
    let net = Net::new().with_own_heartbeats(Duration::from_secs(9));
    let (_listener, (mut client, link), _server) = session!(talk, &net.via(), &net.via());
    sleep(HOUR).await;
    assert_eq!([heartbeats(&net, UP), heartbeats(&net, DOWN)], [0, 0]);
    net.cable(0).cut(UP, Cut::Resets);
    within(client.closed()).await;
    assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
}

/// The system may say that a connection has timed out. That is a silence only where the engine looks for it.
#[tokio::test(start_paused = true)]
async fn a_connection_that_times_out() {
    const LOST: Duration = Duration::from_secs(9);
    for by_engine in [true, false] {
        let net = if by_engine { Net::new().with_own_heartbeats(LOST) } else { Net::new() };
        let (_listener, (mut client, link), (server, its_link)) = session!(talk, &net.via());
        net.cable(0).cut(UP, Cut::TimesOut);
        within(client.closed()).await;
        assert!(within(server).await.is_err());
        for link in [link, its_link] {
            assert_eq!(matches!(link.cause(), Cause::Silent(LOST)), by_engine, "{link:?}");
            assert_eq!(matches!(link.cause(), Cause::Broken(_)), !by_engine, "{link:?}");
        }
    }
}
