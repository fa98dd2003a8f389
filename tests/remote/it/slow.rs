//! A receiver that is busy with something else, over real sockets: it is there, and loses nothing.

use pipes_remote::Via;
use pipes_remote::engine::Engine;
use pipes_remote::security::{Identity, Security, Trust};
use pipes_tests::watched;
use std::thread;
use std::time::Duration;

pipes::proto! {
    /// Texts, which cost little to encode.
    #[remote]
    texts { open: send { text(String) -> open, done -> ! } }
}

const MESSAGES: usize = 3_000;
/// Longer than any silence that the system or this library takes for a loss.
const BUSY: Duration = Duration::from_secs(20);

/// One side sends at once more than all buffers hold; the other one comes back to it later.
fn busy_receiver<S: Engine, C: Engine>(server: Via<S>, client: Via<C>) {
    let mut listener = texts::listen_with_links(&server).expect("it is free");
    let sending = thread::spawn(move || {
        let (mut client, link) = texts::connect_with_link(&client).expect("it listens");
        for _ in 0..MESSAGES {
            client = client.text("a line".repeat(2_000)).expect("a sender does not wait");
        }
        client.done().expect("the link stands");
        link.drained(10 * BUSY)
    });
    let (mut server, link) = listener.accept().expect("a client comes");
    let (_chan, mut never) = pipes::stream::<()>();
    assert!(never.recv_timeout(BUSY).is_err());
    for received in 0..MESSAGES {
        match server.recv() {
            Ok(texts::Open::Text(_, next)) => server = next,
            other => panic!("{other:?} after {received} messages: {link:?}"),
        }
    }
    assert!(matches!(server.recv(), Ok(texts::Open::Done)), "{link:?}");
    sending.join().expect("it does not panic").expect("everything was received");
}

#[test]
fn a_busy_receiver_loses_nothing() {
    watched(|| {
        let own = Identity::generate().expect("there are random numbers");
        let tcp = pipes_remote::tcp_free_port().expect("there is a free port");
        let tls = pipes_remote::tls_free_port(Security::new().identity(&own)).expect("there is a free port");
        let known = Security::new().servers(Trust::fingerprint(own.fingerprint()));
        let there = pipes_remote::tls(tls.address(), known);
        thread::scope(|scope| {
            scope.spawn(|| busy_receiver(tcp.clone(), tcp));
            scope.spawn(|| busy_receiver(tls, there));
        });
    });
}
