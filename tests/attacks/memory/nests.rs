//! Ends, sets, shared ports, duplex streams and eventuals are sent through each other, at random, by a few
//! threads. Each value must be dropped once, and no memory may be left. An end is sent only through ports
//! that are older than those in it, so that no port owns itself.

use pipes::{
    Chan, ChanOne, DuplexStream, Eventual, Port, PortOne, PortSet, SharedChan, SharedPort, duplex_stream,
    oneshot, shared_stream, stream, sync_stream,
};
use pipes_tests::{Bell, Counted, Random, Tally, caught, effort, poll, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::Context;
use std::thread;

/// Anything that can be sent, with its age.
enum Thing {
    Value(#[expect(dead_code, reason = "it is there to be dropped")] Counted),
    Chan(u64, Chan<Thing>),
    Port(u64, Port<Thing>),
    ChanOne(u64, ChanOne<Thing>),
    PortOne(u64, PortOne<Thing>),
    SharedChan(u64, SharedChan<Thing>),
    SharedPort(u64, SharedPort<Thing>),
    Crossed(u64, Box<DuplexStream<Thing, Thing>>),
    Set(u64, Box<PortSet<Port<Thing>>>),
    Eventual(u64, Box<Eventual<Thing>>),
    Nothing,
}

use Thing::*;

static AGE: AtomicU64 = AtomicU64::new(0);

impl Thing {
    /// The age of its ports, which can be sent only through older ones. A thing without a port can be sent
    /// through any.
    fn age(&self) -> u64 {
        match self {
            Port(age, _)
            | PortOne(age, _)
            | SharedPort(age, _)
            | Crossed(age, _)
            | Set(age, _)
            | Eventual(age, _) => *age,
            _ => u64::MAX,
        }
    }
}

/// Makes new things, such as both ends of a stream.
fn fresh(random: &mut Random, tally: &Tally, bomb: &AtomicBool) -> Vec<Thing> {
    let age = AGE.fetch_add(1, Ordering::Relaxed);
    match random.below(10) {
        0 | 1 if random.below(20) == 0 && bomb.swap(false, Ordering::Relaxed) => {
            vec![Value(tally.make_bomb(age))]
        }
        0 | 1 => vec![Value(tally.make(age))],
        2 | 3 => {
            let (chan, port) = stream();
            vec![Chan(age, chan), Port(age, port)]
        }
        4 => {
            let (chan, port) = sync_stream(random.below(4) as usize);
            vec![Chan(age, chan), Port(age, port)]
        }
        5 => {
            let (chan, port) = oneshot();
            vec![ChanOne(age, chan), PortOne(age, port)]
        }
        6 => {
            let (chan, port) = shared_stream();
            vec![SharedChan(age, chan.clone()), SharedChan(age, chan), Port(age, port)]
        }
        7 => {
            let (chan, port) = stream();
            let port = port.into_shared();
            vec![Chan(age, chan), SharedPort(age, port.clone()), SharedPort(age, port)]
        }
        8 => {
            let (left, right) = duplex_stream();
            // Each side sends into the port of the other side.
            vec![Crossed(age, Box::new(left)), Crossed(age, Box::new(right))]
        }
        _ => {
            let mut set = PortSet::new();
            set.chan().send(Value(tally.make(age))).unwrap_or_else(|_| unreachable!("the set is there"));
            let (chan, port) = oneshot();
            vec![Set(age, Box::new(set)), ChanOne(age, chan), Eventual(age, Box::new(port.into()))]
        }
    }
}

/// Sends one thing through another. Returns the thing if it was not sent.
fn send(way: &mut Thing, thing: Thing, random: &mut Random) -> Option<Thing> {
    let younger = thing.age();
    match way {
        Chan(age, chan) if *age < younger => match random.below(3) {
            0 => {
                let mut sending = chan.send_async(thing);
                let (_bell, waker) = Bell::new();
                drop(std::pin::Pin::new(&mut sending).poll(&mut Context::from_waker(&waker)));
                sending.into_inner()
            }
            _ => chan.try_send(thing).err().map(pipes::TrySendError::into_payload),
        },
        SharedChan(age, chan) if *age < younger => chan.send(thing).err().map(pipes::SendError::into_payload),
        Crossed(age, end) if *age < younger => end.send(thing).err().map(pipes::SendError::into_payload),
        ChanOne(age, _) if *age < younger => {
            let ChanOne(_, chan) = std::mem::replace(way, Nothing) else { unreachable!() };
            chan.send(thing).err().map(pipes::SendError::into_payload)
        }
        _ => Some(thing),
    }
}

/// Receives from a thing. Returns what was received, if anything, and the thing itself, if it is still there.
fn receive(thing: Thing, random: &mut Random) -> Vec<Thing> {
    let (_bell, waker) = Bell::new();
    match thing {
        Port(age, mut port) => {
            if random.below(3) == 0 {
                let _ = poll(&mut port, &waker);
            }
            let got = port.try_recv().ok();
            let port = match random.below(6) {
                0 => SharedPort(age, port.into_shared()),
                1 => Set(age, Box::new([port].into_iter().collect())),
                _ => Port(age, port),
            };
            got.into_iter().chain([port]).collect()
        }
        PortOne(age, mut port) => {
            if random.below(3) == 0 {
                let _ = poll(&mut port, &waker);
            }
            match port.try_recv() {
                Ok(got) => vec![got],
                Err(pipes::TryRecvError::Empty(port)) => vec![PortOne(age, port)],
                Err(pipes::TryRecvError::Closed) => Vec::new(),
            }
        }
        SharedPort(age, mut port) => {
            let got = match random.below(2) {
                0 => port.try_recv().ok(),
                _ => match std::pin::pin!(port.recv_async()).poll(&mut Context::from_waker(&waker)) {
                    std::task::Poll::Ready(got) => got.ok(),
                    std::task::Poll::Pending => None,
                },
            };
            let more = (random.below(3) == 0).then(|| SharedPort(age, port.clone()));
            got.into_iter().chain(more).chain([SharedPort(age, port)]).collect()
        }
        Crossed(age, mut end) => {
            let got = end.try_recv().ok();
            if random.below(4) == 0 {
                let (chan, port) = end.into_parts();
                return got.into_iter().chain([Chan(age, chan), Port(age, port)]).collect();
            }
            got.into_iter().chain([Crossed(age, end)]).collect()
        }
        Set(age, mut set) => {
            if random.below(3) == 0 {
                let _ = poll(&mut *set, &waker);
            }
            let got = set.try_recv().ok().and_then(|(_, got)| got.ok());
            let one = if random.below(3) == 0 {
                let key = set.keys().next().copied();
                key.and_then(|key| set.remove(&key)).map(|port| Port(age, port))
            } else {
                None
            };
            got.into_iter().chain(one).chain([Set(age, set)]).collect()
        }
        Eventual(age, mut eventual) => {
            if random.below(2) == 0 && eventual.is_ready() {
                return eventual.into_inner().into_iter().collect();
            }
            let _ = eventual.poll_get(&mut Context::from_waker(&waker));
            vec![Eventual(age, eventual)]
        }
        other => vec![other],
    }
}

/// Takes random steps with its own things and with those that it gets from other threads, and gives some
/// away.
fn hand(tally: &Tally, seed: u64, give: &Sender<Thing>, take: &Receiver<Thing>, bomb: &AtomicBool) {
    let mut random = Random::new(seed);
    let mut things = Vec::new();
    for _ in 0..if cfg!(miri) { 60 } else { 400 } {
        let _bang = caught(|| {
            let pick = |random: &mut Random, things: &Vec<Thing>| random.below(things.len() as u64) as usize;
            match random.below(11) {
                _ if things.len() < 3 => things.extend(fresh(&mut random, tally, bomb)),
                0 | 1 => things.extend(fresh(&mut random, tally, bomb)),
                2..=4 => {
                    let index = pick(&mut random, &things);
                    let thing = things.swap_remove(index);
                    let way = pick(&mut random, &things);
                    let back = send(&mut things[way], thing, &mut random);
                    things.extend(back);
                }
                5..=7 => {
                    let index = pick(&mut random, &things);
                    let thing = things.swap_remove(index);
                    things.extend(receive(thing, &mut random));
                }
                8 => {
                    // A port goes into a set that is at least as old.
                    let index = pick(&mut random, &things);
                    let thing = things.swap_remove(index);
                    match thing {
                        Port(age, port) => {
                            let set = things.iter_mut().find_map(|thing| match thing {
                                Set(old, set) => Some((old, set)),
                                _ => None,
                            });
                            match set {
                                // A set must be as old as its oldest port, so a port that is older than the
                                // set stays outside.
                                Some((old, set)) if *old <= age => drop(set.insert(port)),
                                _ => things.push(Port(age, port)),
                            }
                        }
                        other => things.push(other),
                    }
                }
                9 => {
                    let index = pick(&mut random, &things);
                    drop(things.swap_remove(index));
                }
                _ => {
                    let index = pick(&mut random, &things);
                    drop(give.send(things.swap_remove(index)));
                    things.extend(take.try_iter());
                }
            }
        });
    }
    // One by one, because one may panic.
    things.into_iter().for_each(|thing| drop(caught(|| drop(thing))));
}

fn run(seed: u64, has_bomb: bool) -> Tally {
    let (tally, bomb) = (Tally::new(), Arc::new(AtomicBool::new(has_bomb)));
    let (gives, takes): (Vec<_>, Vec<_>) = (0..3).map(|_| channel()).unzip();
    let threads: Vec<_> = takes
        .into_iter()
        .enumerate()
        .map(|(number, take)| {
            let (give, tally, bomb) = (gives[(number + 1) % 3].clone(), tally.clone(), bomb.clone());
            thread::spawn(move || {
                hand(&tally, 3 * seed + number as u64, &give, &take, &bomb);
                drop(give);
                take.into_iter().for_each(|thing| drop(caught(|| drop(thing))));
            })
        })
        .collect();
    drop(gives);
    threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
    tally
}

#[test]
fn all_in_all() {
    watched(|| {
        for seed in 0..effort(300) as u64 {
            run(seed, false).assert_all_gone();
        }
    });
}

/// One value panics when it is dropped, wherever that is. By Rust's rules a value that is being returned at
/// that moment leaks; no value may be dropped twice.
#[test]
fn all_in_all_with_a_bomb() {
    watched(|| {
        for seed in 0..effort(100) as u64 {
            let tally = run(1000 + seed, true);
            assert!(tally.gone() <= tally.made(), "{} of {} are gone", tally.gone(), tally.made());
        }
    });
}
