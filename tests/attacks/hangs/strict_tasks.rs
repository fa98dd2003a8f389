//! The tasks of [`strict`](super::strict).

use futures::future::{Either, select};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, SinkExt, StreamExt, poll};
use pipes::{Chan, Port, PortSet, SharedPort, select_async};
use pipes_tests::Random;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// The number of messages of each sender.
pub(super) const MESSAGES: u64 = 12;

pub(super) type Lot = Rc<RefCell<Random>>;
/// By sender: how many of its messages came.
pub(super) type Noted = Rc<RefCell<BTreeMap<u64, u64>>>;

pub(super) fn below(lot: &Lot, limit: u64) -> u64 {
    lot.borrow_mut().below(limit)
}

/// Yields to the executor a few times.
pub(super) async fn dawdle(lot: &Lot) {
    for _ in 0..below(lot, 3) {
        let given = Cell::new(false);
        poll_fn(|cx| {
            if given.replace(true) {
                return Poll::Ready(());
            }
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
}

/// Sends the numbers of one sender, each in a random way.
pub(super) async fn sends(lot: Lot, mut chan: Chan<(u64, u64)>, name: u64) {
    for number in 0..MESSAGES {
        let mut message = (name, number);
        loop {
            dawdle(&lot).await;
            match below(&lot, 7) {
                0 => break chan.send_async(message).await.expect("the receiver is there"),
                1 => break SinkExt::send(&mut chan, message).await.expect("the receiver is there"),
                2 => match chan.try_send(message) {
                    Ok(()) => break,
                    Err(error) => message = error.into_payload(),
                },
                3 => match chan.send_timeout(message, std::time::Duration::ZERO) {
                    Ok(()) => break,
                    Err(error) => message = error.into_payload(),
                },
                4 => {
                    let mut sending = chan.send_async(message);
                    if poll!(&mut sending).is_ready() {
                        break;
                    }
                    dawdle(&lot).await;
                    match sending.into_inner() {
                        Some(back) => message = back,
                        None => break,
                    }
                }
                5 => {
                    let mut closed = chan.closed();
                    assert!(poll!(&mut closed).is_pending());
                }
                _ => {
                    let watch = Box::pin(dawdle(&lot));
                    match select(chan.send_async(message), watch).await {
                        Either::Left((sent, _)) => break sent.expect("the receiver is there"),
                        Either::Right(((), sending)) => match sending.into_inner() {
                            Some(back) => message = back,
                            None => break,
                        },
                    }
                }
            }
        }
    }
    if below(&lot, 2) == 0 {
        chan.close().await.expect("the receiver is there");
    }
}

/// Notes a message that a receiver has got.
fn note(came: &Noted, (sender, number): (u64, u64), in_order: bool) {
    let mut came = came.borrow_mut();
    let count = came.entry(sender).or_insert(0);
    if in_order {
        assert_eq!(*count, number, "the next one of sender {sender}");
    }
    *count += 1;
}

/// Receives all messages of these ports in random ways, in and out of sets.
pub(super) async fn receives(lot: Lot, mut ports: Vec<Port<(u64, u64)>>, came: Noted) {
    while !ports.is_empty() {
        dawdle(&lot).await;
        let at = below(&lot, ports.len() as u64) as usize;
        match below(&lot, 8) {
            0 => match ports[at].try_recv() {
                Ok(message) => note(&came, message, true),
                Err(pipes::TryRecvError::Closed) => drop(ports.swap_remove(at)),
                Err(pipes::TryRecvError::Empty(())) => {}
            },
            1 => {
                // A set for a few turns, any of which may be given up.
                let mut set: PortSet<_> = ports.drain(..).collect();
                for _ in 0..=below(&lot, 4) {
                    let next = set.recv_async().map(Some);
                    let limit = Box::pin(dawdle(&lot).map(|()| None));
                    let got = if below(&lot, 2) == 0 {
                        next.await
                    } else {
                        match select(next, limit).await {
                            Either::Left((got, _)) => got,
                            Either::Right((none, _)) => none,
                        }
                    };
                    match got {
                        Some(Ok((_, Ok(message)))) => note(&came, message, true),
                        Some(Err(_)) => break,
                        _ => {}
                    }
                }
                let keys: Vec<usize> = set.keys().copied().collect();
                ports.extend(keys.into_iter().filter_map(|key| set.remove(&key)));
            }
            2 if ports.len() > 1 => {
                let mut other = ports.swap_remove(at);
                let mut set: PortSet<_> = ports.drain(1..).collect();
                let mut first = ports.swap_remove(0);
                let (mut has_other, mut has_first) = (true, true);
                select_async! {
                    message = other => match message { Ok(message) => note(&came, message, true), Err(_) => has_other = false },
                    message = first => match message { Ok(message) => note(&came, message, true), Err(_) => has_first = false },
                    turn = set, if !set.is_empty() => if let Ok((_, Ok(message))) = turn { note(&came, message, true) },
                    timeout(dawdle(&lot)) => {},
                    else => {},
                }
                ports.extend(has_other.then_some(other));
                ports.extend(has_first.then_some(first));
                let keys: Vec<usize> = set.keys().copied().collect();
                ports.extend(keys.into_iter().filter_map(|key| set.remove(&key)));
            }
            3 => {
                // The first result of several futures, each of which waits for one port.
                let mut gone = Vec::new();
                {
                    let mut all: FuturesUnordered<_> = ports
                        .iter_mut()
                        .enumerate()
                        .map(|(index, mut port)| async move {
                            let message = select_async! { message = port => message };
                            (index, message)
                        })
                        .collect();
                    for _ in 0..=below(&lot, 2) {
                        match all.next().await {
                            Some((_, Ok(message))) => note(&came, message, true),
                            Some((index, Err(_))) => gone.push(index),
                            None => break,
                        }
                    }
                }
                gone.sort_unstable();
                gone.into_iter().rev().for_each(|index| drop(ports.remove(index)));
            }
            4 => {
                let mut ready = ports[at].ready();
                let _ready = poll!(&mut ready);
            }
            5 => {
                let mut receiving = ports[at].recv_async();
                if let Poll::Ready(got) = poll!(&mut receiving) {
                    match got {
                        Ok(message) => note(&came, message, true),
                        Err(_) => drop(ports.swap_remove(at)),
                    }
                }
            }
            _ => {
                let all = poll_fn(|cx| {
                    let ready = ports.iter_mut().position(|port| port.poll_ready(cx).is_ready());
                    ready.map_or(Poll::Pending, Poll::Ready)
                });
                let index = all.await;
                match ports[index].try_recv() {
                    Ok(message) => note(&came, message, true),
                    Err(pipes::TryRecvError::Closed) => drop(ports.swap_remove(index)),
                    Err(pipes::TryRecvError::Empty(())) => panic!("it was ready"),
                }
            }
        }
    }
}

/// One of several receivers of a port: gives up, looks, waits as a stream, and is replaced by its own clone.
pub(super) async fn shares(lot: Lot, mut port: SharedPort<(u64, u64)>, came: Noted) {
    loop {
        dawdle(&lot).await;
        match below(&lot, 5) {
            0 => match port.try_recv() {
                Ok(message) => note(&came, message, false),
                Err(pipes::TryRecvError::Closed) => return,
                Err(pipes::TryRecvError::Empty(())) => {}
            },
            1 => match port.recv_async().await {
                Ok(message) => note(&came, message, false),
                Err(_) => return,
            },
            2 => match port.next().await {
                Some(message) => note(&came, message, false),
                None => return,
            },
            3 => {
                let limit = Box::pin(dawdle(&lot));
                match select(port.recv_async(), limit).await {
                    Either::Left((Ok(message), _)) => note(&came, message, false),
                    Either::Left((Err(_), _)) => return,
                    Either::Right(_) => {}
                }
            }
            _ => {
                let other = port.clone();
                if let Poll::Ready(got) = poll!(port.next()) {
                    match got {
                        Some(message) => note(&came, message, false),
                        None => return,
                    }
                }
                port = other;
            }
        }
    }
}
