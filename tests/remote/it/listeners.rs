//! Listeners: how they end, and begin again.

use pipes::{
    Listener,
    remote::{Cause, Link},
};
use pipes_remote::{ConnectError, Via};
use pipes_remote_tests::engines::serves;
use pipes_remote_tests::{Net, at_rest, numbers, rest, talk, tasks, within};
use std::io::ErrorKind;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

const SECOND: Duration = Duration::from_secs(1);

type Talks = Listener<talk::Protocol, (talk::Server<talk::Ask>, Link)>;
type Talker = (talk::Client<talk::Ask>, Link);

async fn listen(via: &Via<Net>) -> Talks {
    talk::listen_with_links_async(via).await.expect("the place is free")
}

async fn connect(via: &Via<Net>) -> Talker {
    talk::connect_with_link_async(via).await.expect("it listens")
}

/// A question and its answer.
async fn ask(
    client: talk::Client<talk::Ask>,
    server: talk::Server<talk::Ask>,
) -> (talk::Client<talk::Ask>, talk::Server<talk::Ask>) {
    let asking = client.question(1).expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("a question comes") };
    let server = answer.reply(2).expect("the link stands");
    let Ok(talk::Answer::Reply(2, client)) = within(asking).await else { panic!("an answer comes") };
    (client, server)
}

#[tokio::test(start_paused = true)]
async fn accepted_sessions_outlive_their_listener_and_no_others() {
    let (base, net) = (tasks(), Net::new());
    let via = net.via();
    for closes in [false, true] {
        let mut listener = listen(&via).await;
        let (client, _) = connect(&via).await;
        let (server, _) = within(listener.recv_async()).await.expect("a client comes");
        let (waiting, waiting_link) = connect(&via).await;
        let mut kept = Vec::new();
        if closes {
            kept = listener.close();
        } else {
            drop(listener);
        }
        rest().await;
        assert!(!net.is_bound(), "the address is given up");
        let (client, server) = ask(client, server).await;
        match kept.pop() {
            Some((server, _)) => drop(ask(waiting, server).await),
            None if closes => panic!("one was waiting"),
            None => {
                assert!(waiting.question(1).is_err());
                assert!(matches!(waiting_link.cause(), Cause::Left), "{waiting_link:?}");
            }
        }
        drop((client, server));
        at_rest(base).await;
    }
}

#[tokio::test(start_paused = true)]
async fn two_protocols_share_an_address() {
    let (base, net) = (tasks(), Net::new());
    let via = net.via();
    let mut talks = listen(&via).await;
    let mut sums = numbers::listen_async(&via).await.expect("the place has room");
    let (client, _) = connect(&via).await;
    let adder = numbers::connect_async(&via).await.expect("it listens");
    let (server, _) = within(talks.recv_async()).await.expect("a client comes");
    let (client, server) = ask(client, server).await;
    // One of them goes; the other still has the address.
    drop(talks);
    rest().await;
    assert!(net.is_bound());
    let refused = talk::connect_async(&via).await.map(drop).expect_err("nobody listens");
    assert!(matches!(refused, ConnectError::Refused { .. }), "{refused:?}");
    serves(&mut sums, adder).await;
    // And comes again.
    let talks = listen(&via).await;
    connect(&via).await.0.stop().expect("the link stands");
    drop(ask(client, server).await);
    drop((talks, sums));
    rest().await;
    assert!(!net.is_bound());
    assert_eq!(tasks(), base);
}

#[tokio::test(start_paused = true)]
async fn sessions_that_end_in_time_are_waited_for() {
    let (base, net) = (tasks(), Net::new());
    let via = net.via();
    let mut listener = listen(&via).await;
    let mut ends = Vec::new();
    for seconds in [1, 5, 30] {
        let (client, link) = connect(&via).await;
        let (server, _) = within(listener.recv_async()).await.expect("a client comes");
        ends.push(tokio::spawn(async move {
            sleep(seconds * SECOND).await;
            let (client, server) = ask(client, server).await;
            client.stop().expect("the link stands");
            assert!(matches!(server.await, Ok(talk::Ask::Stop)));
            link.delivered_async().await.expect("it is confirmed");
            assert!(matches!(link.cause(), Cause::Ended));
        }));
    }
    let began = Instant::now();
    within(listener.shutdown_async()).await;
    assert_eq!(Instant::now() - began, 30 * SECOND);
    for end in ends {
        end.await.expect("it does not panic");
    }
    at_rest(base).await;
}

#[tokio::test(start_paused = true)]
async fn sessions_that_do_not_end_are_closed() {
    let (base, net) = (tasks(), Net::new());
    let via = net.via();
    let mut listener = listen(&via).await;
    let (client, link) = connect(&via).await;
    let (server, its_link) = within(listener.recv_async()).await.expect("a client comes");
    let (asker, asker_link) = connect(&via).await;
    let (asked, asked_link) = within(listener.recv_async()).await.expect("a client comes");
    let asking = asker.question(1).expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = within(asked).await else { panic!("a question comes") };
    let (unaccepted, _) = connect(&via).await;

    let shutdown = timeout(20 * SECOND, listener.shutdown_async());
    assert!(shutdown.await.is_err(), "they do not end");
    assert!(within(server).await.is_err());
    assert!(matches!(its_link.cause(), Cause::LeftHere), "{its_link:?}");
    assert!(within(asking).await.is_err());
    assert!(matches!(asker_link.cause(), Cause::Left), "{asker_link:?}");
    assert!(answer.reply(2).is_err());
    assert!(matches!(asked_link.cause(), Cause::LeftHere), "{asked_link:?}");
    assert!(client.question(1).is_err());
    assert!(matches!(link.cause(), Cause::Left), "{link:?}");
    assert!(unaccepted.question(1).is_err());
    at_rest(base).await;
}

/// An engine that cannot accept one client accepts the next.
#[tokio::test(start_paused = true)]
async fn clients_that_cannot_be_accepted() {
    let net = Net::new();
    let via = net.via();
    let mut listener = listen(&via).await;
    for _ in 0..100 {
        net.fail_accept(ErrorKind::ConnectionAborted);
    }
    let (client, _) = connect(&via).await;
    let (server, _) = within(listener.recv_async()).await.expect("a client comes");
    drop(ask(client, server).await);
}

/// An engine that has no more connections ends its listeners, and their sessions go on.
#[tokio::test(start_paused = true)]
async fn an_engine_that_ends() {
    let (base, net) = (tasks(), Net::new());
    let via = net.via();
    let mut listener = listen(&via).await;
    let sums = numbers::listen_async(&via).await.expect("the place has room");
    let (client, _) = connect(&via).await;
    let (server, _) = within(listener.recv_async()).await.expect("a client comes");
    net.close();
    for _ in 0..2 {
        assert!(within(listener.recv_async()).await.is_err());
    }
    drop((listener, sums));
    let (client, server) = ask(client, server).await;
    // It may be begun again.
    let again = listen(&via).await;
    let (other, _) = connect(&via).await;
    drop((client, server, again, other));
    at_rest(base).await;
}
