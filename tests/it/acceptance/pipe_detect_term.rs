//! A receiver whose sender leaves without a message.
//!
//! `run-pass/pipe-detect-term.rs`, Rust 0.5. Its blocking receives that give `None` are `recv` here, which
//! gives an error. Each case comes in both orders: the receiver sleeps before the sender leaves, and the
//! sender leaves first.

use super::{Sleeper, die, died, serve};
use pipes::{TryRecvError, spawn_service};
use pipes_tests::watched;

pipes::proto! {
    oneshot { waiting: send { signal -> ! } }
}

#[test]
fn an_unused_sender_is_dropped_while_the_receiver_sleeps() {
    watched(|| {
        let (client, service) = serve::<oneshot::Protocol, _>(|server| server.recv().is_err());
        service.fall_asleep();
        drop(client);
        assert!(service.join().expect("the service ends"));
    });
}

/// As in the original: a spawned service, and its client dropped at once.
#[test]
fn an_unused_client_of_a_spawned_service() {
    watched(|| {
        let (done, is_done) = pipes::oneshot();
        drop(spawn_service::<oneshot::Protocol>(|server| {
            done.send(server.recv().is_err()).expect("it is waited for");
        }));
        assert_eq!(is_done.recv(), Ok(true));
    });
}

#[test]
fn an_unused_sender_is_dropped_before_the_receiver_looks() {
    let (client, server) = oneshot::pipe();
    drop(client);
    assert!(matches!(server.try_recv(), Err(TryRecvError::Closed)));
    let (client, server) = oneshot::pipe();
    drop(client);
    assert!(server.recv().is_err());
}

#[test]
fn the_senders_thread_dies_while_the_receiver_sleeps() {
    watched(|| {
        let (client, service) = serve::<oneshot::Protocol, _>(|server| server.recv().is_err());
        service.fall_asleep();
        let dying = Sleeper::spawn(move || {
            let _client = client;
            die()
        });
        assert!(died::<()>(dying.join()));
        assert!(service.join().expect("the service ends"));
    });
}

#[test]
fn the_senders_thread_dies_before_the_receiver_looks() {
    watched(|| {
        let receives: [fn(oneshot::server::Waiting) -> bool; 2] = [
            |server| server.recv().is_err(),
            |server| matches!(server.try_recv(), Err(TryRecvError::Closed)),
        ];
        for sees_the_close in receives {
            let (client, server) = oneshot::pipe();
            let dying = Sleeper::spawn(move || {
                let _client = client;
                die()
            });
            assert!(died::<()>(dying.join()));
            assert!(sees_the_close(server));
        }
    });
}
