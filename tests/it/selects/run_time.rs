//! Selections that are built at run time, of receivers and of requests for room.

use super::fairness::{assert_even, patterns, ports};
use crate::acceptance::Sleeper;
use crate::permits::assert_free;
use futures::executor::block_on;
use pipes::{
    Port, PortSet, Readiness, Select, SendRequest, broadcast, oneshot, shared_stream, shared_sync_stream,
    stream, sync_stream,
};
use pipes_tests::bank::{self, Account};
use pipes_tests::{WakeCounter, begun, caught, poll_future, test_in, watched};
use std::task::Poll;
use std::thread;
use std::time::Duration;

/// Two streams are sent to and three received from, in the order in which they are ready. Every value comes,
/// in its order.
#[test_in(watched)]
fn five_streams() {
    fn all_come(biased: bool, asynchronous: bool) {
        const EACH: u64 = if cfg!(miri) { 10 } else { 300 };
        let ((mut to_one, mut one), (to_many, mut many)) = (sync_stream(1), shared_sync_stream(2));
        let ((mut three, mut from_three), (mut four, mut from_four)) = (stream(), sync_stream(1));
        let (five, mut from_five) = shared_sync_stream(1);
        let peer = thread::spawn(move || {
            for number in 0..EACH {
                assert_eq!(one.recv(), Ok(number));
                three.send(number).expect("the port is here");
                assert_eq!(many.recv(), Ok(number.to_string()));
                four.send(number.to_string()).expect("the port is here");
                five.send([number]).expect("the port is here");
            }
        });
        let mut counts = [0; 5];
        loop {
            let (mut room_for_one, mut room_for_many) = (to_one.request_room(), to_many.request_room());
            let arms: [&mut (dyn Readiness + Send); 5] =
                [&mut room_for_one, &mut from_three, &mut room_for_many, &mut from_four, &mut from_five];
            let mut select = if biased { Select::biased() } else { Select::new() };
            let mut added = Vec::new();
            for (arm, end) in arms.into_iter().enumerate().filter(|(arm, _)| counts[*arm] < EACH) {
                assert_eq!(select.add(end), added.len());
                added.push(arm);
            }
            let chosen = if asynchronous { block_on(select.wait_async()) } else { select.wait() };
            let Some(chosen) = chosen else { break };
            let count = &mut counts[added[chosen]];
            match added[chosen] {
                0 => room_for_one.send(*count).expect("the port is here"),
                1 => assert_eq!(from_three.try_recv(), Ok(*count)),
                2 => room_for_many.send(count.to_string()).expect("the port is here"),
                3 => assert_eq!(from_four.try_recv(), Ok(count.to_string())),
                _ => assert_eq!(from_five.try_recv(), Ok([*count])),
            }
            *count += 1;
        }
        assert_eq!(counts, [EACH; 5]);
        peer.join().expect("it does not panic");
    }
    for biased in [false, true] {
        all_come(biased, false);
        all_come(biased, true);
    }
}

/// Of those that are ready each is chosen equally often, and with a bias always the first.
#[test_in(watched)]
fn even_or_biased() {
    const SELECTS: usize = if cfg!(miri) { 100 } else { 2_000 };
    for pattern in patterns() {
        let (_chans, mut ends) = ports(pattern);
        let (mut select, mut chosen) = (Select::new(), [0; 5]);
        for end in &mut ends {
            select.add(end);
        }
        for number in 0..SELECTS {
            let index = match number % 3 {
                0 => select.wait(),
                1 => select.try_wait(),
                _ => block_on(select.wait_async()),
            };
            chosen[index.expect("some are ready")] += 1;
        }
        assert_even(&chosen, &pattern);

        let (mut select, first) = (Select::biased(), pattern.iter().position(|is_ready| *is_ready));
        for end in &mut ends {
            select.add(end);
        }
        let chosen = [
            select.wait(),
            select.try_wait(),
            select.wait_timeout(Duration::ZERO),
            block_on(select.wait_async()),
        ];
        assert_eq!(chosen, [first; 4]);
    }
}

/// Without anything to wait for, no wait begins. What is not ready is not chosen.
#[test_in(watched)]
fn nothing_is_ready() {
    let long = Duration::from_secs(1_000);
    let mut empty = Select::new();
    assert_eq!([empty.wait(), empty.try_wait(), empty.wait_timeout(long)], [None; 3]);
    assert_eq!(block_on(empty.wait_async()), None);

    let ((chan, _port), (_silent, mut port)) = (shared_sync_stream(1), stream::<()>());
    chan.send(1).expect("the port is here");
    let mut request = chan.request_room();
    let mut select = Select::new();
    select.add(&mut request);
    select.add(&mut port);
    assert_eq!([select.try_wait(), select.wait_timeout(Duration::from_millis(1))], [None; 2]);
}

/// A thread and a task wait, for room and for a message.
#[test_in(watched)]
fn woken() {
    for asynchronous in [false, true] {
        for room in [false, true] {
            let ((chan, mut full), (mut other, mut port)) = (shared_sync_stream(1), stream());
            chan.send(1).expect("the port is here");
            let waiting = Sleeper::spawn(move || {
                let mut request = chan.request_room();
                let mut select = Select::new();
                let for_room = select.add(&mut request);
                select.add(&mut port);
                let chosen = if asynchronous { block_on(select.wait_async()) } else { select.wait() };
                if chosen == Some(for_room) {
                    request.send(2).expect("the port is here");
                } else {
                    assert_eq!(port.try_recv(), Ok(3));
                }
                chosen == Some(for_room)
            });
            waiting.fall_asleep();
            if room {
                assert_eq!(full.recv(), Ok(1));
            } else {
                other.send(3).expect("the port is here");
            }
            assert_eq!(waiting.join().expect("it does not panic"), room);
            assert!(full.into_iter().eq([if room { 2 } else { 1 }]));
        }
    }
}

/// Room that was found, or that was granted in the queue of senders, goes back when the request is dropped:
/// to the next sender, if one waits.
#[test_in(watched)]
fn dropped_requests() {
    let (chan, mut port) = shared_sync_stream(1);
    let mut request = chan.request_room();
    let mut select = Select::new();
    select.add(&mut request);
    assert_eq!(select.wait(), Some(0));
    assert!(chan.try_send(0).is_err(), "it is reserved");
    drop(request);
    assert_free(&chan, 1);

    for granted in [false, true] {
        chan.send(1).expect("the port is here");
        let ((wakes, waker), (next, next_waker)) = (WakeCounter::new(), WakeCounter::new());
        let mut request = chan.request_room();
        let mut select = Select::new();
        select.add(&mut request);
        assert!(poll_future(&mut Box::pin(select.wait_async()), &waker).is_pending());
        let mut sending = begun(chan.send_async(2), &next_waker);
        if granted {
            assert_eq!(port.recv(), Ok(1));
        }
        assert_eq!((wakes.count(), next.count()), (usize::from(granted), 0));
        drop(request);
        if !granted {
            assert_eq!(port.recv(), Ok(1));
        }
        assert_eq!(next.count(), 1);
        assert_eq!(poll_future(&mut sending, &next_waker), Poll::Ready(Ok(())));
        assert_eq!(port.recv(), Ok(2));
        drop(sending);
        assert_free(&chan, 1);
    }
}

/// A request that was granted room while another arm was chosen keeps it for the next selection. After its
/// send it is a request for the next room.
#[test_in(watched)]
fn kept_requests() {
    let ((chan, mut port), (mut other, mut numbers)) = (shared_sync_stream(1), stream());
    chan.send(0).expect("the port is here");
    let mut request = chan.request_room();
    let mut select = Select::biased();
    select.add(&mut numbers);
    select.add(&mut request);
    let (wakes, waker) = WakeCounter::new();
    assert!(poll_future(&mut Box::pin(select.wait_async()), &waker).is_pending());
    assert_eq!(port.recv(), Ok(0));
    other.send(1).expect("the port is here");
    assert_eq!(wakes.count(), 2);
    assert_eq!(select.wait(), Some(0));
    assert_eq!(numbers.recv(), Ok(1));
    assert!(chan.try_send(0).is_err(), "it is reserved");

    request.send(1).expect("the port is here");
    assert!(!request.is_ready(), "there was room for one");
    assert_eq!(port.recv(), Ok(1));
    assert!(request.is_ready());
    request.send(2).expect("the port is here");
    assert_eq!(port.recv(), Ok(2));
    drop(request);
    assert_free(&chan, 1);
}

/// A request that was not found ready waits when it sends, and never exceeds the limit.
#[test_in(watched)]
fn sends_without_a_selection() {
    let ((mut one, mut first), (many, mut second)) = (sync_stream(1), shared_sync_stream(1));
    one.send(1).expect("the port is here");
    many.send(1).expect("the port is here");
    let waiting = Sleeper::spawn(move || one.request_room().send(2).map(|()| one));
    waiting.fall_asleep();
    assert_eq!(first.recv(), Ok(1));
    assert!(waiting.join().expect("it does not panic").is_ok());
    let waiting = Sleeper::spawn(move || many.request_room().send(2));
    waiting.fall_asleep();
    assert_eq!(second.recv(), Ok(1));
    assert_eq!(waiting.join().expect("it does not panic"), Ok(()));
    assert_eq!((first.recv(), second.recv()), (Ok(2), Ok(2)));

    let (all, mut third) = broadcast(1);
    all.send(1).expect("the port is here");
    let sender = all.clone();
    let waiting = Sleeper::spawn(move || sender.request_room().send(2));
    waiting.fall_asleep();
    assert_eq!(third.recv(), Ok(1));
    assert_eq!(waiting.join().expect("it does not panic"), Ok(()));
    let mut request = all.request_room();
    let mut select = Select::new();
    select.add(&mut request);
    assert_eq!(select.try_wait(), None);
    assert_eq!(third.recv(), Ok(2));
    let mut select = Select::new();
    select.add(&mut request);
    assert_eq!(select.wait(), Some(0));
    request.send(3).expect("the port is here");
    assert_eq!(third.recv(), Ok(3));
}

/// A close is a reason to send, and the value comes back.
#[test_in(watched)]
fn closed_streams() {
    let ((mut one, first), (many, second)) = (sync_stream(1), shared_sync_stream(1));
    let ((mut three, third), (four, fourth)) = (stream(), shared_stream());
    let (all, fifth) = broadcast(1);
    one.send(0).expect("the port is here");
    many.send(0).expect("the port is here");
    all.send(0).expect("the port is here");
    drop((first, second, third, fourth, fifth));
    let requests: [Box<dyn SendRequest<Payload = u64> + Send>; 5] = [
        Box::new(one.request_room()),
        Box::new(many.request_room()),
        Box::new(three.request_room()),
        Box::new(four.request_room()),
        Box::new(all.request_room()),
    ];
    for mut request in requests {
        let mut select = Select::new();
        select.add(&mut *request);
        assert_eq!(select.wait(), Some(0));
        let error = request.send(1).expect_err("the port has left");
        assert_eq!(error.into_payload(), 1);
    }
}

/// At capacity 0 there is nothing that a sender could wait for, but a receiver waits as elsewhere.
#[test_in(watched)]
fn capacity_0() {
    let ((mut one, first), (many, mut port)) = (sync_stream::<u64>(0), shared_sync_stream(0));
    drop(first);
    assert!(caught(|| drop(one.request_room())).is_some());
    assert!(caught(|| drop(many.request_room())).is_some());
    let sending = thread::spawn(move || many.send(1));
    let mut select = Select::new();
    select.add(&mut port);
    assert_eq!(select.wait(), Some(0));
    assert_eq!(port.recv(), Ok(1));
    assert_eq!(sending.join().expect("it does not panic"), Ok(()));
}

/// An endpoint, a set and an end in a box: each is chosen when it is ready, and then used as always.
#[test_in(watched)]
fn other_ends() {
    let ((client, mut server), (once, port)) = (bank::pipe(), oneshot());
    let mut set = PortSet::new();
    let mut chan = set.chan();
    let mut boxed: Box<dyn Readiness + Send> = Box::new(port);
    let mut ready = |server: &mut bank::Server<Account<u64>>, set: &mut PortSet<Port<u64>>| {
        let mut select = Select::new();
        select.add(server);
        select.add(set);
        select.add(&mut *boxed);
        select.try_wait()
    };
    assert_eq!(ready(&mut server, &mut set), None);
    let _client = client.deposit(1).expect("the server is here");
    assert_eq!(ready(&mut server, &mut set), Some(0));
    let Ok(Account::Deposit(1, mut server)) = server.recv() else { panic!("it was sent") };
    chan.send(2).expect("the set is here");
    assert_eq!(ready(&mut server, &mut set), Some(1));
    assert_eq!(set.recv().map(|(_, number)| number), Ok(Ok(2)));
    once.send("three").expect("the port is here");
    assert_eq!(ready(&mut server, &mut set), Some(2));
}
