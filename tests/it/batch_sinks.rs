//! A sink that collects values and sends them in batches.

use futures::executor::block_on;
use futures::{Sink, SinkExt, StreamExt, stream};
use pipes::{BatchSink, Chan, Port, SendError};
use pipes_tests::{Counted, DropCounter, Rng, WakeCounter, caught, panics, test_in, watched};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

type Outcome<T> = Result<(), SendError<Vec<T>>>;

const CAPACITIES: [Option<usize>; 6] = [None, Some(1), Some(2), Some(3), Some(7), Some(100)];
const BATCHES: [usize; 6] = [1, 2, 3, 8, 65, usize::MAX];

/// Each capacity with each size of a batch.
fn shapes() -> impl Iterator<Item = (Option<usize>, usize)> {
    CAPACITIES.into_iter().flat_map(|capacity| BATCHES.map(|batch| (capacity, batch)))
}

fn pair<T>(capacity: Option<usize>) -> (Chan<T>, Port<T>) {
    capacity.map_or_else(pipes::stream, pipes::sync_stream)
}

fn poll_ready<T>(sink: &mut BatchSink<T>, waker: &Waker) -> Poll<Outcome<T>> {
    Pin::new(sink).poll_ready(&mut Context::from_waker(waker))
}

fn poll_flush<T>(sink: &mut BatchSink<T>, waker: &Waker) -> Poll<Outcome<T>> {
    Pin::new(sink).poll_flush(&mut Context::from_waker(waker))
}

fn poll_close<T>(sink: &mut BatchSink<T>, waker: &Waker) -> Poll<Outcome<T>> {
    Pin::new(sink).poll_close(&mut Context::from_waker(waker))
}

fn start_send<T>(sink: &mut BatchSink<T>, value: T) -> Outcome<T> {
    Pin::new(sink).start_send(value)
}

fn numbers(values: &[Counted]) -> Vec<u64> {
    values.iter().map(|value| value.number).collect()
}

/// A full batch is sent at once and wakes the receiver once. A flush sends the rest.
#[test]
fn a_batch_is_sent_when_it_is_full() {
    let (chan, mut port) = pipes::stream();
    let mut sink = chan.into_batch_sink(3);
    let (wakes, waker) = WakeCounter::new();
    assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
    for number in 0..8 {
        assert_eq!(wakes.count(), usize::from(number > 2));
        assert!(poll_ready(&mut sink, Waker::noop()).is_ready());
        start_send(&mut sink, number).expect("the port is here");
    }
    assert_eq!(port.drain(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(sink.collected(), [6, 7]);
    assert!(poll_flush(&mut sink, Waker::noop()).is_ready());
    assert_eq!(port.drain(), [6, 7]);
}

/// In a bounded stream, what has no room stays collected, and the sink waits.
#[test]
fn a_sink_waits_for_room() {
    let (chan, mut port) = pipes::sync_stream(2);
    let mut sink = chan.into_batch_sink(3);
    (0..3).for_each(|number| start_send(&mut sink, number).expect("the port is here"));
    assert_eq!(sink.collected(), [2], "there was room for two");
    let (wakes, waker) = WakeCounter::new();
    assert!(poll_ready(&mut sink, &waker).is_ready(), "it can collect two more");
    (3..5).for_each(|number| start_send(&mut sink, number).expect("the port is here"));
    assert!(poll_ready(&mut sink, &waker).is_pending());
    assert_eq!(port.recv(), Ok(0));
    assert_eq!(wakes.count(), 1);
    assert!(poll_ready(&mut sink, &waker).is_ready());
    assert_eq!(sink.collected(), [3, 4]);
    assert!(poll_flush(&mut sink, &waker).is_pending());
    assert_eq!(port.drain(), [1, 2]);
    assert_eq!(wakes.count(), 2);
    assert!(poll_flush(&mut sink, &waker).is_ready());
    assert_eq!(port.drain(), [3, 4]);
}

/// `feed` collects, `send` flushes, `close` flushes and closes. A closed sink may be flushed and closed
/// again, and gives back what is sent.
#[test]
fn the_verbs_of_sinks() {
    for (capacity, batch) in shapes() {
        let (chan, mut port) = pair(capacity);
        let mut sink = chan.into_batch_sink(batch);
        block_on(async {
            sink.feed(0).await.expect("the port is here");
            assert_eq!(port.is_empty(), batch > 1);
            sink.flush().await.expect("there is room for one");
            assert_eq!(port.recv(), Ok(0));
            sink.feed(1).await.expect("the port is here");
            sink.close().await.expect("there is room for one");
            sink.close().await.expect("nothing is left");
            sink.flush().await.expect("nothing is left");
            let error = sink.send(2).await.expect_err("it is closed");
            assert_eq!(error.into_payload(), [], "it was not collected");
            let error = start_send(&mut sink, 3).err().or(sink.flush().await.err());
            assert_eq!(error.expect("it is closed").into_payload(), [3]);
            assert!(sink.close().await.is_ok());
        });
        let (mut chan, values) = sink.into_parts();
        assert!(values.is_empty() && chan.is_closed() && chan.send(4).is_err());
        assert!(port.into_iter().eq([1]));
    }
}

/// Two threads: `forward` sends everything, flushes and closes. The port leaves after some values. What it
/// received, what it had, and what the error contains are all values, in order, from the first on.
#[test_in(watched)]
fn a_stream_is_forwarded() {
    let drops = DropCounter::new();
    for (capacity, batch) in shapes() {
        for takes in [0, 1, 5, 40, 200] {
            let (chan, mut port) = pair(capacity);
            let made = drops.clone();
            let sending = thread::spawn(move || {
                let values = stream::iter(0..200).map(|number| Ok(made.make(number)));
                let outcome = block_on(values.forward(chan.into_batch_sink(batch)));
                outcome.map_err(|error| numbers(&error.into_payload()))
            });
            let received = port.iter().take(takes).map(|value| value.number);
            assert!(received.eq(0..takes as u64));
            let kept = numbers(&port.close());
            let sent = takes as u64 + kept.len() as u64;
            assert!(kept.into_iter().eq(takes as u64..sent));
            match sending.join().expect("nothing panics") {
                Ok(()) => assert_eq!(sent, 200),
                Err(back) => assert!(back.iter().copied().eq(sent..sent + back.len() as u64)),
            }
        }
    }
    drops.assert_all_dropped();
}

/// Random steps; the port leaves at some of them. All values are received, closed with the port, in errors,
/// or left in the sink; each once, and in order. No waker is left.
#[test]
fn steps_in_any_order() {
    for seed in 0..pipes_tests::effort(3000) as u64 {
        let mut random = Rng::with_seed(seed);
        let capacity = CAPACITIES[random.usize(..6)];
        let batch = BATCHES[random.usize(..6)];
        let drops = DropCounter::new();
        let (chan, port) = pair(capacity);
        let (mut sink, mut port) = (chan.into_batch_sink(batch), Some(port));
        let (wakes, waker) = WakeCounter::new();
        let (mut seen, mut next) = (Vec::new(), 0);
        for _ in 0..60 {
            let step = random.u64(..20);
            let polled = match step {
                0..=5 => {
                    next += 1;
                    Poll::Ready(start_send(&mut sink, drops.make(next - 1)))
                }
                6..=9 => poll_ready(&mut sink, &waker),
                10..=13 => poll_flush(&mut sink, &waker),
                14 if random.u64(..8) == 0 => poll_close(&mut sink, &waker),
                _ => Poll::Pending,
            };
            assert!(!matches!(step, 10..=13) || polled.is_pending() || sink.collected().is_empty());
            if let Poll::Ready(Err(error)) = polled {
                seen.extend(port.take().iter_mut().flat_map(|port| numbers(&port.drain())));
                seen.extend(numbers(&error.into_payload()));
                assert!(sink.collected().is_empty());
            }
            match step {
                15 | 16 => {
                    seen.extend(port.iter_mut().filter_map(|it| it.try_recv().ok()).map(|it| it.number))
                }
                17 | 18 => seen.extend(port.iter_mut().flat_map(|port| numbers(&port.drain()))),
                19 if random.u64(..8) == 0 => {
                    seen.extend(port.take().into_iter().flat_map(|port| numbers(&port.close())));
                }
                _ => {}
            }
        }
        seen.extend(port.take().into_iter().flat_map(|port| numbers(&port.close())));
        let (chan, values) = sink.into_parts();
        seen.extend(numbers(&values));
        assert!(seen.iter().copied().eq(0..next), "seed {seed}: {capacity:?} {batch} {seen:?}");
        drop((chan, values));
        assert_eq!(wakes.wakers(), 1, "seed {seed}");
        drops.assert_all_dropped();
    }
}

/// Dropping the sink sends what has room, and drops the rest, each once, though a destructor panics.
#[test]
fn a_sink_is_dropped() {
    for (capacity, bomb) in [(1, 0), (1, 1), (1, 4), (2, 1), (2, 2), (4, 4), (5, 4), (5, 9)] {
        let drops = DropCounter::new();
        let (chan, port) = pipes::sync_stream(capacity);
        let mut sink = chan.into_batch_sink(10);
        for number in 0..5 {
            let payload = if number == bomb { drops.make_panicking(number) } else { drops.make(number) };
            start_send(&mut sink, payload).expect("it is collected");
        }
        let panics = caught(|| drop(sink)).is_some();
        assert_eq!(panics, (capacity as u64..5).contains(&bomb));
        let mut count = 0;
        let received = caught(|| port.into_iter().for_each(|_| count += 1));
        assert_eq!(received.is_some(), bomb < capacity as u64);
        assert!(received.is_some() || count == capacity.min(5));
        drops.assert_all_dropped();
    }
}

/// A receiver's waker panics in a send. Nothing is lost that was collected and not sent.
#[test]
fn a_receivers_waker_panics() {
    for capacity in CAPACITIES {
        let drops = DropCounter::new();
        let (chan, mut port) = pair(capacity);
        let mut sink = chan.into_batch_sink(3);
        let (_wakes, waker) = WakeCounter::on_wake(panics);
        assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
        (0..2).for_each(|number| start_send(&mut sink, drops.make(number)).expect("the port is here"));
        let last = drops.make(2);
        assert!(caught(|| start_send(&mut sink, last)).is_some(), "the panic is not swallowed");
        let mut received = numbers(&port.drain());
        while poll_flush(&mut sink, Waker::noop()).is_pending() {
            received.extend(numbers(&port.drain()));
        }
        received.extend(numbers(&port.drain()));
        assert_eq!(received, [0, 1, 2]);
        drops.assert_all_dropped();
    }
}

/// What makes no sense is refused.
#[test]
fn a_batch_has_a_size_and_room() {
    assert!(caught(|| pipes::stream::<u8>().0.into_batch_sink(0)).is_some());
    assert!(caught(|| pipes::sync_stream::<u8>(0).0.into_batch_sink(1)).is_some());
}
