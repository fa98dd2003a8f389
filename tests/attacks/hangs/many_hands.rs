//! Tasks that several threads run. A task is polled only after a call of its waker, each time with a new
//! waker; in two of three programs a call of an earlier waker does not count. Receivers that wait are handed
//! from task to task: ports, sets, shared ports, duplex streams, and futures that were polled. If no task is
//! called any more while some wait, the program fails at once.

use super::hands::{Hand, OwnPort, holds, keeps_sending, talks};
use pipes::{PortSet, SharedChan, duplex_stream, shared_stream, stream, sync_stream};
use pipes_tests::{Random, effort, lend, watched};
use std::cell::Cell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::task::{Context, Wake, Waker};

const PROGRAMS: u64 = effort(1_500) as u64;

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Default)]
struct Pool {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    called: VecDeque<usize>,
    places: Vec<Place>,
    left: usize,
    at_work: usize,
    failed: Option<String>,
    /// A call of a waker of an earlier poll counts.
    is_lenient: bool,
}

struct Place {
    name: String,
    /// `None` while it is being polled, or when it is done.
    task: Option<Task>,
    is_called: bool,
    /// The number of its polls.
    polls: u64,
    done: bool,
}

struct Call {
    task: usize,
    poll: u64,
    pool: Arc<Pool>,
}

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        let mut state = self.pool.lock();
        let is_lenient = state.is_lenient;
        let place = &mut state.places[self.task];
        if place.done || place.is_called || (place.polls != self.poll && !is_lenient) {
            return;
        }
        place.is_called = true;
        if place.task.is_some() {
            state.called.push_back(self.task);
            self.pool.changed.notify_one();
        }
    }
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn add(&self, name: String, task: impl Future<Output = ()> + Send + 'static) {
        let mut state = self.lock();
        let index = state.places.len();
        state.left += 1;
        state.called.push_back(index);
        state.places.push(Place { name, task: Some(Box::pin(task)), is_called: true, polls: 0, done: false });
    }

    /// Runs tasks until all are done, or until no task is called any more.
    fn work(self: &Arc<Self>) {
        let mut state = self.lock();
        loop {
            if state.left == 0 || state.failed.is_some() {
                self.changed.notify_all();
                return;
            }
            let Some(index) = state.called.pop_front() else {
                if state.at_work == 0 {
                    let waiting: Vec<_> =
                        state.places.iter().filter(|it| !it.done).map(|it| it.name.as_str()).collect();
                    state.failed = Some(format!("no task is called any more, and {waiting:?} wait"));
                    continue;
                }
                state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
                continue;
            };
            state.at_work += 1;
            let place = &mut state.places[index];
            let mut task = place.task.take().expect("it is not polled twice at a time");
            place.is_called = false;
            place.polls += 1;
            let call = Call { task: index, poll: place.polls, pool: self.clone() };
            drop(state);
            let waker = Waker::from(Arc::new(call));
            let is_done = task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
            drop(waker);
            let kept = if is_done {
                drop(task);
                None
            } else {
                Some(task)
            };
            state = self.lock();
            state.at_work -= 1;
            let place = &mut state.places[index];
            place.task = kept;
            place.done = is_done;
            if is_done {
                state.left -= 1;
            } else if place.is_called {
                state.called.push_back(index);
            }
            self.changed.notify_all();
        }
    }
}

fn ends(lot: &mut Random, pool: &Pool, count: &Arc<AtomicU64>, kind: u64) -> (Hand, u64) {
    let sent = Cell::new(0);
    let port = |lot: &mut Random| {
        let seed = lot.below(1 << 40);
        sent.set(sent.get() + 1);
        if lot.below(4) == 0 {
            let (chan, port) = shared_stream();
            for number in 0..=lot.below(2) {
                sent.set(sent.get() + number.min(1));
                let (chan, seed) = (chan.clone(), seed + number);
                pool.add("shared sender".into(), async move { talks(seed, chan).await });
            }
            return port;
        }
        let (name, (chan, port)) = match lot.below(4) {
            0 => ("endless sender", stream()),
            1 => ("bounded sender", sync_stream(1 + lot.below(3) as usize)),
            _ => ("meeting sender", sync_stream(0)),
        };
        pool.add(name.into(), keeps_sending(seed, chan));
        port
    };
    let hand = match kind {
        0 | 1 => Hand::Port(port(lot)),
        2 => Hand::Set((0..=lot.below(3)).map(|_| port(lot)).collect::<PortSet<_>>()),
        3 => Hand::Shared(port(lot).into_shared()),
        4 => {
            let (here, there) = duplex_stream();
            let seed = lot.below(1 << 40);
            sent.set(sent.get() + 1);
            let (chan, mut back) = there.into_parts();
            pool.add("duplex sender".into(), async move {
                keeps_sending(seed, chan).await;
                while back.recv_async().await.is_ok() {}
            });
            Hand::Both(here)
        }
        _ => Hand::Waiting(pipes::Receive::recv_async(OwnPort(port(lot)))),
    };
    count.fetch_add(1, Ordering::SeqCst);
    (hand, sent.get())
}

fn program(seed: u64) {
    let mut lot = Random::new(seed);
    (0..8).for_each(|_| _ = lot.below(2));
    let pool = Arc::new(Pool::default());
    pool.lock().is_lenient = lot.below(3) == 0;
    let (open, came) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let holders = 2 + lot.below(3) as usize;
    let (inboxes, ports): (Vec<SharedChan<Hand>>, Vec<_>) = (0..holders).map(|_| shared_stream()).unzip();
    let mut senders = 0;
    for _ in 0..2 + lot.below(4) {
        let kind = lot.below(6);
        let (hand, sent) = ends(&mut lot, &pool, &open, kind);
        senders += sent;
        if let Hand::Shared(port) = &hand {
            for _ in 0..lot.below(3) {
                open.fetch_add(1, Ordering::SeqCst);
                let to = lot.below(holders as u64) as usize;
                inboxes[to].send(Hand::Shared(port.clone())).expect("it is there");
            }
        }
        inboxes[lot.below(holders as u64) as usize].send(hand).expect("it is there");
    }
    for (number, port) in ports.into_iter().enumerate() {
        let (seed, inboxes, open, came) = (lot.below(1 << 40), inboxes.clone(), open.clone(), came.clone());
        pool.add(format!("holder {number}"), holds(seed, port, inboxes, open, came));
    }
    drop(inboxes);
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let pool = pool.clone();
            lend(move || pool.work())
        })
        .collect();
    for thread in threads {
        if let Err(panic) = thread.join() {
            // The other threads would wait for it.
            eprintln!("program {seed}");
            std::panic::resume_unwind(panic);
        }
    }
    if let Some(failed) = pool.lock().failed.take() {
        panic!("program {seed}: {failed}");
    }
    assert_eq!(came.load(Ordering::SeqCst), senders * super::hands::MESSAGES, "program {seed}");
}

#[test]
fn hand_ends_round() {
    watched(|| {
        let first = std::env::var("PIPES_HANDS").ok().and_then(|seed| seed.parse().ok());
        (0..PROGRAMS).for_each(|seed| program(first.unwrap_or(0) + seed));
    });
}
