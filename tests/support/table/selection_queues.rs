//! Receivers of many messages in selections.

use super::flavor::{Flavor, send_all_elsewhere};
use crate::{Counted, DropCounter};
use pipes::{Receive, select};

/// Of messages at all receivers each selection takes one, and in the end all were received.
pub fn messages_at_all<F>()
where
    F: Flavor,
    for<'a> &'a mut F::Receiver: Receive<Message = Counted>,
{
    const EACH: u64 = 100;
    let drops = DropCounter::new();
    let (senders, mut receivers): (Vec<_>, Vec<_>) = (0..3).map(|_| F::channel()).unzip();
    let sending: Vec<_> =
        senders.into_iter().map(|sender| send_all_elsewhere::<F>(sender, &drops, 0..EACH)).collect();
    let mut next = [0; 3];
    for received in 1..=3 * EACH as usize {
        let (index, message, others) = select(receivers.iter_mut().collect());
        assert_eq!(others.len(), 2);
        assert_eq!(message.expect("a message comes first").number, next[index]);
        next[index] += 1;
        assert_eq!(drops.dropped(), received);
    }
    assert_eq!(next, [EACH; 3]);
    sending.into_iter().for_each(|sending| drop(sending.join().expect("all messages are sent")));
    drops.assert_all_dropped();
}
