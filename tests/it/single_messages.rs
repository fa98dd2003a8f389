//! States with one message: payloads of many shapes arrive, and each is dropped once.

use futures::executor::block_on;
use pipes::{Closing, TryRecvError};
use pipes_tests::{Bell, Counted, Tally, caught, poll_future, watched};
use std::mem::{replace, swap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::thread;

pipes::proto! {
    /// Three states with one message each.
    pub three<P> {
        one: send { one(P) -> two }
        two: recv { two(P) -> last }
        last: send { last(P, number: u64) -> ! }
    }

    /// One message without end.
    pub feed<P> {
        more: send { item(P) -> more }
    }

    /// States with several messages lead to one with one message, and back.
    pub fork<P> {
        several: send { left(P) -> only, right(number: u8) -> only, again -> several, stop(P) -> ! }
        only: recv { back(P) -> several }
    }

    /// Nothing but turns.
    pub turns {
        go: send { go -> come }
        come: recv { come -> end }
        end: recv { end -> ! }
    }
}

/// A payload of some shape.
pub(crate) trait Shape: Send + Sized + 'static {
    fn of(counted: Counted) -> Self;
    fn number(&self) -> u64;
}

impl Shape for Counted {
    fn of(counted: Counted) -> Self {
        counted
    }
    fn number(&self) -> u64 {
        self.number
    }
}

impl Shape for Box<Counted> {
    fn of(counted: Counted) -> Self {
        Box::new(counted)
    }
    fn number(&self) -> u64 {
        self.number
    }
}

#[repr(align(256))]
pub(crate) struct Aligned(Counted, u8);

impl Shape for Aligned {
    fn of(counted: Counted) -> Self {
        Aligned(counted, 7)
    }
    fn number(&self) -> u64 {
        assert_eq!((&raw const *self as usize % 256, self.1), (0, 7));
        self.0.number
    }
}

const BEHIND: u64 = !5;

pub(crate) struct Big([u64; 700], Counted, [u64; 700]);

impl Shape for Big {
    fn of(counted: Counted) -> Self {
        Big([counted.number; 700], counted, [BEHIND; 700])
    }
    fn number(&self) -> u64 {
        assert!(self.0.iter().all(|&number| number == self.1.number));
        assert!(self.2.iter().all(|&number| number == BEHIND));
        self.1.number
    }
}

pub(crate) fn make<P: Shape>(tally: &Tally, number: u64) -> P {
    P::of(tally.make(number))
}

#[test]
fn ends_change_places() {
    let tally = Tally::new();
    let pairs = [(); 4].map(|()| feed::pipe::<Counted>());
    let [(mut client, mut server), (mut other, mut receiver), (third, mut kept), (fourth, gone)] = pairs;
    swap(&mut client, &mut other);
    swap(&mut server, &mut receiver);
    swap(&mut client, &mut other);
    client = client.item(tally.make(1)).unwrap();
    drop(replace(&mut other, third));
    assert!(server.recv().is_err(), "its sender was replaced");
    let feed::More::Item(payload, mut next) = receiver.recv().unwrap();
    assert_eq!(payload.number, 1);
    drop(payload);
    client = client.item(tally.make(2)).unwrap();
    next = replace(&mut kept, next);
    other = other.item(tally.make(3)).unwrap();
    let feed::More::Item(payload, next) = next.recv().unwrap();
    assert_eq!(payload.number, 3);
    let mut option = Some(kept);
    let feed::More::Item(two, back) = option.take().expect("it is there").recv().unwrap();
    assert_eq!(two.number, 2);
    assert!(option.replace(back).is_none());
    let array = [Some(Box::new(fourth)), Some(Box::new(client)), None, Some(Box::new(other))];
    drop((gone, option));
    let closed = array.map(|place| place.is_none_or(|client| client.is_closed()));
    assert_eq!(closed, [true, true, true, false]);
    drop((payload, two, next));
    tally.assert_all_gone();
}

/// A destructor that panics in an unread message: all others run, and the peer learns of the close.
#[test]
fn a_payload_panics_when_it_is_dropped() {
    fn bombs<P: Shape>() {
        for (total, bomb) in [(1, 0), (2, 0), (2, 1), (100, 15), (100, 30), (100, 31), (100, 32), (100, 99)] {
            for received in [0, bomb / 2, bomb] {
                let tally = Tally::new();
                let (mut client, mut server) = feed::pipe::<P>();
                for number in 0..total {
                    let counted = if number == bomb { tally.make_bomb(number) } else { tally.make(number) };
                    client = client.item(P::of(counted)).unwrap();
                }
                for number in 0..received {
                    let feed::More::Item(payload, next) = server.recv().unwrap();
                    assert_eq!(payload.number(), number);
                    server = next;
                }
                let panic = caught(|| drop(server)).expect("it is not swallowed");
                assert_eq!(panic.downcast_ref(), Some(&bomb));
                assert!(client.is_closed());
                assert_eq!(client.item(make(&tally, 5)).unwrap_err().into_payload().number(), 5);
                tally.assert_all_gone();
            }
        }
        let tally = Tally::new();
        let (client, server) = three::pipe::<P>();
        let client = client.one(P::of(tally.make_bomb(1))).unwrap();
        assert!(caught(|| drop(server)).is_some());
        assert!(client.recv().is_err());
        let (client, server) = fork::pipe::<P>();
        client.stop(P::of(tally.make_bomb(1))).unwrap();
        assert!(caught(|| drop(server)).is_some());
        let (client, server) = three::pipe::<P>();
        let client = client.one(P::of(tally.make_bomb(1))).unwrap();
        assert!(caught(|| server.recv().map(|three::One::One(..)| ())).is_some(), "the whole is dropped");
        assert!(client.recv().is_err());
        tally.assert_all_gone();
    }
    bombs::<Counted>();
    bombs::<Aligned>();
    bombs::<Box<Counted>>();
}

/// The message arrives during a wait, in a task.
#[test]
fn a_message_arrives_at_a_waiting_task() {
    fn arrives<P: Shape>() {
        let tally = Tally::new();
        let (mut client, mut server) = feed::pipe::<P>();
        for number in 0..100 {
            let (bell, waker) = Bell::new();
            let mut receiving = server.recv_async();
            assert!(poll_future(&mut receiving, &waker).is_pending());
            client = client.item(make(&tally, number)).unwrap();
            assert_eq!((bell.rings(), bell.wakers()), (1, 1));
            if number % 3 == 0 {
                client = client.item(make(&tally, number)).unwrap();
            }
            // The receive may give way once.
            let (again, waker) = Bell::new();
            let mut polled = poll_future(&mut receiving, &waker);
            if polled.is_pending() && again.rings() == 1 {
                polled = poll_future(&mut receiving, &waker);
            }
            let Poll::Ready(Ok(feed::More::Item(payload, mut next))) = polled else { panic!("it was sent") };
            if number % 3 == 0 {
                let feed::More::Item(_, behind) = next.try_recv().unwrap();
                next = behind;
            }
            assert_eq!(payload.number(), number);
            server = next;
        }
        let mut receiving = server.recv_async();
        let (bell, waker) = Bell::new();
        assert!(poll_future(&mut receiving, &waker).is_pending());
        client = client.item(make(&tally, 1)).unwrap();
        drop(receiving);
        assert!(client.is_closed() && bell.wakers() == 1);
        tally.assert_all_gone();
    }
    arrives::<Counted>();
    arrives::<Aligned>();
    arrives::<Big>();
}

static EMPTY: AtomicUsize = AtomicUsize::new(0);

/// A payload without size, whose destructor counts.
#[derive(Debug)]
struct Empty;

impl Drop for Empty {
    fn drop(&mut self) {
        EMPTY.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn payloads_without_size() {
    let (mut client, mut server) = feed::pipe::<Empty>();
    for _ in 0..500 {
        client = client.item(Empty).unwrap();
    }
    assert_eq!(EMPTY.load(Ordering::SeqCst), 0);
    for received in 1..=250 {
        let feed::More::Item(Empty, next) = server.recv().unwrap();
        assert_eq!(EMPTY.load(Ordering::SeqCst), received);
        server = next;
    }
    drop(server);
    assert_eq!(EMPTY.load(Ordering::SeqCst), 500);
    drop(client.item(Empty));
    assert_eq!(EMPTY.load(Ordering::SeqCst), 501);

    let (client, server) = turns::pipe();
    let Err(TryRecvError::Empty(server)) = server.try_recv() else { panic!("nothing was sent") };
    let client = client.go().unwrap();
    let turns::Go::Go(server) = server.recv().unwrap();
    server.come().unwrap().end().unwrap();
    let turns::Come::Come(client) = client.recv().unwrap();
    assert!(matches!(client.recv(), Ok(turns::End::End)));
}

/// Both sides in threads, and one of them in a task; one of them leaves somewhere.
#[test]
fn threads_and_tasks_that_leave() {
    fn session<P: Shape>(tally: &Tally, steps: u64, is_task: bool) {
        let (mut client, mut server) = fork::pipe::<P>();
        let made = tally.clone();
        let other = thread::spawn(move || {
            for _ in 0..steps {
                let received = if is_task { block_on(server.recv_async()) } else { server.recv() };
                let Ok(fork::Several::Left(payload, next)) = received else { return };
                let number = payload.number();
                let Ok(next) = next.back(make(&made, number + 1)) else { return };
                server = next;
            }
        });
        let talk = move || {
            for number in 0..10 {
                let Ok(next) = client.left(make(tally, number)) else { return };
                let received = if is_task { block_on(next.recv_async()) } else { next.recv() };
                let Ok(fork::Only::Back(payload, next)) = received else { return };
                assert_eq!(payload.number(), number + 1);
                client = next;
            }
        };
        talk();
        other.join().expect("nothing panics");
    }
    watched(|| {
        let tally = Tally::new();
        for round in 0..if cfg!(miri) { 1 } else { 20 } {
            for steps in 0..12 {
                session::<Counted>(&tally, steps, round % 2 == 0);
                session::<Aligned>(&tally, steps, round % 2 == 0);
                session::<Big>(&tally, steps, round % 2 == 1);
            }
        }
        tally.assert_all_gone();
    });
}

/// Endpoints inside endpoints, with messages unread in each of them.
#[test]
fn endpoints_inside_endpoints() {
    let tally = Tally::new();
    let (mut outer, mut outer_end) = feed::pipe();
    let mut senders = Vec::new();
    for number in 0..70 {
        let (middle, middle_end) = feed::pipe();
        let (mut inner, inner_end) = feed::pipe::<Counted>();
        for _ in 0..number {
            inner = inner.item(tally.make(number)).unwrap();
        }
        senders.push((inner, middle.item(inner_end).unwrap()));
        outer = outer.item(middle_end).unwrap();
    }
    for number in 0..40 {
        let feed::More::Item(middle, next) = outer_end.recv().unwrap();
        let feed::More::Item(inner, _) = middle.recv().unwrap();
        assert!(inner.is_ready() == (number > 0));
        outer_end = next;
    }
    assert!(senders[40..].iter().all(|(inner, middle)| !inner.is_closed() && !middle.is_closed()));
    drop(outer_end);
    assert!(senders.iter().all(|(inner, middle)| inner.is_closed() && middle.is_closed()));
    tally.assert_all_gone();
}

/// Payloads that are borrowed.
#[test]
fn borrowed_payloads() {
    let (text, tally) = (String::from("text"), Tally::new());
    let counted = tally.make(1);
    let (client, server) = three::pipe::<(&str, &Counted)>();
    let client = client.one((&text, &counted)).unwrap();
    let three::One::One((read, number), server) = server.recv().unwrap();
    drop((client, server));
    assert_eq!((read, number.number), ("text", 1));
}
