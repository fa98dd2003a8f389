//! Streams and sessions that are dropped with any number of unread messages: all memory comes back, with the
//! size that it was allocated with.

use crate::{assert_all_comes_back, counting};
use pipes::{Chan, Port, SharedChan, shared_stream, stream, sync_stream};
use pipes_tests::DropCounter;
use pipes_tests::bank;

type Message = Box<usize>;

/// Sends this many messages, reads a third of them, and drops the two ends, in either order. A send after the
/// port has left fails.
fn close<C>(length: usize, ends: impl Fn() -> (C, Port<Message>), send: impl Fn(&mut C, Message) -> bool) {
    for chan_first in [false, true] {
        assert_all_comes_back(|| {
            let (mut chan, mut port) = ends();
            (0..length).for_each(|number| assert!(send(&mut chan, Box::new(number)), "there is room"));
            (0..length / 3).for_each(|number| assert_eq!(port.recv(), Ok(Box::new(number))));
            if chan_first {
                drop(chan);
                drop(port);
            } else {
                drop(port);
                assert!(!send(&mut chan, Box::new(1)));
            }
        });
    }
}

fn send(chan: &mut Chan<Message>, message: Message) -> bool {
    chan.send(message).is_ok()
}

fn send_to_both((one, two): &mut (SharedChan<Message>, SharedChan<Message>), message: Message) -> bool {
    if message.is_multiple_of(2) { one.send(message).is_ok() } else { two.send(message).is_ok() }
}

/// For any number of unread messages, that is, of blocks.
#[test]
fn streams() {
    for length in (0..200).chain([1_000, 10_000]) {
        close(length, stream, send);
        let shared = || {
            let (chan, port) = shared_stream();
            ((chan.clone(), chan), port)
        };
        close(length, shared, send_to_both);
    }
}

#[test]
fn bounded_streams() {
    for capacity in 0..70 {
        close(capacity, || sync_stream(capacity), send);
    }
}

/// A failed send at the end of a block has already linked another one: that is freed, too.
#[test]
fn sessions() {
    let drops = DropCounter::new();
    for length in 0..150 {
        let ((), info) = counting(|| {
            let (mut client, server) = bank::pipe();
            for number in 0..length {
                client = client.deposit(drops.make(number)).expect("the bank is there");
            }
            drop(server);
            drop(client.deposit(drops.make(0)).unwrap_err());
        });
        assert_eq!(info.bytes_current, 0, "{length}");
    }
    drops.assert_all_dropped();
}
