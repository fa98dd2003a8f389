//! The functions of 2012: they take the receivers, and give back those that were not chosen.

use super::choose;
use crate::endpoint::{Readiness, Receive, RecvError};
use either::Either;

/// Receives from whichever of these is first: its index, what it gave, and the others, in their order.
///
/// Blocks the thread. If more than one is ready, chance decides. Looks at each of them, so it is for a few; for many there is
/// the [`PortSet`](crate::PortSet). The successor of a chosen endpoint of a protocol is in the message.
///
/// From an empty list nothing will ever come, which is said at once: index 0 and an error.
///
/// ```
/// let (left, port_of_left) = pipes::oneshot();
/// let (right, port_of_right) = pipes::oneshot();
/// right.send("right")?;
///
/// let (index, message, mut others) = pipes::select(vec![port_of_left, port_of_right]);
/// assert_eq!((index, message), (1, Ok("right")));
///
/// left.send("left")?;
/// assert_eq!(others.remove(0).recv(), Ok("left"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn select<E: Receive>(mut receivers: Vec<E>) -> (usize, Result<E::Message, RecvError>, Vec<E>) {
    let mut waiting: Vec<&mut dyn Readiness> = Vec::with_capacity(receivers.len());
    waiting.extend(receivers.iter_mut().map(|receiver| -> &mut dyn Readiness { receiver }));
    if waiting.is_empty() {
        return (0, Err(RecvError), receivers);
    }
    let everybody = vec![true; waiting.len()];
    let index = choose(&mut waiting, &everybody, None).unwrap_or_default();
    let chosen = receivers.remove(index);
    (index, chosen.recv(), receivers)
}

/// What [`select2`] gives: what one of the two gave, and the other one.
type First<A, B> =
    Either<(Result<<A as Receive>::Message, RecvError>, B), (A, Result<<B as Receive>::Message, RecvError>)>;

/// Receives from whichever of these two is first, which need not be of one type, and gives the other one back.
///
/// Blocks the thread. If both are ready, chance decides.
///
/// ```
/// use pipes::Either;
///
/// let (mut words, mut port_of_words) = pipes::stream();
/// let (number, port_of_number) = pipes::oneshot();
/// words.send("hello")?;
///
/// let Either::Left((Ok(word), port_of_number)) = pipes::select2(&mut port_of_words, port_of_number) else { panic!() };
/// assert_eq!(word, "hello");
/// number.send(42)?;
/// assert_eq!(port_of_number.recv(), Ok(42));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn select2<A: Receive, B: Receive>(mut a: A, mut b: B) -> First<A, B> {
    match choose(&mut [&mut a, &mut b], &[true; 2], None) {
        Some(0) => Either::Left((a.recv(), b)),
        _ => Either::Right((a, b.recv())),
    }
}
