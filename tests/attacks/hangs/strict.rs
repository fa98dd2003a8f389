//! Random tasks over every kind of stream, on an executor that polls a task only after its waker was called,
//! with a new waker for each poll. It knows when no task will be called any more, so a lost wake-up fails at
//! once. In every second program it also polls tasks whose wakers were not called.

use super::strict_tasks::{Lot, MESSAGES, Noted, below, dawdle, receives, sends, shares};
use pipes::{Chan, Port, shared_stream, stream, sync_stream};
use pipes_tests::{Random, effort, watched};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

const PROGRAMS: u64 = effort(3_000) as u64;

type Task = Pin<Box<dyn Future<Output = ()>>>;
type Called = Arc<Mutex<VecDeque<usize>>>;

struct Call(usize, Called);

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        let mut called = self.1.lock().expect("no thread panics with it");
        if !called.contains(&self.0) {
            called.push_back(self.0);
        }
    }
}

/// The state of one program.
struct World {
    lot: Lot,
    /// By sender: how many of its messages came.
    came: Noted,
    tasks: Vec<(String, Task)>,
    sent: u64,
}

impl World {
    fn new(seed: u64) -> Self {
        let lot: Lot = Rc::new(RefCell::new(Random::new(seed)));
        (0..8).for_each(|_| _ = below(&lot, 2));
        World { lot, came: Rc::default(), tasks: Vec::new(), sent: 0 }
    }

    fn task(&mut self, name: String, task: impl Future<Output = ()> + 'static) {
        self.tasks.push((name, Box::pin(task)));
    }

    /// Makes a port with its senders.
    fn port(&mut self) -> Port<(u64, u64)> {
        let capacity = match below(&self.lot, 6) {
            0 => {
                let (chan, port) = shared_stream();
                for _ in 0..=below(&self.lot, 2) {
                    let (name, lot, chan) = (self.sent, self.lot.clone(), chan.clone());
                    self.sent += 1;
                    self.task(format!("shared sender {name}"), async move {
                        for number in 0..MESSAGES {
                            dawdle(&lot).await;
                            chan.send((name, number)).expect("the receiver is there");
                        }
                    });
                }
                return port;
            }
            1 => {
                let (chan, port) = stream();
                self.send(chan, "endless");
                return port;
            }
            2 => 1,
            3 => 3,
            _ => 0,
        };
        let (chan, port) = sync_stream(capacity);
        self.send(chan, if capacity == 0 { "meeting" } else { "bounded" });
        port
    }

    fn send(&mut self, chan: Chan<(u64, u64)>, kind: &str) {
        let (name, lot) = (self.sent, self.lot.clone());
        self.sent += 1;
        self.task(format!("{kind} sender {name}"), sends(lot, chan, name));
    }

    fn run(mut self, seed: u64) {
        let called: Called = Called::default();
        let mut left = self.tasks.len();
        called.lock().expect("it is whole").extend(0..left);
        let mut tasks: Vec<_> = self.tasks.drain(..).map(|(name, task)| (name, Some(task))).collect();
        let is_spurious = seed.is_multiple_of(2);
        while left > 0 {
            let next = called.lock().expect("it is whole").pop_front();
            let Some(mut task) = next else {
                let waiting: Vec<_> =
                    tasks.iter().filter(|task| task.1.is_some()).map(|task| &task.0).collect();
                panic!("program {seed}: no task is called any more, and {waiting:?} wait");
            };
            if is_spurious && below(&self.lot, 8) == 0 {
                called.lock().expect("it is whole").push_back(task);
                task = below(&self.lot, tasks.len() as u64) as usize;
            }
            let Some(future) = &mut tasks[task].1 else { continue };
            let waker = Waker::from(Arc::new(Call(task, called.clone())));
            if future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
                tasks[task].1 = None;
                left -= 1;
            }
        }
        let came = self.came.borrow();
        assert!((0..self.sent).all(|name| came.get(&name) == Some(&MESSAGES)), "program {seed}: {came:?}");
    }
}

#[test]
fn programs() {
    watched(|| {
        let first = std::env::var("PIPES_STRICT").ok().and_then(|seed| seed.parse().ok());
        for seed in first.map_or(0..PROGRAMS, |seed| seed..seed + PROGRAMS) {
            let mut world = World::new(seed);
            for number in 0..=below(&world.lot, 2) {
                let ports: Vec<_> = (0..=below(&world.lot, 3)).map(|_| world.port()).collect();
                let receiver = receives(world.lot.clone(), ports, world.came.clone());
                world.task(format!("receiver {number}"), receiver);
            }
            for number in 0..below(&world.lot, 3) {
                let port = world.port().into_shared();
                for clone in 0..=below(&world.lot, 3) {
                    let receiver = shares(world.lot.clone(), port.clone(), world.came.clone());
                    world.task(format!("sharer {number}.{clone}"), receiver);
                }
            }
            world.run(seed);
        }
    });
}
