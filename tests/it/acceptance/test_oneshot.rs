//! One message, then the end, on one thread.
//!
//! `test_oneshot` of `core::pipes`, Rust 0.5. Its `recv_one` and `try_recv_one` are `recv` and `try_recv`.
//! Its `try_send_one` and `send_one` are the message's own method, which gives a value back where `send_one`
//! lost it. A second use of a half is among the programs that must not compile.

use oneshot::Oneshot;
use pipes::TryRecvError;
use pipes_tests::{Tally, watched};

pipes::proto! {
    oneshot {
        oneshot: send<T: Send> { send(T) -> ! }
    }
}

#[test]
fn a_value_without_a_size() {
    watched(|| {
        let (chan, port) = oneshot::pipe();
        chan.send(()).expect("the port is there");
        assert!(matches!(port.recv(), Ok(Oneshot::Send(()))));
    });
}

#[test]
fn the_sender_is_dropped() {
    let (chan, port) = oneshot::pipe::<()>();
    drop(chan);
    assert!(port.recv().is_err());
    let (chan, port) = oneshot::pipe::<()>();
    drop(chan);
    assert!(matches!(port.try_recv(), Err(TryRecvError::Closed)));
}

#[test]
fn the_receiver_is_dropped() {
    let tally = Tally::new();
    let (chan, port) = oneshot::pipe();
    drop(port);
    let error = chan.send(tally.make(1)).expect_err("nobody receives it");
    assert_eq!(tally.gone(), 0, "it comes back");
    drop(error);
    assert_eq!((tally.gone(), tally.made()), (1, 1));
}
