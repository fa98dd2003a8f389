//! At capacity 0, the future of a send is forgotten after it was polled. Its message is still offered: a
//! receiver takes it, or it is dropped with the stream. The next messages wait behind it.

use pipes::{Chan, sync_stream};
use pipes_tests::{Counted, DropCounter, begun, poll, test_in, watched};
use std::task::Waker;
use std::time::Duration;

fn offer(chan: &mut Chan<Counted>, message: Counted) {
    let future = begun(chan.send_async(message), Waker::noop());
    std::mem::forget(future);
}

#[test_in(watched)]
fn a_receiver_takes_it() {
    let (drops, (mut chan, mut port)) = (DropCounter::new(), sync_stream(0));
    offer(&mut chan, drops.make(1));
    // The second send finds no room, and takes back nothing but its own message.
    let second = begun(chan.send_async(drops.make(2)), Waker::noop());
    assert_eq!(second.into_inner().map(|message| message.number), Some(2));
    assert!(chan.try_send(drops.make(3)).is_err());
    assert!(chan.send_timeout(drops.make(4), Duration::from_millis(1)).is_err());
    assert_eq!(port.try_recv().map(|message| message.number), Ok(1));
    assert!(port.try_recv().is_err());
    // The receiver has been promised the message, and the sender leaves.
    offer(&mut chan, drops.make(5));
    assert!(poll(&mut port, Waker::noop()).is_ready());
    drop(chan);
    assert_eq!(port.iter().map(|message| message.number).collect::<Vec<_>>(), [5]);
    drops.assert_all_dropped();
}

#[test]
fn nobody_takes_it() {
    for way in 0..4 {
        let [port_first, is_promised] = [1, 2].map(|bit| way & bit != 0);
        let (drops, (mut chan, mut port)) = (DropCounter::new(), sync_stream(0));
        offer(&mut chan, drops.make(6));
        assert!(!is_promised || poll(&mut port, Waker::noop()).is_ready());
        if port_first {
            drop(port);
            assert_eq!(chan.send(drops.make(7)).map_err(|error| error.into_payload().number), Err(7));
            drop(chan);
        } else {
            drop(chan);
            drop(port);
        }
        drops.assert_all_dropped();
    }
}
