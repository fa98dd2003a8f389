//! Runtimes: more than one thread, none at all, and runtimes that end in the middle.

use pipes_remote_tests::{Net, talk};
use std::time::Duration;

/// The last listener goes, and the acceptor with it, while the next one comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listeners_come_and_go_while_the_acceptor_ends() {
    let net = Net::new();
    let via = net.via();
    for round in 0..3000 {
        let listener = talk::listen_async(&via).await.expect("the place is free");
        drop(listener);
        for _ in 0..round % 200 {
            std::hint::spin_loop();
        }
        let mut listener = talk::listen_async(&via).await.expect("the place is free");
        let client = talk::connect_async(&via).await.expect("it listens");
        let accepted = tokio::time::timeout(Duration::from_secs(60), listener.recv_async()).await;
        let server = accepted.expect("it does not hang").expect("a client comes");
        client.stop().expect("the link stands");
        assert!(matches!(server.await, Ok(talk::Ask::Stop)));
    }
}
