//! Random tasks that send, and tasks that receive and hand their receivers to each other, on an executor that
//! polls only tasks that were woken. `PIPES_TASKS_SEED` sets the first seed.

use super::ends_handed_over::{Found, Held, first_of_many, select_two};
use futures::future::{Either, poll_fn, select};
use futures::{SinkExt, StreamExt, poll};
use pipes::{Chan, Port, PortSet, SharedChan, shared_stream, stream, sync_stream};
use pipes_tests::{Rng, Tasks, caught, effort, give_way, test_in, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::task::Poll;
use std::time::Duration;

const PROGRAMS: u64 = effort(800) as u64;
/// The number of messages of each sender.
const MESSAGES: u64 = 12;

/// Sends in random ways, some of which are given up.
async fn sends(seed: u64, mut chan: Chan<u64>) {
    let mut random = Rng::with_seed(seed);
    for mut number in 0..MESSAGES {
        loop {
            give_way(random.u64(..3)).await;
            number = match random.u64(..7) {
                0 => break chan.send_async(number).await.expect("the receiver is there"),
                1 => break SinkExt::send(&mut chan, number).await.expect("the receiver is there"),
                2 => match chan.try_send(number) {
                    Ok(()) => break,
                    Err(error) => error.into_payload(),
                },
                3 => match chan.send_timeout(number, Duration::ZERO) {
                    Ok(()) => break,
                    Err(error) => error.into_payload(),
                },
                4 => {
                    assert!(poll!(&mut chan.closed()).is_pending());
                    number
                }
                _ => {
                    let timer = Box::pin(give_way(random.u64(..3)));
                    match select(chan.send_async(number), timer).await {
                        Either::Left((sent, _)) => break sent.expect("the receiver is there"),
                        Either::Right(((), sending)) => match sending.into_inner() {
                            Some(back) => back,
                            None => break,
                        },
                    }
                }
            };
        }
    }
    if random.bool() {
        chan.close().await.expect("the receiver is there");
    }
}

/// A port, whose senders are new tasks. Adds the number of senders.
fn port(random: &mut Rng, tasks: &Tasks, senders: &mut u64) -> Port<u64> {
    let (name, (chan, port)) = match random.u64(..6) {
        0 => ("unbounded sender", stream()),
        1 => ("bounded sender", sync_stream(1)),
        2 => ("bounded sender", sync_stream(3)),
        3 | 4 => ("rendezvous sender", sync_stream(0)),
        _ => {
            let (chan, port) = shared_stream();
            for _ in 0..=random.u64(..2) {
                *senders += 1;
                let (chan, polls) = (chan.clone(), random.u64(..3));
                tasks.spawn("shared sender", async move {
                    for number in 0..MESSAGES {
                        give_way(polls).await;
                        chan.send(number).expect("the receiver is there");
                    }
                });
            }
            return port;
        }
    };
    *senders += 1;
    tasks.spawn(name, sends(random.u64(..1 << 40), chan));
    port
}

fn receiver(random: &mut Rng, tasks: &Tasks, senders: &mut u64) -> Held {
    match random.u64(..4) {
        0 | 1 => Held::Port(port(random, tasks, senders)),
        2 => Held::Set((0..=random.u64(..3)).map(|_| port(random, tasks, senders)).collect::<PortSet<_>>()),
        _ => Held::Shared(port(random, tasks, senders).into_shared()),
    }
}

/// What all tasks that hold receivers share.
#[derive(Clone)]
struct Holders {
    /// A message is a receiver; `None` is the end.
    inboxes: Vec<SharedChan<Option<Held>>>,
    /// The number of receivers that are open, and of messages that have come.
    open: Arc<AtomicU64>,
    came: Arc<AtomicU64>,
}

impl Holders {
    fn give(&self, to: u64, held: Held) {
        let inbox = &self.inboxes[to as usize % self.inboxes.len()];
        assert!(inbox.send(Some(held)).is_ok(), "a receiver is open");
    }

    fn close(&self, count: u64) {
        if count > 0 && self.open.fetch_sub(count, SeqCst) == count {
            // A task may have ended already.
            self.inboxes.iter().for_each(|inbox| drop(inbox.send(None)));
        }
    }

    /// Holds receivers, and waits for all of them.
    async fn hold(self, seed: u64, mut inbox: Port<Option<Held>>) {
        let mut random = Rng::with_seed(seed);
        let mut all: Vec<Held> = Vec::new();
        loop {
            let next = poll_fn(|cx| {
                let first = random.usize(..=all.len());
                for place in (first..=all.len()).chain(0..first) {
                    if let Some(held) = all.get_mut(place) {
                        if let Poll::Ready(found) = held.poll(cx, &mut random) {
                            return Poll::Ready(Err((place, found)));
                        }
                    } else if let Poll::Ready(held) = inbox.poll_next_unpin(cx) {
                        return Poll::Ready(Ok(held.expect("this task has a sender, too")));
                    }
                }
                Poll::Pending
            });
            match next.await {
                Ok(None) => return assert!(all.is_empty(), "all receivers are closed"),
                Ok(Some(held)) => all.push(held),
                Err((_, Found::Message)) => _ = self.came.fetch_add(1, SeqCst),
                Err((_, Found::EndOfMember)) => {}
                Err((place, Found::End)) => {
                    drop(all.swap_remove(place));
                    self.close(1);
                }
            }
            if !all.is_empty() {
                self.change(&mut all, &mut random).await;
            }
        }
    }

    /// Hands a receiver to another task, changes its kind, or receives from several ports at once.
    async fn change(&self, all: &mut Vec<Held>, random: &mut Rng) {
        let place = random.usize(..all.len());
        match random.u64(..8) {
            0..=2 => self.give(random.u64(..100), all.swap_remove(place)),
            3 => {
                let (held, another) = all.swap_remove(place).changed(random);
                self.open.fetch_add(u64::from(another.is_some()), SeqCst);
                all.push(held);
                all.extend(another);
            }
            4..=6 => {
                let mut ports = Vec::new();
                let mut others = Vec::new();
                for held in all.drain(..) {
                    match held {
                        Held::Port(port) => ports.push(port),
                        other => others.push(other),
                    }
                }
                *all = others;
                let before = ports.len() as u64;
                let set =
                    all.iter_mut().find_map(|held| if let Held::Set(set) = held { Some(set) } else { None });
                let (came, left) = match (random.u64(..3), set) {
                    (0, _) if before >= 2 => {
                        let (one, two) = (ports.swap_remove(0), ports.swap_remove(0));
                        let (came, left) = select_two(one, two, random.u64(..3)).await;
                        (came, left.into_iter().chain(ports).collect())
                    }
                    (1, Some(set)) => {
                        ports.into_iter().for_each(|port| _ = set.insert(port));
                        (0, Vec::new())
                    }
                    (2, _) => first_of_many(ports).await,
                    _ => (0, ports),
                };
                self.came.fetch_add(came, SeqCst);
                self.close(before - left.len() as u64);
                all.extend(left.into_iter().map(Held::Port));
            }
            _ => {}
        }
    }
}

fn program(seed: u64) {
    let mut random = Rng::with_seed(seed);
    let tasks = Tasks::new();
    if seed.is_multiple_of(2) {
        tasks.poll_spuriously(seed);
    }
    let count = 2 + random.u64(..3);
    let (inboxes, ports): (Vec<_>, Vec<_>) = (0..count).map(|_| shared_stream()).unzip();
    let holders = Holders { inboxes, open: Arc::default(), came: Arc::default() };
    let mut senders = 0;
    for _ in 0..2 + random.u64(..4) {
        let held = receiver(&mut random, &tasks, &mut senders);
        holders.open.fetch_add(1, SeqCst);
        if let Held::Shared(port) = &held {
            holders.open.fetch_add(1, SeqCst);
            holders.give(random.u64(..100), Held::Shared(port.clone()));
        }
        holders.give(random.u64(..100), held);
    }
    for (number, port) in ports.into_iter().enumerate() {
        tasks.spawn(format!("holder {number}"), holders.clone().hold(random.u64(..1 << 40), port));
    }
    let came = holders.came.clone();
    drop(holders);
    assert!(caught(|| tasks.run_alone(1 + seed as usize % 3)).is_none(), "PIPES_TASKS_SEED={seed}");
    assert_eq!(came.load(SeqCst), senders * MESSAGES, "PIPES_TASKS_SEED={seed}");
}

#[test_in(watched)]
fn receivers_that_are_handed_over() {
    let first = std::env::var("PIPES_TASKS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    (first..first + PROGRAMS).for_each(program);
}
