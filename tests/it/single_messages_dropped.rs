//! Ends that are dropped at every stage of sessions whose states have one message.

use crate::single_messages::{Aligned, Big, Shape, feed, fork, make, three};
use futures::executor::block_on;
use pipes_tests::{Counted, Random, Tally, caught, watched};
use std::any::Any;
use std::cell::RefCell;
use std::sync::{Arc, Barrier};
use std::thread;

type Ends = [Box<dyn Any + Send>; 2];
type Stage = fn(&Tally) -> Ends;

fn ends(client: impl Any + Send, server: impl Any + Send) -> Ends {
    [Box::new(client), Box::new(server)]
}

fn fed<P: Shape>(tally: &Tally, sent: u64, received: u64) -> Ends {
    let (mut client, mut server) = feed::pipe::<P>();
    for number in 0..sent {
        client = client.item(make(tally, number)).expect("the server is here");
        if number < received {
            let feed::More::Item(payload, next) = server.recv().expect("it was sent");
            assert_eq!(payload.number(), number);
            server = next;
        }
    }
    ends(client, server)
}

/// Both ends, at every stage.
fn stages<P: Shape>() -> Vec<(&'static str, Stage)> {
    vec![
        ("new", |_| {
            let (client, server) = three::pipe::<P>();
            ends(client, server)
        }),
        ("one sent", |tally| {
            let (client, server) = three::pipe::<P>();
            ends(client.one(make(tally, 1)).unwrap(), server)
        }),
        ("one received", |tally| {
            let (client, server) = three::pipe::<P>();
            let client = client.one(make(tally, 1)).unwrap();
            let three::One::One(payload, server) = server.recv().unwrap();
            assert_eq!(payload.number(), 1);
            ends(client, (server, payload))
        }),
        ("two sent", |tally| {
            let (client, server) = three::pipe::<P>();
            let client = client.one(make(tally, 1)).unwrap();
            let three::One::One(_, server) = server.recv().unwrap();
            ends(client, server.two(make(tally, 2)).unwrap())
        }),
        ("two received", |tally| {
            let (client, server) = three::pipe::<P>();
            let client = client.one(make(tally, 1)).unwrap();
            let three::One::One(_, server) = server.recv().unwrap();
            let server = server.two(make(tally, 2)).unwrap();
            let three::Two::Two(payload, client) = client.recv().unwrap();
            ends((payload, client), server)
        }),
        ("last sent", |tally| {
            let (client, server) = three::pipe::<P>();
            let client = client.one(make(tally, 1)).unwrap();
            let three::One::One(_, server) = server.recv().unwrap();
            let server = server.two(make(tally, 2)).unwrap();
            let three::Two::Two(_, client) = client.recv().unwrap();
            client.last(make(tally, 3), 4).unwrap();
            ends((), server)
        }),
        ("feed of none", |tally| fed::<P>(tally, 0, 0)),
        ("feed of few", |tally| fed::<P>(tally, 3, 1)),
        ("feed of many", |tally| fed::<P>(tally, 150, 70)),
        ("feed of all", |tally| fed::<P>(tally, 130, 130)),
        ("fork", |tally| {
            let (client, server) = fork::pipe::<P>();
            let client = client.again().unwrap().again().unwrap().left(make(tally, 1)).unwrap();
            ends(client, server)
        }),
        ("fork and back", |tally| {
            let (client, server) = fork::pipe::<P>();
            let client = client.again().unwrap().right(1).unwrap();
            let Ok(fork::Several::Again(server)) = server.recv() else { panic!("it was sent") };
            let Ok(fork::Several::Right(1, server)) = server.recv() else { panic!("it was sent") };
            ends(client, server.back(make(tally, 2)).unwrap())
        }),
        ("fork to the end", |tally| {
            let (client, server) = fork::pipe::<P>();
            client.stop(make(tally, 2)).unwrap();
            ends((), server)
        }),
    ]
}

fn every_stage(mut test: impl FnMut(Stage, &Tally)) {
    let shapes = [stages::<Counted>(), stages::<Box<Counted>>(), stages::<Aligned>(), stages::<Big>()];
    for (name, stage) in shapes.into_iter().flatten() {
        let tally = Tally::new();
        test(stage, &tally);
        assert_eq!(tally.gone(), tally.made(), "{name}");
    }
}

#[test]
fn ends_are_dropped_in_either_order() {
    every_stage(|stage, tally| {
        let [client, server] = stage(tally);
        drop((client, server));
        let [client, server] = stage(tally);
        drop((server, client));
    });
}

#[test]
fn ends_are_dropped_at_once() {
    watched(|| {
        every_stage(|stage, tally| {
            for _ in 0..if cfg!(miri) { 1 } else { 10 } {
                let start = Arc::new(Barrier::new(2));
                let threads = stage(tally).map(|end| {
                    let start = start.clone();
                    thread::spawn(move || {
                        start.wait();
                        drop(end);
                    })
                });
                threads.into_iter().for_each(|thread| thread.join().expect("nothing panics"));
            }
        });
    });
}

#[test]
fn ends_are_dropped_by_a_panic() {
    every_stage(|stage, tally| {
        for reversed in [false, true] {
            let mut ends = stage(tally);
            if reversed {
                ends.reverse();
            }
            let [first, second] = ends;
            let panic = caught(move || {
                let _first = first;
                std::panic::resume_unwind(Box::new("on purpose"));
            });
            assert!(panic.is_some());
            drop(second);
        }
    });
}

thread_local! {
    static LEFT: RefCell<Vec<Box<dyn Any + Send>>> = const { RefCell::new(Vec::new()) };
}

/// Thread-local ends are dropped when their thread ends, perhaps after what the library keeps there.
#[test]
fn ends_are_dropped_with_their_thread() {
    watched(|| {
        every_stage(|stage, tally| {
            for is_first in [false, true] {
                let tally = tally.clone();
                let thread = thread::spawn(move || {
                    if !is_first {
                        drop(pipes::oneshot::<u8>());
                    }
                    LEFT.with_borrow_mut(|left| left.push(Box::new(())));
                    let ends = stage(&tally);
                    LEFT.with_borrow_mut(|left| left.extend(ends));
                });
                thread.join().expect("nothing panics");
            }
        });
    });
}

/// Bursts of all lengths between two threads; one side leaves at some moment.
#[test]
fn bursts_between_threads() {
    fn session<P: Shape>(tally: &Tally, seed: u64, most: u64) {
        let mut random = Random::new(seed);
        let (mut client, mut server) = feed::pipe::<P>();
        let (sends, receives) = (random.below(most), random.below(most));
        let (made, in_task) = (tally.clone(), random.below(2) == 0);
        let other = thread::spawn(move || {
            let mut random = Random::new(!seed);
            for number in 0..sends {
                if random.below(20) == 0 {
                    random.dawdle(100);
                }
                let Ok(next) = client.item(make(&made, number)) else { return };
                client = next;
            }
        });
        let receive = move || {
            for number in 0..receives {
                if random.below(40) == 0 {
                    random.dawdle(200);
                }
                let received = if in_task { block_on(server.recv_async()) } else { server.recv() };
                let Ok(feed::More::Item(payload, next)) = received else {
                    assert_eq!(number, sends);
                    return;
                };
                assert_eq!(payload.number(), number);
                server = next;
            }
        };
        receive();
        other.join().expect("nothing panics");
    }
    watched(|| {
        let tally = Tally::new();
        for seed in 0..if cfg!(miri) { 2 } else { 100 } {
            session::<Counted>(&tally, seed, if cfg!(miri) { 200 } else { 5000 });
            session::<Box<Counted>>(&tally, seed, 300);
            session::<Aligned>(&tally, seed, 100);
            session::<Big>(&tally, seed, 100);
        }
        tally.assert_all_gone();
    });
}

/// Each side waits in each state while the other leaves or sends.
#[test]
fn an_end_leaves_while_the_other_waits() {
    watched(|| {
        every_shape::<Counted>();
        every_shape::<Aligned>();
        every_shape::<Big>();
    });
    fn every_shape<P: Shape>() {
        let tally = Tally::new();
        for round in 0..if cfg!(miri) { 2 } else { 100 } {
            for leaves in 0..6 {
                let (client, server) = three::pipe::<P>();
                let made = tally.clone();
                let other = thread::spawn(move || {
                    let Ok(three::One::One(payload, server)) = server.recv() else { return 0 };
                    if leaves == 2 {
                        return 2;
                    }
                    let Ok(server) = server.two(payload) else { return 1 };
                    let Ok(three::Last::Last(last, 9)) = server.recv() else { return 3 };
                    assert_eq!((last.number(), made.gone() < made.made()), (round, true));
                    4
                });
                let stage = |leaves| {
                    if leaves == 0 {
                        return;
                    }
                    let Ok(client) = client.one(make(&tally, round)) else { return };
                    if leaves == 1 {
                        return;
                    }
                    let Ok(three::Two::Two(payload, client)) = client.recv() else {
                        assert_eq!(leaves, 2);
                        return;
                    };
                    if leaves > 3 {
                        client.last(payload, 9).map_err(|_| ()).expect("the server waits");
                    }
                };
                stage(leaves);
                let reached = other.join().expect("nothing panics");
                assert!(matches!((leaves, reached), (0, 0) | (1, 1 | 3) | (2, 2) | (3, 3) | (4 | 5, 4)));
            }
        }
        tally.assert_all_gone();
    }
}
