//! Functions that take the receivers by value, and return those that were not chosen.

use super::choose;
use crate::endpoint::{Readiness, Receive, RecvError};
use crate::sync::may_block;
use either::Either;

/// Receives from the first of these receivers that is ready. Returns its index, its message, and the other
/// receivers in order.
///
/// Blocks the thread; in a task, use [`select_async!`](crate::select_async!) instead.
///
/// If more than one is ready, one of them is chosen at random, each with the same probability. The function
/// looks at each receiver, so it is meant for a few; for many, use a [`PortSet`](crate::PortSet). If the
/// chosen receiver is an endpoint of a protocol, its successor is in the message.
///
/// With an empty list it returns index 0 and an error at once.
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
#[track_caller]
pub fn select<E: Receive>(mut receivers: Vec<E>) -> (usize, Result<E::Message, RecvError>, Vec<E>) {
    const { may_block() };
    let mut waiting: Vec<&mut dyn Readiness> = Vec::with_capacity(receivers.len());
    waiting.extend(receivers.iter_mut().map(|receiver| -> &mut dyn Readiness { receiver }));
    if waiting.is_empty() {
        return (0, Err(RecvError), receivers);
    }
    let mut all: Vec<usize> = (0..waiting.len()).collect();
    let index = choose::<false, dyn Readiness>(&mut waiting, &mut all, None).unwrap_or_default();
    let chosen = receivers.remove(index);
    (index, chosen.__recv(), receivers)
}

/// What [`select2`] returns: the message of one receiver, and the other receiver.
type First<A, B> =
    Either<(Result<<A as Receive>::Message, RecvError>, B), (A, Result<<B as Receive>::Message, RecvError>)>;

/// Receives from the first of two receivers that is ready, and returns the other one. Their types may differ.
///
/// Blocks the thread; in a task, use [`select_async!`](crate::select_async!) instead.
///
/// If both are ready, one of them is chosen at random, each with the same probability.
///
/// ```
/// use pipes::Either;
///
/// let (mut words, mut port_of_words) = pipes::stream();
/// let (number, port_of_number) = pipes::oneshot();
/// words.send("hello")?;
///
/// let Either::Left((Ok(word), port_of_number)) =
///     pipes::select2(&mut port_of_words, port_of_number)
/// else {
///     panic!()
/// };
/// assert_eq!(word, "hello");
/// number.send(42)?;
/// assert_eq!(port_of_number.recv(), Ok(42));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[track_caller]
pub fn select2<A: Receive, B: Receive>(mut a: A, mut b: B) -> First<A, B> {
    const { may_block() };
    match choose::<false, dyn Readiness>(&mut [&mut a, &mut b], &mut [0, 1], None) {
        Some(0) => Either::Left((a.__recv(), b)),
        _ => Either::Right((a, b.__recv())),
    }
}
