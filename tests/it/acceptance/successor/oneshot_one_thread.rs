//! Oneshots on one thread, in every order.
//!
//! `oneshot_single_thread_*` of `std::rt::comm`, 2013. Its `peek` is `is_ready`.

use pipes::{RecvError, TryRecvError, oneshot};
use pipes_tests::{Tally, watched};

#[test]
fn close_port_first() {
    let (chan, port) = oneshot::<u64>();
    drop(port);
    assert!(chan.is_closed());
    drop(chan);
}

#[test]
fn close_chan_first() {
    let (chan, port) = oneshot::<u64>();
    drop(chan);
    assert!(port.is_closed());
    drop(port);
}

#[test]
fn send_port_close() {
    let tally = Tally::new();
    let (chan, port) = oneshot();
    drop(port);
    assert_eq!(chan.send(tally.make(10)).map_err(|error| error.into_payload().number), Err(10));
    tally.assert_all_gone();
}

#[test]
fn recv_chan_close() {
    let (chan, port) = oneshot::<u64>();
    drop(chan);
    assert_eq!(port.recv(), Err(RecvError));
}

#[test]
fn send_then_recv() {
    watched(|| {
        let (chan, port) = oneshot();
        chan.send(Box::new(10)).expect("the port is here");
        assert_eq!(port.recv(), Ok(Box::new(10)));
    });
}

#[test]
fn try_send_open() {
    let (chan, port) = oneshot();
    assert!(chan.send(10).is_ok());
    assert_eq!(port.recv(), Ok(10));
}

#[test]
fn try_send_closed() {
    let (chan, port) = oneshot();
    drop(port);
    assert!(chan.send(10).is_err());
}

#[test]
fn try_recv_open() {
    let (chan, port) = oneshot();
    assert!(chan.send(10).is_ok());
    assert!(matches!(port.try_recv(), Ok(10)));
}

#[test]
fn try_recv_closed() {
    let (chan, port) = oneshot::<u64>();
    drop(chan);
    assert!(matches!(port.try_recv(), Err(TryRecvError::Closed)));
}

#[test]
fn peek_data() {
    let (chan, port) = oneshot();
    assert!(!port.is_ready());
    assert!(chan.send(10).is_ok());
    assert!(port.is_ready());
}

#[test]
fn peek_close() {
    let (chan, port) = oneshot::<u64>();
    drop(chan);
    assert!(!port.is_ready());
    assert!(!port.is_ready());
}

#[test]
fn peek_open() {
    let (_chan, port) = oneshot::<u64>();
    assert!(!port.is_ready());
}
