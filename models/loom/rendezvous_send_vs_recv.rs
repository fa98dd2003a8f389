//! With capacity 0, both sides wait for each other, in threads and in tasks. A send succeeds exactly if the
//! message is received.

use crate::support::{WakeCounter, assert_only, payload, poll};
use loom::future::block_on;
use loom::thread;
use pipes::sync_stream;

#[test]
fn threads() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || chan.send(sent).expect("the port is there"));
        drop(port.recv().expect("one is sent"));
        assert!(port.recv().is_err());
        sender.join().unwrap();
        assert_only(&count);
    });
}

#[test]
fn tasks() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || assert!(block_on(chan.send_async(1)).is_ok()));
        assert_eq!(block_on(port.recv_async()), Ok(1));
        assert!(block_on(port.recv_async()).is_err());
        sender.join().unwrap();
    });
}

/// Two messages are sent in a row. The receiver takes the first without waiting.
#[test]
fn two_in_a_row() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || {
            assert!(chan.send(1).is_ok());
            chan.try_send(2).is_ok()
        });
        let first = match port.try_recv() {
            Ok(number) => number,
            Err(_) => port.recv().expect("one is sent"),
        };
        assert_eq!(first, 1);
        let (_wakes, waker) = WakeCounter::new();
        let _ = poll(&mut port, &waker);
        assert_eq!(sender.join().unwrap(), port.try_recv() == Ok(2));
    });
}

/// A receiver that does not wait takes the message of a sender that waits.
#[test]
fn looking_is_enough() {
    loom::model(|| {
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || assert!(chan.send(1).is_ok()));
        let mut looked = 0;
        let received = loop {
            match port.try_recv() {
                Ok(number) => break number,
                Err(error) => assert!(!error.is_closed(), "the sender waits until its message is taken"),
            }
            looked += 1;
            if looked == 2 {
                break port.recv().expect("it is on the way");
            }
            thread::yield_now();
        };
        assert_eq!(received, 1);
        sender.join().unwrap();
    });
}

/// A send that does not wait hands its message only to a receiver that waits.
#[test]
fn handing_over() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || chan.try_send(sent).is_ok());
        let received = port.recv().is_ok();
        assert_eq!(sender.join().unwrap(), received);
        assert_only(&count);
    });
}

/// The receiver changes its cell while a message is handed over.
#[test]
fn handing_over_to_one_who_comes_and_goes() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, mut port) = sync_stream(0);
        let sender = thread::spawn(move || {
            let first = chan.try_send(sent.clone()).is_ok();
            let second = chan.try_send(sent).is_ok();
            usize::from(first) + usize::from(second)
        });
        let ((_one, first), (_other, second)) = (WakeCounter::new(), WakeCounter::new());
        let mut received = 0;
        for waker in [&first, &second, &first] {
            if poll(&mut port, waker).is_ready() {
                received += usize::from(port.try_recv().is_ok());
            }
        }
        let handed = sender.join().unwrap();
        received += usize::from(port.try_recv().is_ok());
        assert_eq!(handed, received);
        assert_only(&count);
    });
}
