//! Arms, conditions and time limits of selections that panic, return, or drop or exchange the other
//! receivers: in a thread and in a task, with streams of every capacity. Each value must be dropped once; and
//! if no receiver is dropped before the end, each must be received once.

use pipes::{Chan, Port, PortSet, SendError, select, select_async, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, caught, effort, watched};
use std::future::{Future, poll_fn};
use std::panic::panic_any;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// An over-aligned value.
#[repr(align(256))]
struct Wide(Counted);

/// The counts of all values, and the sums of those that were sent and received.
#[derive(Clone, Default)]
struct Books {
    tally: Tally,
    sent: Arc<AtomicU64>,
    came: Arc<AtomicU64>,
}

/// Spawns a thread that sends a random number of values, in every way.
fn sender(mut chan: Chan<Wide>, books: &Books, seed: u64) -> JoinHandle<()> {
    let (books, mut random) = (books.clone(), Random::new(seed));
    thread::spawn(move || {
        for number in 0..1 + random.below(if cfg!(miri) { 6 } else { 30 }) {
            let weight = 1 << (number % 8);
            let value = Wide(books.tally.make(weight));
            // Counted before it can be received.
            books.sent.fetch_add(weight, SeqCst);
            let back = match random.below(4) {
                0 => chan.try_send(value).err().map(pipes::TrySendError::into_payload),
                1 => {
                    let limit = Duration::from_micros(random.below(80));
                    chan.send_timeout(value, limit).err().map(pipes::SendTimeoutError::into_payload)
                }
                2 => {
                    let (_bell, waker) = Bell::new();
                    let mut sending = chan.send_async(value);
                    match Pin::new(&mut sending).poll(&mut Context::from_waker(&waker)) {
                        Poll::Ready(sent) => sent.err().map(SendError::into_payload),
                        Poll::Pending => sending.into_inner(),
                    }
                }
                _ => chan.send(value).err().map(SendError::into_payload),
            };
            if let Some(back) = back {
                books.sent.fetch_sub(back.0.number, SeqCst);
            }
        }
    })
}

/// Makes a stream of a random kind, and its senders.
fn begin(books: &Books, random: &mut Random) -> (Port<Wide>, Vec<JoinHandle<()>>) {
    let (chan, port) = match random.below(5) {
        0 => stream(),
        1 => {
            let (chan, port) = shared_stream();
            let senders = (0..2).map(|_| {
                let (chan, books) = (chan.clone(), books.clone());
                thread::spawn(move || {
                    for number in 0..4 {
                        books.sent.fetch_add(1 << number, SeqCst);
                        if chan.send(Wide(books.tally.make(1 << number))).is_err() {
                            books.sent.fetch_sub(1 << number, SeqCst);
                        }
                    }
                })
            });
            let senders = senders.collect();
            return (port, senders);
        }
        room => sync_stream(room as usize - 2),
    };
    (port, vec![sender(chan, books, random.below(1 << 40))])
}

struct Receivers {
    one: Port<Wide>,
    other: Port<Wide>,
    set: PortSet<Port<Wide>, String>,
    /// Whether `one` and `other` have not ended.
    open: [bool; 2],
}

/// Counts the value of an arm, and panics with it if `does` is 0.
fn act(does: u64, value: Option<Wide>, books: &Books) {
    if let Some(value) = &value {
        books.came.fetch_add(value.0.number, SeqCst);
    }
    if does == 0 {
        panic_any(value);
    }
}

/// Panics, or returns false or true, depending on `does`.
fn condition(number: u64, does: u64) -> bool {
    assert!(does != number, "a condition");
    does != number + 1
}

macro_rules! turn {
    ($select:ident, $all:ident, $books:ident, $does:ident, $fair:ident, $limit:expr) => {{
        let Receivers { one, other, set, open: [is_one, is_other] } = $all;
        let (mut first, mut second, mut third) = (one, other, set);
        let does = $does;
        $select! {
            value = first, if *is_one && condition(1, does) => {
                *is_one = value.is_ok();
                if does == 12 && !$fair {
                    *second = stream().1;
                    *third = PortSet::new();
                }
                if does == 13 && value.is_ok() {
                    // Receives from the other receivers, too.
                    act(9, second.try_recv().ok(), $books);
                    act(9, third.try_recv().ok().and_then(|(_, value)| value.ok()), $books);
                }
                act(does, value.ok(), $books);
            }
            value = second, if condition(3, does) && *is_other => {
                *is_other = value.is_ok();
                let Ok(value) = value else { return true };
                act(does, Some(value), $books);
                if does == 14 && !$fair {
                    drop(std::mem::replace(first, sync_stream(0).1));
                }
            }
            turn = third, if !third.is_empty() && condition(5, does) => {
                let (key, value) = turn.expect("it is not empty");
                if does == 13 && let Some(mut port) = third.remove(&key) {
                    // Inserted again under another key.
                    act(9, port.try_recv().ok(), $books);
                    drop(third.insert_at(format!("{key}'"), port));
                }
                act(does, value.ok(), $books);
                return true;
            }
            timeout($limit) => assert!(does != 8, "too late"),
            else => return *is_one || *is_other || !third.is_empty() || (1..7).contains(&does),
        }
        true
    }};
}

/// Returns `false` if all receivers have ended.
fn in_a_thread(all: &mut Receivers, books: &Books, does: u64, fair: bool) -> bool {
    turn!(select, all, books, does, fair, {
        assert!(does != 7, "a limit");
        if does == 11 {
            return true;
        }
        Duration::from_micros(30)
    })
}

/// Returns `false` if all receivers have ended.
async fn in_a_task(all: &mut Receivers, books: &Books, does: u64, fair: bool) -> bool {
    let mut left = 3;
    turn!(select_async, all, books, does, fair, {
        assert!(does != 7, "a limit");
        if does == 11 {
            return true;
        }
        poll_fn(move |cx| {
            assert!(does != 10, "a limit that is polled");
            left -= 1;
            cx.waker().wake_by_ref();
            if left == 0 { Poll::Ready(()) } else { Poll::Pending }
        })
    })
}

fn program(seed: u64) {
    let (mut random, books) = (Random::new(seed), Books::default());
    let fair = random.below(2) == 0;
    let ((one, mut threads), (other, more)) = (begin(&books, &mut random), begin(&books, &mut random));
    threads.extend(more);
    let mut set = PortSet::new();
    for key in ["a", "b"] {
        let (port, more) = begin(&books, &mut random);
        drop(set.insert_at(key.to_owned(), port));
        threads.extend(more);
    }
    let mut all = Receivers { one, other, set, open: [true; 2] };
    for _ in 0..if cfg!(miri) { 12 } else { 60 } {
        let does = random.below(20);
        let _bang = if random.below(2) == 0 {
            caught(|| {
                let _has_not_ended = in_a_thread(&mut all, &books, does, fair);
            })
        } else {
            caught(|| {
                let mut task = pin!(in_a_task(&mut all, &books, does, fair));
                let (_bell, waker) = Bell::new();
                // The task may be dropped before it is done.
                for _ in 0..random.below(5) {
                    if task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                        break;
                    }
                    thread::yield_now();
                }
            })
        };
    }
    if fair {
        while in_a_thread(&mut all, &books, 9, true) {}
    }
    drop(all);
    threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    if fair {
        assert_eq!(books.came.load(SeqCst), books.sent.load(SeqCst), "seed {seed}");
    }
    books.tally.assert_all_gone();
}

#[test]
fn what_arms_do() {
    watched(|| {
        let first = std::env::var("PIPES_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
        (first..first + effort(if cfg!(miri) { 30 } else { 600 }) as u64).for_each(program);
    });
}
