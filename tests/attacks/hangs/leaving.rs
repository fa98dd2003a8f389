//! Ports that leave while messages are unread whose destructors use the sender. Such a destructor may wait
//! for a sender that needs no room. That of a bounded stream's message may not (see `Port`), but it may try
//! to send.

use pipes::{Chan, Port, TrySendError, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::watched;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Runs a function when it is dropped.
struct Last(Option<Box<dyn FnOnce() + Send>>);

impl Last {
    fn that(does: impl FnOnce() + Send + 'static) -> Self {
        Last(Some(Box::new(does)))
    }

    fn nothing() -> Self {
        Last(None)
    }
}

impl Drop for Last {
    fn drop(&mut self) {
        if let Some(does) = self.0.take() {
            does();
        }
    }
}

/// The destructor of an unread message waits for the sender, which waits for room.
fn a_message_that_waits_for_its_sender((mut chan, port): (Chan<Last>, Port<Last>)) {
    watched(move || {
        let (done, is_done) = oneshot::<()>();
        let waits = Last::that(move || assert!(is_done.recv().is_err(), "it leaves"));
        chan.send(waits).unwrap_or_else(|_| panic!("the port is here"));
        let sender = thread::spawn(move || {
            while chan.send(Last::nothing()).is_ok() {}
            drop(done);
        });
        drop(port);
        sender.join().expect("it does not panic");
    });
}

#[test]
fn a_message_that_waits_for_its_sender_without_a_limit() {
    a_message_that_waits_for_its_sender(stream());
}

#[test]
fn a_message_that_waits_for_its_sender_among_many() {
    watched(|| {
        let (chan, port) = shared_stream();
        let (done, is_done) = oneshot::<()>();
        chan.send(Last::that(move || assert!(is_done.recv().is_err(), "it leaves")))
            .unwrap_or_else(|_| panic!("the port is here"));
        let sender = thread::spawn(move || {
            while chan.send(Last::nothing()).is_ok() {}
            drop(done);
        });
        drop(port);
        sender.join().expect("it does not panic");
    });
}

/// A message that shares its sender, tries to send with it when it is dropped, and reports whether the stream
/// was full.
struct Farewell(Option<(SharedEnd, Sender<bool>)>);

type SharedEnd = Arc<Mutex<Chan<Farewell>>>;

impl Drop for Farewell {
    fn drop(&mut self) {
        let Some((chan, is_full)) = self.0.take() else { return };
        let said = chan.lock().expect("no thread panics with it").try_send(Farewell(None));
        is_full.send(matches!(said, Err(TrySendError::Full(_)))).expect("it is asked for");
    }
}

/// The stream must stay full until all unread messages are dropped, and be closed after that: a sender that
/// waits for room must not get it from a port that leaves.
#[test]
fn a_farewell_into_a_full_stream() {
    watched(|| {
        for capacity in 1..4 {
            let (chan, port) = sync_stream(capacity);
            let chan = Arc::new(Mutex::new(chan));
            let (told, is_full) = channel();
            for _ in 0..capacity {
                let farewell = Farewell(Some((chan.clone(), told.clone())));
                let sent = chan.lock().expect("no thread panics with it").send(farewell);
                sent.unwrap_or_else(|_| panic!("the port is here"));
            }
            drop((port, told));
            assert_eq!(is_full.iter().collect::<Vec<_>>(), vec![true; capacity]);
            assert!(chan.lock().expect("no thread panics with it").is_closed());
        }
    });
}
