//! Receivers in selections.

use super::flavor::{Flavor, Sender};
use crate::{Counted, Tally, lend};
use pipes::{Either, Receive, select2};

/// The receiver that has a message is chosen. The other one comes back and is still good.
pub fn message_at_one_of_two<F>()
where
    F: Flavor,
    for<'a> &'a mut F::Receiver: Receive<Message = Counted>,
{
    for first in [true, false] {
        let tally = Tally::new();
        let ((mut one, mut left), (mut two, mut right)) = (F::channel(), F::channel());
        let message = tally.make(1);
        let sending = lend(move || {
            assert!(if first { one.send(message) } else { two.send(message) }.is_ok());
            (one, two)
        });
        let message = match select2(&mut left, &mut right) {
            Either::Left((message, _)) => {
                assert!(first);
                message
            }
            Either::Right((_, message)) => {
                assert!(!first);
                message
            }
        };
        assert_eq!(message.expect("it was sent").number, 1);
        drop(sending.join().expect("the message was sent"));
        assert!(left.recv().is_err() && right.recv().is_err());
        tally.assert_all_gone();
    }
}
