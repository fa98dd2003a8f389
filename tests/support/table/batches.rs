//! Messages that are sent and received in batches, and receivers that are closed with what is unread.

use super::flavor::{Flavor, Sender};
use crate::{Counted, DropCounter, JoinHandle, Rng, WakeCounter, effort, poll_future, spawn, spin};
use futures::StreamExt;
use futures::executor::block_on;
use pipes::{Chan, DuplexStream, Port, SharedChan, SharedPort};
use std::task::{Context, Poll, Waker};

/// A sender that sends batches.
pub trait BatchSender: Sender + Sized {
    /// The senders of the channel: this one, and others if it can be cloned.
    fn and_others(self) -> Vec<Self>;

    /// Sends a batch, or the beginning of it, in one of several ways. The rest is left.
    fn send_somehow(&mut self, batch: &mut Vec<Counted>, random: &mut Rng);
}

macro_rules! batch_senders {
    ($($sender:ty, |$one:ident| $all:expr;)*) => {
        $(impl BatchSender for $sender {
            fn and_others(self) -> Vec<Self> {
                let $one = self;
                $all
            }

            fn send_somehow(&mut self, batch: &mut Vec<Counted>, random: &mut Rng) {
                let _is_sent = match random.u64(..4) {
                    0 => self.send_all(batch).is_ok(),
                    1 => self.try_send_all(batch).is_ok(),
                    2 => block_on(self.send_all_async(batch)).is_ok(),
                    _ => {
                        let mut sending = self.send_all_async(batch);
                        let is_sent = poll_future(&mut sending, Waker::noop()).is_ready();
                        spin(random.u64(..50));
                        is_sent
                    }
                };
            }
        })*
    };
}

batch_senders! {
    Chan<Counted>, |chan| vec![chan];
    SharedChan<Counted>, |chan| vec![chan.clone(), chan.clone(), chan];
    DuplexStream<Counted, Counted>, |end| vec![end];
}

/// The numbers of a sender's messages begin with its own number times this.
const EACH: u64 = 1_000_000;

/// Starts the senders, which send batches of all sizes until they have sent this many messages or the
/// receiver has left. Each returns the number after the last one that it sent.
fn senders<S: BatchSender>(sender: S, drops: &DropCounter, count: u64, seed: u64) -> Vec<JoinHandle<u64>> {
    let start = |(own, mut sender): (u64, S)| {
        let (source, mut random) = (drops.clone(), Rng::with_seed(seed * 3 + own));
        spawn(move || {
            let (mut next, end) = (own * EACH, own * EACH + count);
            let mut batch = Vec::new();
            while (next < end || !batch.is_empty()) && !sender.is_closed() {
                let limit = if random.u64(..8) == 0 { 200 } else { 5 };
                let more = random.u64(..limit).min(end - next);
                batch.extend((next..next + more).map(|number| source.make(number)));
                next += more;
                sender.send_somehow(&mut batch, &mut random);
            }
            let sent = next - batch.len() as u64;
            assert!(batch.iter().map(|message| message.number).eq(sent..next), "the rest is left");
            sent
        })
    };
    (0..).zip(sender.and_others()).map(start).collect()
}

/// A receiver that receives batches.
pub trait BatchReceiver: Sized {
    /// Whether others may receive as well, so that a close wakes this one.
    const IS_SHARED: bool;

    /// Receives a batch in one of several ways. Returns whether there may be more.
    fn receive_somehow(&mut self, received: &mut Vec<Counted>, random: &mut Rng) -> bool;

    /// Waits for a batch in a task.
    fn poll(&mut self, waker: &Waker) -> Poll<usize>;

    /// Closes the channel, and returns what is unread.
    fn close(self) -> Vec<Counted>;
}

macro_rules! batch_receivers {
    ($($receiver:ty, $is_shared:literal, |$port:ident| $close:expr;)*) => {
        $(impl BatchReceiver for $receiver {
            const IS_SHARED: bool = $is_shared;

            fn receive_somehow(&mut self, received: &mut Vec<Counted>, random: &mut Rng) -> bool {
                let most = if random.u64(..8) == 0 { 200 } else { 5 };
                let limit = 1 + random.usize(..most);
                match random.u64(..6) {
                    0 | 1 => self.recv_many(received, limit).is_ok(),
                    2 => !self.try_recv_many(received, limit).is_err_and(|error| error.is_closed()),
                    3 => {
                        let mut receiving = self.recv_many_async(received, limit);
                        let _received = poll_future(&mut receiving, Waker::noop());
                        drop(receiving);
                        spin(random.u64(..50));
                        block_on(self.recv_many_async(received, limit)).is_ok()
                    }
                    4 => {
                        received.extend(self.try_iter().take(limit));
                        true
                    }
                    _ => self.recv().map(|message| received.push(message)).is_ok(),
                }
            }

            fn poll(&mut self, waker: &Waker) -> Poll<usize> {
                self.poll_next_unpin(&mut Context::from_waker(waker)).map(|it| it.into_iter().count())
            }

            fn close(self) -> Vec<Counted> {
                let $port = self;
                $close
            }
        })*
    };
}

batch_receivers! {
    Port<Counted>, false, |port| port.close();
    DuplexStream<Counted, Counted>, false, |end| end.close();
    SharedPort<Counted>, true, |port| {
        assert!(SharedPort::close(&port));
        port.drain()
    };
}

/// Asserts that all messages that were sent have been received, in the order of their sender.
fn assert_received(received: &[Counted], sending: Vec<JoinHandle<u64>>) {
    for (own, sending) in (0..).zip(sending) {
        let end = sending.join().expect("a sender ends");
        let mine = received.iter().map(|message| message.number).filter(|number| number / EACH == own);
        assert!(mine.eq(own * EACH..end), "all that was sent, in order");
    }
}

/// Batches of all sizes, sent and received in every way: nothing is lost, and the order is kept.
pub fn every_kind_of_batch<F: Flavor<Sender: BatchSender, Receiver: BatchReceiver>>() {
    const COUNT: u64 = if cfg!(miri) { 12 } else { 300 };
    for seed in 0..effort(10) as u64 {
        let drops = DropCounter::new();
        let (sender, mut port) = F::channel();
        let sending = senders(sender, &drops, COUNT, seed);
        let (mut received, mut random) = (Vec::new(), Rng::with_seed(!seed));
        while port.receive_somehow(&mut received, &mut random) {}
        assert_eq!(received.len(), COUNT as usize * sending.len());
        assert_received(&received, sending);
        drop(received);
        drops.assert_all_dropped();
    }
}

/// The receiver leaves while batches are sent. If it is closed, what it has received and what the close
/// returns is all that was sent. If it is dropped, what is unread is lost.
pub fn receiver_leaves_during_sends<F: Flavor<Sender: BatchSender, Receiver: BatchReceiver>>() {
    for seed in 0..effort(50) as u64 {
        let drops = DropCounter::new();
        let (sender, mut port) = F::channel();
        let sending = senders(sender, &drops, EACH, seed);
        let (mut received, mut random) = (Vec::new(), Rng::with_seed(!seed));
        for _ in 0..random.u64(..10) {
            port.receive_somehow(&mut received, &mut random);
        }
        if seed % 2 == 0 {
            received.extend(port.close());
            assert_received(&received, sending);
        } else {
            drop(port);
            let sent = (0..).zip(sending).map(|(own, it)| it.join().expect("a sender ends") - own * EACH);
            assert!(sent.sum::<u64>() >= received.len() as u64);
        }
        drop(received);
        drops.assert_all_dropped();
    }
}

/// A receiver that is closed drops the waker of a task that waited. If there are others, it is woken.
pub fn close_drops_a_waker<F: Flavor<Sender: BatchSender, Receiver: BatchReceiver>>() {
    let (wakes, waker) = WakeCounter::new();
    let (mut sender, mut port) = F::channel();
    assert!(port.poll(&waker).is_pending());
    drop(waker);
    assert_eq!(wakes.wakers(), 1);
    assert!(port.close().is_empty());
    assert_eq!((wakes.count(), wakes.wakers()), (usize::from(F::Receiver::IS_SHARED), 0));
    assert!(sender.is_closed() && sender.send(DropCounter::new().make(1)).is_err());
}
