//! Sets that tasks wait for.

use futures::Sink;
use pipes::{Chan, DuplexStream, Member, Port, PortSet, TryRecvError, duplex_stream, stream, sync_stream};
use pipes_tests::{Rng, WakeCounter, effort, poll_future, spawn, spin_while, test_in, watched};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Waker};

/// One task waits for a set. Others insert, replace and remove members, send to them and receive from them,
/// without waiting. Whenever a receive would not block, the task was woken since its last poll.
#[test]
fn woken_whatever_happens_to_the_set() {
    watched(|| (0..effort(5_000) as u64).for_each(changed_while_a_task_waits));
}

fn changed_while_a_task_waits(seed: u64) {
    let random = &mut Rng::with_seed(seed);
    let (wakes, waker) = WakeCounter::new();
    let mut set = PortSet::<Port<u32>, u32>::new();
    let (mut chans, mut apart) = (Vec::new(), Vec::new());
    // The number of wakes at the last poll, if that was pending.
    let mut since = None;
    let mut steps = Vec::new();
    for _ in 0..60 {
        let slept = since == Some(wakes.count());
        let step = random.u64(..12);
        steps.push(step);
        match step {
            0 | 1 => {
                let (chan, port) =
                    if random.u64(..4) == 0 { stream() } else { sync_stream(random.usize(..3)) };
                chans.push(chan);
                apart.push(port);
            }
            2 | 3 if !apart.is_empty() => {
                let port = apart.swap_remove(random.usize(..apart.len()));
                apart.extend(set.insert_at(random.u32(..5), port));
            }
            4 => apart.extend(set.remove(&(random.u32(..5)))),
            5 | 6 if !chans.is_empty() => {
                let index = random.usize(..chans.len());
                send(&mut chans[index], random);
            }
            7 if !chans.is_empty() => drop(chans.swap_remove(random.usize(..chans.len()))),
            8 => {
                let received = set.try_recv();
                assert!(
                    !slept || received == Err(TryRecvError::Empty(())),
                    "{seed}: {steps:?}: {received:?}"
                );
            }
            9 if !apart.is_empty() => {
                let index = random.usize(..apart.len());
                let _ = apart[index].poll_ready(&mut Context::from_waker(Waker::noop()));
            }
            10 | 11 => {
                let polled = set.poll_ready(&mut Context::from_waker(&waker));
                since = polled.is_pending().then(|| wakes.count());
            }
            _ => {}
        }
        let sleeps = since == Some(wakes.count());
        assert!(!(sleeps && (set.is_ready() || set.is_empty())), "{seed}: {steps:?}: it sleeps");
    }
}

/// Sends without waiting, or offers through the sink.
fn send(chan: &mut Chan<u32>, random: &mut Rng) {
    let mut cx = Context::from_waker(Waker::noop());
    if random.bool() {
        let _ = chan.try_send(7);
    } else if Pin::new(&mut *chan).poll_ready(&mut cx).is_ready() {
        let _ = Pin::new(chan).start_send(7);
    }
}

/// A set said that it is ready when its list held the token of a removed member, and that of the ready member
/// was still on its way to the list. A receive found nothing then.
#[test_in(watched)]
fn a_set_that_is_ready_stays_ready() {
    const ROUNDS: usize = effort(1_500);
    let (mut chans, mut given) = stream::<Chan<usize>>();
    let round = Arc::new(AtomicUsize::new(0));
    let begun = round.clone();
    let sending = spawn(move || {
        for (number, mut chan) in (1..).zip(given.iter()) {
            spin_while(|| begun.load(Ordering::Acquire) < number);
            chan.send(number).expect("its port is in the set, or was received from");
        }
    });
    for number in 1..=ROUNDS {
        let mut set = PortSet::new();
        let (mut stale, port) = stream();
        let key = set.insert(port);
        chans.send(set.chan()).expect("the thread is there");
        // The token is in the list when the member is removed.
        stale.send(0).expect("it is in the set");
        let _removed = set.remove(&key).expect("it is in the set");
        round.store(number, Ordering::Release);
        spin_while(|| !set.is_ready());
        if number % 2 == 0 {
            // A member that is not ready changes nothing.
            let (_silent, port) = stream();
            let key = set.insert(port);
            assert!(set.is_ready());
            set.remove(&key);
        }
        assert!(matches!(set.try_recv(), Ok((_, Ok(_)))), "it was ready");
    }
    drop(chans);
    sending.join().expect("all could be sent");
}

/// A set reports that a member is ready, which has an offer. It takes the offer, although the sender gives
/// up. The member is a port, or a duplex stream whose port was exchanged for that port.
#[test]
fn an_offer_that_a_set_has_seen() {
    fn check<E: Member<Message = u32>>(member: impl FnOnce(Port<u32>) -> E) {
        let (mut chan, port) = sync_stream(0);
        let mut set = PortSet::new();
        let key = set.insert(member(port));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(set.poll_ready(&mut cx).is_pending());
        let mut sending = chan.send_async(7);
        assert!(poll_future(&mut sending, Waker::noop()).is_pending(), "it is offered");
        assert!(set.poll_ready(&mut cx).is_ready());
        drop(sending);
        assert_eq!(set.try_recv(), Ok((key, Ok(7))));
    }
    check(|port| port);
    check(|port| {
        let (_, mut duplex): (DuplexStream<u32, ()>, _) = duplex_stream();
        *duplex.parts_mut().1 = port;
        duplex
    });
}
