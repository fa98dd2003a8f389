//! The receivers that the random tasks hand to each other, and what they do with them.

use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use pipes::{Port, PortSet, SharedPort, TryRecvError, select_async};
use pipes_tests::{Rng, give_way};
use std::task::{Context, Poll};

/// A receiver that may be handed to another task while it is waited for.
pub(super) enum Held {
    Port(Port<u64>),
    Set(PortSet<Port<u64>>),
    Shared(SharedPort<u64>),
}

/// What a poll found.
pub(super) enum Found {
    Message,
    /// The receiver is closed.
    End,
    /// A member of a set is closed.
    EndOfMember,
}

fn found(is_message: bool) -> Found {
    if is_message { Found::Message } else { Found::End }
}

/// The error of a receive after it was said that the receiver is ready.
fn is_end(error: TryRecvError) {
    assert_eq!(error, TryRecvError::Closed, "it was ready");
}

impl Held {
    /// Polls in a random way. If there is nothing, the waker of `cx` is registered.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, random: &mut Rng) -> Poll<Found> {
        let way = random.u64(..3);
        match self {
            Held::Port(port) => match way {
                0 => port.poll_next_unpin(cx).map(|message| found(message.is_some())),
                1 => port.recv_async().poll_unpin(cx).map(|message| found(message.is_ok())),
                _ => port.poll_ready(cx).map(|()| found(port.try_recv().map_err(is_end).is_ok())),
            },
            Held::Set(set) => {
                let turn = match way {
                    0 => set.poll_next_unpin(cx),
                    1 => set.recv_async().poll_unpin(cx).map(Result::ok),
                    _ => set.poll_ready(cx).map(|()| set.try_recv().map_err(is_end).ok()),
                };
                turn.map(|turn| match turn {
                    Some((_, Ok(_))) => Found::Message,
                    Some((_, Err(_))) => Found::EndOfMember,
                    None => Found::End,
                })
            }
            Held::Shared(port) => {
                if way == 0 && port.try_recv().is_ok() {
                    return Poll::Ready(Found::Message);
                }
                if way == 1
                    && let Poll::Ready(message) = port.recv_async().poll_unpin(cx)
                {
                    return Poll::Ready(found(message.is_ok()));
                }
                port.poll_next_unpin(cx).map(|message| found(message.is_some()))
            }
        }
    }

    /// Turns it into a receiver of another kind. A shared port may become two.
    pub(super) fn changed(self, random: &mut Rng) -> (Held, Option<Held>) {
        match self {
            Held::Port(port) if random.bool() => (Held::Set([port].into_iter().collect()), None),
            Held::Port(port) => (Held::Shared(port.into_shared()), None),
            Held::Shared(port) => {
                let other = port.clone();
                // In the place of a receiver that may be waiting.
                if random.bool() {
                    return (Held::Shared(other), None);
                }
                (Held::Shared(port), Some(Held::Shared(other)))
            }
            Held::Set(mut set) => {
                let key = set.keys().next().copied();
                let port = key.and_then(|key| set.remove(&key));
                (Held::Set(set), port.map(Held::Port))
            }
        }
    }
}

/// Receives from two ports in a selection with a timer. Returns how many messages came, and the ports that
/// are not closed.
pub(super) async fn select_two(mut one: Port<u64>, mut two: Port<u64>, polls: u64) -> (u64, Vec<Port<u64>>) {
    let (mut came, mut is_one_open, mut is_two_open) = (0, true, true);
    select_async! {
        message = one => if message.is_ok() { came += 1 } else { is_one_open = false },
        message = two => if message.is_ok() { came += 1 } else { is_two_open = false },
        timeout(give_way(polls)) => {}
    }
    (came, is_one_open.then_some(one).into_iter().chain(is_two_open.then_some(two)).collect())
}

/// Waits for the first of many receives, each of which has a waker of its own. The others are given up.
pub(super) async fn first_of_many(mut ports: Vec<Port<u64>>) -> (u64, Vec<Port<u64>>) {
    let receives = ports.iter_mut().enumerate().map(|(index, port)| async move {
        let message = port.recv_async().await;
        (index, message)
    });
    let first = receives.collect::<FuturesUnordered<_>>().next().await;
    match first {
        Some((index, Err(_))) => {
            drop(ports.swap_remove(index));
            (0, ports)
        }
        first => (u64::from(first.is_some()), ports),
    }
}
