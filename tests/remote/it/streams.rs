//! Streams that misbehave: their shutdown, their writes, their room.

use pipes::Cause;
use pipes_remote_tests::{Net, Plan, rest, talk, tasks, within};

/// A stream whose shutdown takes forever, as one whose other side does not read, does not keep its pump busy.
#[tokio::test(start_paused = true)]
async fn a_shutdown_that_takes_forever() {
    let base = tasks();
    let net = Net::of(Plan { holds_shutdown: true, ..Plan::default() });
    let mut listener = talk::listen_with_links_async(&net.via()).await.expect("it is free");
    let (client, link) = talk::connect_with_link_async(&net.via()).await.expect("it listens");
    let (server, its_link) = within(listener.recv_async()).await.expect("a client comes");
    client.stop().expect("the link stands");
    assert!(matches!(within(server).await, Ok(talk::Ask::Stop)));
    within(link.drained_async()).await.expect("it is confirmed");
    assert!(matches!(its_link.cause(), Cause::Ended));
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}
