//! A hundred threads with one shared chan.
//!
//! `run-pass/unique-send-2.rs`, Rust 0.5.

use crate::acceptance::{Sleeper, die, died};
use pipes::{Port, RecvError, SharedChan, TryRecvError, shared_stream};
use pipes_tests::watched;

#[test]
fn each_sends_a_boxed_number() {
    watched(|| {
        let (chan, mut port) = shared_stream();
        let children: Vec<_> = (0..100_u64)
            .map(|number| {
                let chan = chan.clone();
                Sleeper::spawn(move || chan.send(Box::new(number)).expect("the port is there"))
            })
            .collect();
        let sum: u64 = (0..100).map(|_| *port.recv().expect("it is sent")).sum();
        assert_eq!(sum, (0..100).sum());
        children.into_iter().for_each(|child| child.join().expect("the child ends"));
        assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())), "the first one is still here");
    });
}

/// Clones of clones, moved and dropped in every order; the stream closes with the last one.
#[test]
fn the_last_clone_closes() {
    watched(|| {
        let (chan, mut port) = shared_stream();
        let mut chans: Vec<SharedChan<usize>> = vec![chan];
        for generation in 0..20 {
            let next = chans[generation / 2].clone();
            chans.push(next);
        }
        for (number, chan) in chans.into_iter().rev().enumerate() {
            assert!(!port.is_closed());
            let sender = Sleeper::spawn(move || chan.send(number).expect("the port is there"));
            assert_eq!(port.recv(), Ok(number));
            sender.join().expect("the sender ends");
        }
        assert!(port.is_closed());
        for _ in 0..3 {
            assert_eq!(port.recv(), Err(RecvError));
        }
    });
}

/// One sender dies while it holds its chan, and the others do not notice.
#[test]
fn a_sender_that_dies() {
    watched(|| {
        let (chan, mut port) = shared_stream();
        for number in 0..10 {
            let own = chan.clone();
            let dying = Sleeper::spawn(move || {
                own.send(number).expect("the port is there");
                die()
            });
            assert!(died::<()>(dying.join()));
            chan.send(number + 100).expect("the port is here");
        }
        drop(chan);
        let received: Vec<_> = port.iter().collect();
        assert_eq!(received, (0..10).flat_map(|number| [number, number + 100]).collect::<Vec<_>>());
    });
}

/// The receiving code need not know which kind of stream its port belongs to.
#[test]
fn its_port_is_a_port() {
    fn sum(port: Port<u64>) -> u64 {
        port.into_iter().sum()
    }
    let ((shared, shared_port), (mut chan, port)) = (shared_stream(), pipes::stream());
    (0..5).for_each(|number| shared.send(number).expect("the port is here"));
    (0..5).for_each(|number| chan.send(number).expect("the port is here"));
    drop((shared, chan));
    assert_eq!((sum(shared_port), sum(port)), (10, 10));
}
