//! A pipeline is ended while its stages are stuck in user code of every kind. A wait for the end must return
//! after a second of grace and name these stages. Also pipelines that own each other, or that take their
//! items from each other's iterators.

use pipes::{Chan, stream};
use pipes_skeleton::{
    Cancel, Cause, Failure, Gather, Pipeline, Processed, Running, from_fn, from_iter, from_port, posted,
};
use pipes_tests::watched;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// Blocks the caller until the other half is dropped.
#[derive(Clone)]
struct Gate(Arc<Mutex<Receiver<()>>>, Sender<()>);

impl Gate {
    fn new() -> (Sender<()>, Self) {
        let (open, opens) = channel();
        let (here, _) = channel();
        (open, Gate(Arc::new(Mutex::new(opens)), here))
    }

    fn block(&self) {
        let _ = self.1.send(());
        let _ = self.0.lock().expect("no thread panics with it").recv();
    }
}

struct Blocks(Gate);

impl Drop for Blocks {
    fn drop(&mut self) {
        self.0.block();
    }
}

struct Stuck(Gate, bool);

impl Gather<u64> for Stuck {
    type Out = u64;

    fn take(&mut self, _: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
        if self.1 {
            self.0.block();
        }
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        if !self.1 {
            self.0.block();
        }
        None
    }
}

type Make = Box<dyn Fn(Gate) -> Pipeline<u64> + Send>;

fn stuck() -> Vec<(&'static str, Make)> {
    let endless = || from_iter(0_u64..).window(3).hand_over(1);
    vec![
        (
            "source",
            Box::new(|gate| {
                from_fn(move || {
                    gate.block();
                    Some(1)
                })
            }),
        ),
        ("source", Box::new(|gate| from_iter(0_u64..).inspect_source(gate))),
        ("it", Box::new(move |gate| endless().sequential(move |n| (gate.block(), n).1).named("it"))),
        ("it", Box::new(move |gate| endless().parallel(2, move |n| (gate.block(), n).1).named("it"))),
        (
            "it",
            Box::new(move |gate| {
                endless()
                    .concurrent(2, move |n| {
                        let gate = gate.clone();
                        async move {
                            gate.block();
                            n
                        }
                    })
                    .named("it")
            }),
        ),
        ("it", Box::new(move |gate| endless().gather(Stuck(gate, true)).named("it"))),
        // `deadline` is called when there is nothing to take, hence the silent source.
        (
            "it",
            Box::new(|gate| {
                let (chan, silent) = stream();
                let items = from_port(silent).gather(Stuck(gate, false)).named("it");
                items.sequential(move |n| {
                    let _open: &Chan<u64> = &chan;
                    n
                })
            }),
        ),
        (
            "source",
            Box::new(move |gate| {
                endless().keyed_with(2, move |n: &u64| (gate.block(), *n).1, |_| |n| n).named("it")
            }),
        ),
        (
            "it",
            Box::new(move |gate| {
                endless().farm(2, move |share| {
                    let gate = gate.clone();
                    share.sequential(move |n| (gate.block(), n).1).named("it")
                })
            }),
        ),
        (
            "it",
            Box::new(move |gate| {
                let own = Blocks(gate);
                endless()
                    .sequential(move |n: u64| {
                        let _own = &own;
                        n
                    })
                    .named("it")
            }),
        ),
    ]
}

trait InspectSource {
    fn inspect_source(self, gate: Gate) -> Pipeline<u64>;
}

impl InspectSource for Pipeline<u64> {
    /// A source that blocks in its destructor.
    fn inspect_source(self, gate: Gate) -> Pipeline<u64> {
        drop(self);
        let own = Blocks(gate);
        from_fn(move || {
            let _own = &own;
            Some(1)
        })
    }
}

fn check(name: &str, number: usize, failure: Option<Failure>) {
    if let Some(failure) = failure {
        assert!(matches!(failure.cause(), Cause::Cancelled), "{name} {number}: {failure}");
        assert!(failure.stuck().iter().all(|stuck| stuck == name), "{name} {number}: {:?}", failure.stuck());
        assert!(!failure.stuck().is_empty(), "{name} {number}");
    }
}

#[test]
fn a_wait_ends_and_names_the_stage() {
    let threads: Vec<_> = (stuck().into_iter().enumerate())
        .map(|(number, (name, make))| {
            thread::spawn(move || {
                watched(move || {
                    for way in 0..4 {
                        let (open, mut gate) = Gate::new();
                        let (here, is_here) = channel();
                        gate.1 = here;
                        let cancel = Cancel::new();
                        let pipeline = make(gate).cancelled_by(&cancel);
                        let blocks_at_end = number == 1 || number == 9;
                        let ends = thread::spawn(move || {
                            if !blocks_at_end {
                                is_here.recv().expect("it comes there");
                            }
                            thread::yield_now();
                            cancel.cancel();
                        });
                        match way {
                            0 => {
                                let failure = pipeline.for_each(drop).err();
                                ends.join().expect("no panic");
                                check(name, number, failure);
                            }
                            1 => {
                                let (port, running) = pipeline.into_port();
                                port.into_iter().for_each(drop);
                                let failure = running.join().err();
                                ends.join().expect("no panic");
                                check(name, number, failure);
                            }
                            2 => {
                                let items = pipeline.into_iter();
                                ends.join().expect("no panic");
                                drop(items);
                                check(name, number, None);
                            }
                            _ => {
                                let failure = pipeline.into_iter().find_map(Result::err);
                                ends.join().expect("no panic");
                                check(name, number, failure);
                            }
                        }
                        drop(open);
                    }
                })
            })
        })
        .take(10)
        .collect();
    threads.into_iter().for_each(|it| it.join().expect("each wait ends"));
}

/// A stage of each pipeline owns the handle of the other pipeline.
#[test]
fn pipelines_that_own_each_other() {
    watched(|| {
        for ending in 0..3 {
            let places: [Arc<Mutex<Option<Running>>>; 2] = Default::default();
            let make = |of: usize| {
                let other = places[1 - of].clone();
                from_iter(0_u64..)
                    .hand_over(1)
                    .sequential(move |n| {
                        let _other = &other;
                        n
                    })
                    .into_port()
            };
            let ((left, one), (right, other)) = (make(0), make(1));
            *places[0].lock().expect("no panic") = Some(one);
            *places[1].lock().expect("no panic") = Some(other);
            drop(places);
            match ending {
                0 => drop((left, right)),
                1 => {
                    drop(left);
                    right.into_iter().for_each(drop);
                }
                _ => {
                    let (mut left, mut right) = (left, right);
                    assert_eq!((left.recv(), right.recv()), (Ok(0), Ok(0)));
                }
            }
        }
    });
}

/// Twenty pipelines, each of which takes its items from the iterator of the one before. They are ended by one
/// cancel, or by the end of the last one.
#[test]
fn sources_that_are_pipelines() {
    watched(|| {
        for ending in 0..4 {
            let cancel = Cancel::new();
            let mut chain = from_iter(0_u64..).window(2).cancelled_by(&cancel);
            for _ in 0..20 {
                let items = chain.into_iter();
                chain = from_iter(items.map_while(Result::ok))
                    .window(2)
                    .hand_over(1)
                    .parallel(2, |n| n)
                    .in_order();
                if ending == 1 {
                    chain = chain.cancelled_by(&cancel);
                }
            }
            let mut items = chain.into_iter();
            assert!(items.next().is_some_and(|item| item.is_ok_and(|n| n == 0)));
            match ending {
                0 | 1 => {
                    cancel.cancel();
                    items.for_each(drop);
                }
                2 => drop(items),
                _ => {
                    let (port, running) = from_iter(items.map_while(Result::ok)).into_port();
                    drop(port);
                    running.join().expect("that is no failure");
                }
            }
        }
        let running =
            posted(|items: Pipeline<u64>| items.window(1).parallel(2, |n| n)).expect("it can be run");
        let items = from_iter(0..50_u64).into_iter();
        items.for_each(|item| running.post(item.expect("no stage fails")).expect("it runs"));
        assert_eq!(running.collect().expect("no stage fails").len(), 50);
    });
}
