//! The tasks of [`many_hands`](super::many_hands).

use futures::future::{Either, select};
use futures::{FutureExt, SinkExt, StreamExt};
use pipes::{Chan, DuplexStream, Port, PortSet, Receive, RecvFuture, SharedChan, SharedPort, TryRecvError};
use pipes_tests::Random;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

/// The number of messages of each sender.
pub(super) const MESSAGES: u64 = 12;

/// A receiver that tasks hand to each other.
pub(super) enum Hand {
    Port(Port<u64>),
    Set(PortSet<Port<u64>>),
    Shared(SharedPort<u64>),
    Both(DuplexStream<u64, u64>),
    /// The future of a receive, with its port.
    Waiting(RecvFuture<OwnPort>),
    /// No receiver is open any more.
    Over,
}

/// A port that a receive takes by value, so that its future can be sent to another task.
pub(super) struct OwnPort(pub(super) Port<u64>);

impl pipes::Readiness for OwnPort {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_ready(cx)
    }
    fn wait(&mut self, deadline: Option<std::time::Instant>) -> bool {
        pipes::Readiness::wait(&mut self.0, deadline)
    }
    fn is_ready(&self) -> bool {
        self.0.is_ready()
    }
    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

impl Receive for OwnPort {
    type Message = (u64, Port<u64>);

    fn try_recv(mut self) -> Result<Self::Message, TryRecvError<Self>> {
        match self.0.try_recv() {
            Ok(value) => Ok((value, self.0)),
            Err(TryRecvError::Closed) => Err(TryRecvError::Closed),
            Err(TryRecvError::Empty(())) => Err(TryRecvError::Empty(self)),
        }
    }
}

fn lot(seed: u64) -> Random {
    let mut lot = Random::new(seed);
    (0..8).for_each(|_| _ = lot.below(2));
    lot
}

/// Yields to the executor `times` times.
async fn give_way(mut times: u64) {
    poll_fn(|cx| {
        if times == 0 {
            return Poll::Ready(());
        }
        times -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

pub(super) async fn talks(seed: u64, chan: SharedChan<u64>) {
    let mut lot = lot(seed);
    for number in 0..MESSAGES {
        give_way(lot.below(3)).await;
        chan.send(number).expect("the receiver is there");
    }
}

pub(super) async fn keeps_sending(seed: u64, mut chan: Chan<u64>) {
    let mut lot = lot(seed);
    for mut number in 0..MESSAGES {
        loop {
            give_way(lot.below(3)).await;
            match lot.below(5) {
                0 | 1 => break chan.send_async(number).await.expect("the receiver is there"),
                2 => break SinkExt::send(&mut chan, number).await.expect("the receiver is there"),
                3 => match chan.try_send(number) {
                    Ok(()) => break,
                    Err(error) => number = error.into_payload(),
                },
                _ => {
                    let limit = Box::pin(give_way(lot.below(3)));
                    match select(chan.send_async(number), limit).await {
                        Either::Left((sent, _)) => break sent.expect("the receiver is there"),
                        Either::Right(((), sending)) => match sending.into_inner() {
                            Some(back) => number = back,
                            None => break,
                        },
                    }
                }
            }
        }
    }
}

/// The result of a poll: a message, the end of a receiver, or for a set neither.
enum Came {
    Message,
    End,
    Nothing,
}

/// Polls a receiver in a random way. If nothing comes, the waker of `cx` is registered.
fn poll_hand(hand: &mut Hand, cx: &mut Context<'_>, lot: &mut Random) -> Poll<Came> {
    let how = lot.below(3);
    let came = |is_message: bool| if is_message { Came::Message } else { Came::End };
    match hand {
        Hand::Port(port) => match how {
            0 => port.poll_next_unpin(cx).map(|got| came(got.is_some())),
            1 => port.recv_async().poll_unpin(cx).map(|got| came(got.is_ok())),
            _ => port.poll_ready(cx).map(|()| came(port.try_recv().map_err(is_end).is_ok())),
        },
        Hand::Both(both) => match how {
            0 => both.recv_async().poll_unpin(cx).map(|got| came(got.is_ok())),
            _ => both.poll_ready(cx).map(|()| came(both.try_recv().map_err(is_end).is_ok())),
        },
        Hand::Set(set) => {
            let turn = match how {
                0 => set.poll_next_unpin(cx),
                1 => set.recv_async().poll_unpin(cx).map(Result::ok),
                _ => set.poll_ready(cx).map(|()| set.try_recv().map_err(is_end).ok()),
            };
            turn.map(|turn| {
                turn.map_or(Came::End, |(_, got)| if got.is_ok() { Came::Message } else { Came::Nothing })
            })
        }
        Hand::Shared(port) => {
            if how == 0
                && let Poll::Ready(got) = port.recv_async().poll_unpin(cx)
            {
                return Poll::Ready(came(got.is_ok()));
            }
            if how == 1
                && let Ok(_) = port.try_recv()
            {
                return Poll::Ready(Came::Message);
            }
            port.poll_next_unpin(cx).map(|got| came(got.is_some()))
        }
        Hand::Waiting(future) => match future.poll_unpin(cx) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Err(_)) => Poll::Ready(Came::End),
            Poll::Ready(Ok((_, port))) => {
                *hand = if how == 0 { Hand::Port(port) } else { Hand::Waiting(OwnPort(port).recv_async()) };
                Poll::Ready(Came::Message)
            }
        },
        Hand::Over => unreachable!("it is not kept"),
    }
}

fn is_end(error: TryRecvError) {
    assert!(matches!(error, TryRecvError::Closed), "it was ready");
}

/// Holds some receivers and waits for all of them; hands some to other tasks, and takes others.
pub(super) async fn holds(
    seed: u64,
    mut inbox: Port<Hand>,
    peers: Vec<SharedChan<Hand>>,
    open: Arc<AtomicU64>,
    came: Arc<AtomicU64>,
) {
    let mut lot = lot(seed);
    let mut hands: Vec<Hand> = Vec::new();
    loop {
        let next = poll_fn(|cx| {
            let first = lot.below(hands.len() as u64 + 1) as usize;
            let places = (first..=hands.len()).chain(0..first);
            for place in places {
                let Some(hand) = hands.get_mut(place) else {
                    if let Poll::Ready(hand) = inbox.poll_next_unpin(cx) {
                        return Poll::Ready(Ok(hand.expect("this task has a sender, too")));
                    }
                    continue;
                };
                if let Poll::Ready(came) = poll_hand(hand, cx, &mut lot) {
                    return Poll::Ready(Err((place, came)));
                }
            }
            Poll::Pending
        });
        match next.await {
            Ok(Hand::Over) => return assert!(hands.is_empty(), "all have come to their end"),
            Ok(hand) => hands.push(hand),
            Err((_, Came::Message)) => _ = came.fetch_add(1, Ordering::SeqCst),
            Err((_, Came::Nothing)) => {}
            Err((place, Came::End)) => {
                drop(hands.swap_remove(place));
                close_one(&open, &peers);
            }
        }
        change(&mut hands, &mut lot, &open, &peers);
    }
}

fn close_one(open: &AtomicU64, peers: &[SharedChan<Hand>]) {
    if open.fetch_sub(1, Ordering::SeqCst) == 1 {
        peers.iter().for_each(|peer| _ = peer.send(Hand::Over));
    }
}

/// Changes the kind of a receiver, or hands one to another task.
fn change(hands: &mut Vec<Hand>, lot: &mut Random, open: &AtomicU64, peers: &[SharedChan<Hand>]) {
    if hands.is_empty() {
        return;
    }
    let place = lot.below(hands.len() as u64) as usize;
    match lot.below(8) {
        0..=2 => {
            let to = lot.below(peers.len() as u64) as usize;
            peers[to].send(hands.swap_remove(place)).unwrap_or_else(|_| panic!("an end is open"));
        }
        3 => {
            // From a port to a set, a future or a shared port, and from one shared port to two.
            let hand = match hands.swap_remove(place) {
                Hand::Port(port) => match lot.below(3) {
                    0 => Hand::Set([port].into_iter().collect()),
                    1 => Hand::Waiting(OwnPort(port).recv_async()),
                    _ => Hand::Shared(port.into_shared()),
                },
                Hand::Waiting(future) => Hand::Port(future.into_inner().expect("it is not done").0),
                Hand::Shared(port) => {
                    open.fetch_add(1, Ordering::SeqCst);
                    hands.push(Hand::Shared(port.clone()));
                    Hand::Shared(port)
                }
                other => other,
            };
            hands.push(hand);
        }
        4 => {
            // A member is removed from its set.
            let port = match &mut hands[place] {
                Hand::Set(set) => {
                    let key = set.keys().next().copied();
                    key.and_then(|key| set.remove(&key))
                }
                _ => None,
            };
            if let Some(port) = port {
                open.fetch_add(1, Ordering::SeqCst);
                hands.push(Hand::Port(port));
            }
        }
        5 => {
            let port = hands.iter().position(|hand| matches!(hand, Hand::Port(_)));
            let has_set = hands.iter().any(|hand| matches!(hand, Hand::Set(_)));
            if has_set
                && let Some(port) = port
                && let Hand::Port(port) = hands.swap_remove(port)
            {
                let set = hands
                    .iter_mut()
                    .find_map(|hand| if let Hand::Set(set) = hand { Some(set) } else { None });
                set.expect("there is one").insert(port);
                close_one(open, peers);
            }
        }
        6 => {
            // A shared port is dropped before its end, after a clone has taken its place.
            if let Hand::Shared(port) = &hands[place] {
                let other = port.clone();
                hands[place] = Hand::Shared(other);
            }
        }
        _ => {}
    }
}
