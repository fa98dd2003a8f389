//! A receiver that is busy with something else, over real sockets: it is there, and loses nothing.

use pipes_remote::engine::{Engine, Tls};
use pipes_remote_tests::engines::{Sides, secured_sides, tcp_sides};
use pipes_remote_tests::loads;
use pipes_tests::{test_in, watched};
use std::thread;
use std::time::Duration;

const MESSAGES: usize = 3_000;
/// Longer than any silence that the system or this library takes for a loss.
const BUSY: Duration = Duration::from_secs(20);

/// One side sends at once more than all buffers hold; the other one comes back to it later.
fn busy_receiver<E: Engine>(Sides { here, there }: Sides<E>) {
    let mut listener = loads::listen_with_links(&here).expect("it is free");
    let sending = thread::spawn(move || {
        let (mut client, link) = loads::connect_with_link(&there).expect("it listens");
        for _ in 0..MESSAGES {
            client = client.text("a line".repeat(2_000)).expect("a sender does not wait");
        }
        client.done().expect("the link stands");
        link.delivered(10 * BUSY)
    });
    let (mut server, link) = listener.accept().expect("a client comes");
    let (_chan, mut never) = pipes::stream::<()>();
    assert!(never.recv_timeout(BUSY).is_err());
    for received in 0..MESSAGES {
        match server.recv() {
            Ok(loads::Open::Text(_, next)) => server = next,
            other => panic!("{other:?} after {received} messages: {link:?}"),
        }
    }
    assert!(matches!(server.recv(), Ok(loads::Open::Done)), "{link:?}");
    sending.join().expect("it does not panic").expect("everything was received");
}

#[test_in(watched)]
fn a_busy_receiver_loses_nothing() {
    thread::scope(|scope| {
        scope.spawn(|| busy_receiver(tcp_sides()));
        scope.spawn(|| busy_receiver(secured_sides::<Tls>()));
    });
}
