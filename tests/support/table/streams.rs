//! Receivers as `futures::Stream`s.

use super::flavor::{Flavor, Missing, Receiver, Sender, TaskReceiver};
use crate::{Bell, Counted, Tally, lend, poll_future};
use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::Stream;
use std::time::Duration;

/// All messages come in order, and then the end.
pub fn collected<F: Flavor<Receiver: Stream<Item = Counted> + Unpin>>() {
    let tally = Tally::new();
    let (mut sender, mut receiver) = F::channel();
    let source = tally.clone();
    let sending = lend(move || (0..100).for_each(|number| assert!(sender.send(source.make(number)).is_ok())));
    for number in 0..100 {
        assert_eq!(block_on(receiver.next()).expect("a message was sent").number, number);
    }
    assert!(block_on(receiver.next()).is_none());
    sending.join().expect("all messages are sent");
    tally.assert_all_gone();
}

/// A task polls the stream and then looks whether there is a message. It is woken all the same: by a message,
/// or by the close.
pub fn look_after_a_poll<F>()
where
    F: Flavor<Receiver: Stream<Item = Counted> + Unpin + TaskReceiver>,
{
    for (look, sends) in (0..4).flat_map(|look| [(look, false), (look, true)]) {
        let tally = Tally::new();
        let (bell, waker) = Bell::new();
        let (mut sender, mut receiver) = F::channel();
        assert!(poll_future(&mut receiver.next(), &waker).is_pending());
        match look {
            0 => assert_eq!(receiver.try_recv().unwrap_err(), Missing::Empty),
            1 => assert_eq!(receiver.recv_timeout(Duration::ZERO).unwrap_err(), Missing::Empty),
            // A future that is never polled.
            2 => drop(receiver.recv_async()),
            _ => drop(receiver.next()),
        }
        let message = tally.make(1);
        let sending = lend(move || {
            if sends {
                assert!(sender.send(message).is_ok())
            }
        });
        crate::spin_while(|| bell.rings() == 0);
        assert_eq!(block_on(receiver.next()).is_some(), sends);
        sending.join().expect("it was sent");
    }
}
