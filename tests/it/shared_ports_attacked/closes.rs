//! `Port::close` and `Port::drain` while senders send in runs, and the port has a waker or a past in a set;
//! and shared ports that are dropped with messages whose destructors panic.

use pipes::{Chan, Port, PortSet, SharedChan, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Random, Tally, caught, poll, watched};
use std::sync::Barrier;
use std::thread;

const ROUNDS: u64 = if cfg!(miri) { 5 } else { 300 };

/// A sender that sends a run, or one; what was not sent is left.
trait Sends: Send {
    fn sends(&mut self, values: &mut Vec<Counted>) -> bool;
}

impl Sends for Chan<Counted> {
    fn sends(&mut self, values: &mut Vec<Counted>) -> bool {
        self.send_all(values).is_ok()
    }
}

impl Sends for SharedChan<Counted> {
    fn sends(&mut self, values: &mut Vec<Counted>) -> bool {
        self.send_all(values).is_ok()
    }
}

fn race(random: &mut Random, (chans, mut port): (Vec<impl Sends>, Port<Counted>)) {
    let (tally, begin) = (&Tally::new(), &Barrier::new(chans.len() + 1));
    let (bell, waker) = Bell::new();
    let (before, drains, in_set) = (random.below(3) * 20, random.below(3), random.below(2) == 0);
    thread::scope(|scope| {
        let senders = (0..).zip(chans).map(|(name, mut chan)| {
            let mut random = Random::new(random.below(u64::MAX));
            scope.spawn(move || {
                begin.wait();
                let mut number = name * 1_000_000;
                loop {
                    let next = number + 1 + random.below(40);
                    let mut run: Vec<_> = (number..next).map(|number| tally.make(number)).collect();
                    if !chan.sends(&mut run) {
                        let left = next - run.len() as u64;
                        assert!(run.iter().map(|value| value.number).eq(left..next), "those that are left");
                        return left;
                    }
                    number = next;
                    random.dawdle(500);
                }
            })
        });
        let senders: Vec<_> = senders.collect();
        begin.wait();
        let mut received = Vec::new();
        for _ in 0..before {
            received.push(port.recv().expect("the senders are here").number);
        }
        for _ in 0..drains {
            // Where the senders need not wait, a drain ends only when they do not keep up.
            let mut values = if port.capacity().is_some() { port.drain() } else { Vec::new() };
            let _none = port.try_recv_many(&mut values, 200);
            received.extend(values.iter().map(|value| value.number));
        }
        if in_set {
            let mut set = PortSet::new();
            let key = set.insert(port);
            let _ready = poll(&mut set, &waker);
            port = set.remove(&key).expect("it is a member");
        } else {
            let _ready = poll(&mut port, &waker);
        }
        received.extend(port.close().iter().map(|value| value.number));
        for (name, sender) in (0..).zip(senders) {
            let end = sender.join().expect("no panic");
            let own = received.iter().copied().filter(|number| number / 1_000_000 == name);
            assert!(own.eq(name * 1_000_000..end), "all that was sent, in order");
        }
    });
    drop(waker);
    assert_eq!(bell.wakers(), 0);
    tally.assert_all_gone();
}

#[test]
fn runs_and_wakers() {
    watched(|| {
        let mut random = Random::new(0xc105e);
        for _ in 0..ROUNDS {
            let capacity = 1 + random.below(50) as usize;
            for (chan, port) in [stream(), sync_stream(0), sync_stream(capacity)] {
                race(&mut random, (vec![chan], port));
            }
            for (chan, port) in [shared_stream(), shared_sync_stream(capacity)] {
                race(&mut random, (vec![chan.clone(), chan.clone(), chan], port));
            }
        }
    });
}

/// The receivers are dropped while the message with this number, in the tray or in the stream, has a
/// destructor that panics. All other destructors run, and the stream is closed.
#[test]
fn a_bomb_anywhere() {
    type Ends = (Box<dyn Fn(Counted)>, Box<dyn Fn() -> bool>, Port<Counted>);
    let kinds: [fn() -> Ends; 4] = [
        || {
            let (chan, port) = stream();
            let chan = std::rc::Rc::new(std::cell::RefCell::new(chan));
            let also = chan.clone();
            (
                Box::new(move |value| chan.borrow_mut().send(value).expect("the port is here")),
                Box::new(move || also.borrow().is_closed()),
                port,
            )
        },
        || {
            let (chan, port) = sync_stream(100);
            let chan = std::rc::Rc::new(std::cell::RefCell::new(chan));
            let also = chan.clone();
            (
                Box::new(move |value| chan.borrow_mut().try_send(value).expect("there is room")),
                Box::new(move || also.borrow().is_closed()),
                port,
            )
        },
        || {
            let (chan, port) = shared_stream();
            let also = chan.clone();
            (
                Box::new(move |value| chan.send(value).expect("the port is here")),
                Box::new(move || also.is_closed()),
                port,
            )
        },
        || {
            let (chan, port) = shared_sync_stream(100);
            let also = chan.clone();
            (
                Box::new(move |value| chan.try_send(value).expect("there is room")),
                Box::new(move || also.is_closed()),
                port,
            )
        },
    ];
    for kind in kinds {
        for bomb in [1, 2, 20, 40, 80, 99] {
            let (tally, (send, is_closed, port)) = (Tally::new(), kind());
            for number in 0..100 {
                send(if number == bomb { tally.make_bomb(number) } else { tally.make(number) });
            }
            let mut port = port.into_shared();
            // This fills the tray.
            drop(port.recv());
            let ports = [port.clone(), port.clone(), port];
            let panic = caught(|| drop(ports)).expect("one destructor panics");
            assert_eq!(panic.downcast_ref(), Some(&bomb));
            assert!(is_closed());
            tally.assert_all_gone();
        }
    }
}
