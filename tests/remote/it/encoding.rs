//! Payloads whose code panics or fails.

use pipes::{Cause, Fault, Link};
use pipes_remote_tests::{Net, Trap, rest, tasks, traps, within};

/// What the server receives until its end closes.
async fn listen(mut server: traps::Server<traps::Open>) -> Vec<u64> {
    let mut heard = Vec::new();
    while let Ok(traps::Open::Trap(Trap::Harmless(number), next)) = server.await {
        heard.push(number);
        server = next;
    }
    heard
}

/// A client sends harmless payloads and then this one. What the server heard, and the causes at both sides.
async fn client_sends(good: u64, bad: Trap) -> (Vec<u64>, Cause, Cause) {
    let (net, base) = (Net::new(), tasks());
    let mut listener = traps::listen_with_links_async(&net.via()).await.expect("it is free");
    let (mut client, link) = traps::connect_with_link_async(&net.via()).await.expect("it listens");
    let (server, its_link) = within(listener.recv_async()).await.expect("a client comes");
    // Another session of the same listener.
    let other = traps::connect_async(&net.via()).await.expect("it listens");
    let other_server = within(listener.recv_async()).await.expect("a client comes").0;
    for number in 0..good {
        client = client.trap(Trap::Harmless(number)).expect("the link stands");
    }
    let client = client.trap(bad).expect("the link stands");
    let heard = within(listen(server)).await;
    assert!(!matches!(its_link.cause(), Cause::Open), "it is known");
    let closed = within(client.closed_async()).await;
    let _ = closed;
    let causes = (link.cause(), its_link.cause());
    other.trap(Trap::Harmless(7)).expect("the other session goes on");
    assert_eq!(within(listen(other_server)).await, [7]);
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
    (heard, causes.0, causes.1)
}

#[track_caller]
fn assert_reported(cause: &Cause, what: &str) {
    match cause {
        Cause::Fault(Fault::Reported(words)) => assert!(words.contains(what), "{words}"),
        other => panic!("{other:?}"),
    }
}
