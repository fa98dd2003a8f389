//! Streams of capacity 0 with many senders: each send waits for its receive.

use futures::executor::block_on;
use futures::{Sink, SinkExt};
use pipes::{PortSet, SendTimeoutError, TryRecvError, TrySendError, select, shared_sync_stream, stream};
use pipes_tests::{Bell, Tally, poll_future, spin_while, watched};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

const SENDERS: u64 = 8;
const EACH: u64 = if cfg!(miri) { 4 } else { 200 };

#[test]
fn each_value_of_many_threads_comes_once_and_in_order() {
    watched(|| {
        let (chan, port) = shared_sync_stream(0);
        let senders: Vec<_> = (0..SENDERS)
            .map(|sender| {
                let chan = chan.clone();
                thread::spawn(move || {
                    (0..EACH).for_each(|number| chan.send((sender, number)).expect("it receives"))
                })
            })
            .collect();
        drop(chan);
        let mut next = [0; SENDERS as usize];
        for (sender, number) in port {
            assert_eq!(number, next[sender as usize]);
            next[sender as usize] += 1;
        }
        assert_eq!(next, [EACH; SENDERS as usize]);
        senders.into_iter().for_each(|sender| sender.join().expect("it does not panic"));
    });
}

#[test]
fn each_value_of_many_tasks_comes_once() {
    let (chan, mut port) = shared_sync_stream(0);
    let send = |sender| {
        let chan = chan.clone();
        async move {
            for number in 0..EACH {
                chan.send_async((sender, number)).await.expect("it receives");
            }
        }
    };
    let sending = futures::future::join_all((0..SENDERS).map(send));
    let receiving = async {
        let mut sum = 0;
        for _ in 0..SENDERS * EACH {
            sum += port.recv_async().await.expect("they send").1;
        }
        sum
    };
    let (_, sum) = block_on(futures::future::join(sending, receiving));
    assert_eq!(sum, SENDERS * (0..EACH).sum::<u64>());
}

#[test]
fn a_send_that_does_not_wait_needs_a_receiver_that_does() {
    let (chan, mut port) = shared_sync_stream(0);
    assert_eq!(chan.try_send(1), Err(TrySendError::Full(1)));
    let late = chan.send_timeout(2, Duration::from_millis(1));
    assert_eq!(late, Err(SendTimeoutError::Timeout(2)));
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())), "it was taken back");
    let (bell, waker) = Bell::new();
    assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
    assert_eq!(chan.clone().try_send(3), Ok(()));
    assert_eq!((bell.rings(), port.recv()), (1, Ok(3)));
}

#[test]
fn a_value_on_offer_comes_back_when_the_port_leaves() {
    let tally = Tally::new();
    let (chan, port) = shared_sync_stream(0);
    let mut offers: Vec<_> = (0..3).map(|number| chan.send_async(tally.make(number))).collect();
    assert!(offers.iter_mut().all(|offer| poll_future(offer, Waker::noop()).is_pending()));
    assert!(port.is_ready(), "which promises to receive the first one");
    drop(port);
    for (number, mut offer) in offers.into_iter().enumerate() {
        let Poll::Ready(Err(error)) = poll_future(&mut offer, Waker::noop()) else { panic!("it is closed") };
        assert_eq!(error.into_payload().number, number as u64);
    }
    tally.assert_all_gone();
}

#[test]
fn a_future_that_is_dropped_takes_its_value_back() {
    let (chan, mut port) = shared_sync_stream(0);
    let (mut first, mut second) = (chan.send_async(1), chan.send_async(2));
    assert!(poll_future(&mut first, Waker::noop()).is_pending());
    assert!(poll_future(&mut second, Waker::noop()).is_pending());
    assert_eq!(first.into_inner(), Some(1));
    assert_eq!(port.try_recv(), Ok(2));
    assert_eq!(second.into_inner(), None, "it was received");
    assert!(port.try_recv().is_err());
}

#[test]
fn receivers_of_any_shape() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream(0);
        let (_silent, mut other) = stream::<u64>();
        let other_chan = chan.clone();
        let sender = thread::spawn(move || (0..4).try_for_each(|number| other_chan.send(number)));
        let selected = select! { received = port => received, received = other => received };
        assert_eq!(selected, Ok(0));
        let mut set = PortSet::new();
        let key = set.insert(port);
        assert_eq!(set.recv().expect("a member is there"), (key, Ok(1)));
        let port = set.remove(&key).expect("it is a member");
        let mut shared = port.into_shared();
        assert_eq!((shared.recv(), shared.clone().recv()), (Ok(2), Ok(3)));
        assert!(sender.join().expect("it does not panic").is_ok());
        drop(chan);
        assert!(shared.recv().is_err());
    });
}

#[test]
fn a_weak_sender_keeps_nothing_open() {
    let (chan, mut port) = shared_sync_stream::<u64>(0);
    let weak = chan.downgrade();
    drop(weak.upgrade().expect("a sender is there"));
    drop(chan);
    assert!(port.recv().is_err());
    assert!(weak.upgrade().is_none());
}

#[test]
fn a_sink_waits_until_its_value_is_taken() {
    watched(|| {
        let (mut chan, mut port) = shared_sync_stream(0);
        let mut cx = Context::from_waker(Waker::noop());
        assert!(chan.poll_ready_unpin(&mut cx).is_ready());
        chan.start_send_unpin(1).expect("the port is here");
        assert!(chan.poll_ready_unpin(&mut cx).is_pending(), "the first value is on offer");
        assert!(chan.poll_flush_unpin(&mut cx).is_pending());
        assert_eq!(port.recv(), Ok(1));
        assert!(matches!(Pin::new(&mut chan).poll_flush(&mut cx), Poll::Ready(Ok(()))));
        let receiver = thread::spawn(move || port.iter().count());
        block_on(async {
            for number in 0..3 {
                SinkExt::send(&mut chan, number).await.expect("the port is here");
            }
            chan.close().await.expect("all were taken");
        });
        drop(chan);
        assert_eq!(receiver.join().expect("it does not panic"), 3);
    });
}

/// The close is seen by a sender that waits, and by one that waits only for the close.
#[test]
fn the_port_leaves_senders_that_wait() {
    watched(|| {
        let (chan, port) = shared_sync_stream(0);
        let mut watching = chan.clone();
        let watcher = thread::spawn(move || watching.wait_closed());
        let sender = thread::spawn(move || chan.send(1).map_err(|error| error.into_payload()));
        spin_while(|| !port.is_ready());
        assert_eq!(port.close(), []);
        assert_eq!(sender.join().expect("it does not panic"), Err(1));
        watcher.join().expect("it does not panic");
    });
}

/// A receiver that waits is there all the time, also while its waker is replaced.
#[test]
fn a_send_while_the_waker_is_replaced_finds_the_receiver() {
    let (chan, mut port) = shared_sync_stream(0);
    let waker = Bell::at_last(move || chan.try_send(7).expect("the receiver waits"));
    assert!(poll_ready(&mut port, &waker).is_pending());
    drop(waker);
    assert!(poll_ready(&mut port, Waker::noop()).is_pending(), "its own look was before the send");
    assert_eq!(port.try_recv(), Ok(7));
}

fn poll_ready(port: &mut pipes::Port<u32>, waker: &Waker) -> Poll<()> {
    pipes::Readiness::poll_ready(port, &mut Context::from_waker(waker))
}
