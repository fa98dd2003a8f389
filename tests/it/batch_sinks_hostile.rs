//! A sink that sends in runs, whose port leaves, whose payloads panic, or that is polled in any order.

use futures::executor::block_on;
use futures::{Sink, SinkExt, StreamExt, stream};
use pipes::{BatchSink, Chan, Port, SendError};
use pipes_tests::{Bell, Counted, Random, Tally, caught, watched};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

type Outcome<T> = Result<(), SendError<Vec<T>>>;

const CAPACITIES: [Option<usize>; 6] = [None, Some(1), Some(2), Some(3), Some(7), Some(100)];
const BATCHES: [usize; 6] = [1, 2, 3, 8, 65, usize::MAX];

fn pair<T>(capacity: Option<usize>) -> (Chan<T>, Port<T>) {
    capacity.map_or_else(pipes::stream, pipes::sync_stream)
}

fn start_send<T>(sink: &mut BatchSink<T>, value: T) -> Outcome<T> {
    Pin::new(sink).start_send(value)
}

type Step = fn(&mut BatchSink<Counted>, &mut Context<'_>) -> Poll<Outcome<Counted>>;

const STEPS: [Step; 3] = [
    |sink, cx| Pin::new(sink).poll_ready(cx),
    |sink, cx| Pin::new(sink).poll_flush(cx),
    |sink, cx| Pin::new(sink).poll_close(cx),
];

fn numbers(values: &[Counted]) -> Vec<u64> {
    values.iter().map(|value| value.number).collect()
}

/// The port leaves at each point; what was received, what the port had, what the errors contain and what the
/// sink still has are together all values, in order.
#[test]
fn a_port_leaves_at_each_point() {
    for (capacity, batch) in
        CAPACITIES.into_iter().flat_map(|capacity| BATCHES.map(|batch| (capacity, batch)))
    {
        for leaves_at in 0..20 {
            for step in STEPS {
                let tally = Tally::new();
                let (chan, port) = pair(capacity);
                let (mut sink, mut port) = (chan.into_batch_sink(batch), Some(port));
                let (bell, waker) = Bell::new();
                let mut seen = Vec::new();
                for number in 0..20 {
                    if number == leaves_at {
                        seen.extend(numbers(&port.take().expect("it is here").close()));
                    }
                    if number % 3 == 0
                        && let Some(port) = &mut port
                    {
                        seen.extend(numbers(&port.drain()));
                    }
                    let polled = Pin::new(&mut sink).poll_ready(&mut Context::from_waker(&waker));
                    if let Poll::Ready(Err(error)) = polled {
                        seen.extend(numbers(&error.into_payload()));
                    }
                    if let Err(error) = start_send(&mut sink, tally.make(number)) {
                        seen.extend(numbers(&error.into_payload()));
                    }
                }
                drop(port);
                let polled = step(&mut sink, &mut Context::from_waker(&waker));
                if let Poll::Ready(Err(error)) = polled {
                    seen.extend(numbers(&error.into_payload()));
                }
                seen.extend(numbers(sink.collected()));
                assert!(seen.into_iter().eq(0..20), "{capacity:?} {batch} {leaves_at}");
                drop(sink);
                assert_eq!(bell.wakers(), 1);
                tally.assert_all_gone();
            }
        }
    }
}

/// Random steps; all values come once and in order, and no waker is left.
#[test]
fn steps_in_any_order() {
    for seed in 0..if cfg!(miri) { 20 } else { 3000 } {
        let mut random = Random::new(seed);
        let capacity = CAPACITIES[random.below(6) as usize];
        let batch = BATCHES[random.below(6) as usize];
        let tally = Tally::new();
        let (chan, port) = pair(capacity);
        let (mut sink, mut port) = (Some(chan.into_batch_sink(batch)), Some(port));
        let (bell, waker) = Bell::new();
        let mut cx = Context::from_waker(&waker);
        let (mut seen, mut back, mut next) = (Vec::new(), Vec::new(), 0);
        for _ in 0..60 {
            let what = random.below(40);
            if let Some(sink) = &mut sink {
                let result = match what {
                    0..=11 => {
                        next += 1;
                        start_send(sink, tally.make(next - 1))
                    }
                    12..=26 => {
                        let polled = STEPS[if what < 19 { 0 } else { 1 }](sink, &mut cx);
                        if what >= 19 && polled.is_ready() {
                            assert!(sink.collected().is_empty());
                        }
                        if let Poll::Ready(result) = polled { result } else { Ok(()) }
                    }
                    27 => match STEPS[2](sink, &mut cx) {
                        Poll::Ready(result) => result,
                        Poll::Pending => Ok(()),
                    },
                    _ => Ok(()),
                };
                if let Err(error) = result {
                    back.extend(numbers(&error.into_payload()));
                    assert!(sink.collected().is_empty());
                }
            }
            match what {
                28..=32 => {
                    seen.extend(port.iter_mut().filter_map(|port| port.try_recv().ok()).map(|v| v.number))
                }
                33..=36 => seen.extend(port.iter_mut().flat_map(|port| numbers(&port.drain()))),
                37 if random.below(8) == 0 => seen.extend(port.take().iter().flat_map(|_| [0; 0])),
                38 if random.below(8) == 0 => {
                    if let Some(taken) = sink.take() {
                        let (chan, values) = taken.into_parts();
                        let values_numbers = numbers(&values);
                        drop(values);
                        back.extend(values_numbers);
                        sink = Some(chan.into_batch_sink(batch));
                    }
                }
                _ => {}
            }
        }
        assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "{seed} {seen:?}");
        assert!(back.windows(2).all(|pair| pair[0] < pair[1]), "{seed} {back:?}");
        assert!(seen.iter().all(|number| !back.contains(number)), "{seed}");
        drop(sink);
        assert_eq!(bell.wakers(), 1, "{seed}");
        if let Some(port) = port {
            seen.extend(port.into_iter().map(|value| value.number));
            assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "{seed} {seen:?}");
        }
        tally.assert_all_gone();
    }
}

/// A payload's destructor panics when the sink drops what has no room; the stream is closed, all are dropped.
#[test]
fn a_payload_panics_in_a_dropped_sink() {
    for (capacity, bomb) in [(1, 0), (1, 1), (1, 4), (2, 1), (2, 2), (4, 4), (5, 4)] {
        let tally = Tally::new();
        let (chan, port) = pipes::sync_stream(capacity);
        let mut sink = chan.into_batch_sink(10);
        for number in 0..5 {
            let payload = if number == bomb { tally.make_bomb(number) } else { tally.make(number) };
            start_send(&mut sink, payload).expect("it is collected");
        }
        let panics = caught(|| drop(sink)).is_some();
        assert_eq!(panics, bomb >= capacity as u64);
        let received = caught(|| port.into_iter().count());
        assert_eq!(received.is_some(), !panics);
        tally.assert_all_gone();
    }
}

/// A payload panics when an error is dropped, and after `into_parts`.
#[test]
fn a_payload_panics_in_an_error() {
    for batch in [1, 2, 3, 100] {
        let tally = Tally::new();
        let (chan, port) = pipes::stream();
        let mut sink = chan.into_batch_sink(batch);
        drop(port);
        let error = start_send(&mut sink, tally.make_bomb(1)).err();
        assert_eq!(error.is_some(), batch == 1);
        assert!(caught(|| drop((error, sink))).is_some());
        let (chan, port) = pipes::stream();
        drop(port);
        let mut sink = chan.into_batch_sink(batch + 1);
        start_send(&mut sink, tally.make_bomb(1)).expect("it is collected");
        let (chan, values) = sink.into_parts();
        assert!(caught(|| drop(values)).is_some());
        drop(chan);
        tally.assert_all_gone();
    }
}

/// A receiver's waker panics when a dropped sink sends.
#[test]
fn a_waker_panics_in_a_dropped_sink() {
    for capacity in [None, Some(1), Some(2), Some(9)] {
        let tally = Tally::new();
        let (chan, mut port) = pair(capacity);
        let mut sink = chan.into_batch_sink(10);
        let (_bell, waker) = Bell::that(|| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(port.poll_ready(&mut Context::from_waker(&waker)).is_pending());
        (0..5).for_each(|number| start_send(&mut sink, tally.make(number)).expect("it is collected"));
        assert!(caught(|| drop(sink)).is_some());
        let received: Vec<u64> = port.into_iter().map(|value| value.number).collect();
        // The panic may come before the rest was sent.
        assert!((1..=capacity.unwrap_or(5).min(5)).contains(&received.len()), "{received:?}");
        assert!(received.into_iter().zip(0..).all(|(received, sent)| received == sent));
        tally.assert_all_gone();
    }
}

/// The sink's own waker panics when it is dropped: no value is sent twice, or lost by the sink.
#[test]
fn a_sinks_waker_panics_when_it_is_dropped() {
    for step in [0, 1, 2, 3, 4] {
        let tally = Tally::new();
        let (chan, mut port) = pipes::sync_stream(2);
        let mut sink = chan.into_batch_sink(3);
        (0..4).for_each(|number| start_send(&mut sink, tally.make(number)).expect("the port is here"));
        let waker = Bell::at_last(|| std::panic::resume_unwind(Box::new("on purpose")));
        assert!(STEPS[1](&mut sink, &mut Context::from_waker(&waker)).is_pending());
        drop(waker);
        let mut seen = Vec::new();
        let mut cx = Context::from_waker(Waker::noop());
        let outcome = caught(|| match step {
            // It is replaced by another waker.
            0 => drop(STEPS[1](&mut sink, &mut cx)),
            1 => drop(STEPS[0](&mut sink, &mut cx)),
            2 => drop(STEPS[2](&mut sink, &mut cx)),
            // It is woken.
            3 => drop(port.recv()),
            // It is dropped by the sink.
            _ => {
                let (chan, values) =
                    std::mem::replace(&mut sink, pipes::stream().0.into_batch_sink(1)).into_parts();
                assert_eq!(numbers(&values), [2, 3]);
                drop(chan);
            }
        });
        // With room for all, `poll_ready` has nothing to wait for.
        assert_eq!(outcome.is_none(), step == 1, "{step}");
        if step == 4 {
            assert!(port.into_iter().map(|value| value.number).eq(0..2));
            tally.assert_all_gone();
            continue;
        }
        if step == 3 {
            seen.push(0);
        }
        let mut panics = usize::from(outcome.is_some());
        while seen.len() < 4 {
            if step == 1 && panics == 0 {
                panics += usize::from(caught(|| port.recv().map(|value| seen.push(value.number))).is_some());
                seen = vec![0];
            } else if let Ok(value) = port.try_recv() {
                seen.push(value.number);
            }
            panics += usize::from(caught(|| drop(STEPS[1](&mut sink, &mut cx))).is_some());
        }
        assert_eq!((panics, &seen[..]), (1, &[0, 1, 2, 3][..]), "{step}");
        drop((sink, port));
        tally.assert_all_gone();
    }
}

/// Closed twice, flushed after the close, sent to after the close.
#[test]
fn a_closed_sink_is_used() {
    for (capacity, batch) in
        CAPACITIES.into_iter().flat_map(|capacity| BATCHES.map(|batch| (capacity, batch)))
    {
        let (chan, port) = pair(capacity);
        let mut sink = chan.into_batch_sink(batch);
        block_on(async {
            sink.feed(1).await.expect("the port is here");
            sink.close().await.expect("there is room for one");
            sink.close().await.expect("nothing is left");
            sink.flush().await.expect("nothing is left");
            let error = sink.send(2).await.expect_err("it is closed");
            assert_eq!(error.into_payload(), [2]);
            let fed = sink.feed(3).await;
            assert_eq!(fed.is_err(), batch == 1);
            assert_eq!(sink.close().await.is_err(), batch != 1);
            assert!(sink.close().await.is_ok());
        });
        let (mut chan, values) = sink.into_parts();
        assert!(values.is_empty() && chan.is_closed());
        assert!(chan.send(4).is_err() && chan.try_send(5).is_err());
        assert!(port.into_iter().eq([1]));
    }
}

/// Two threads; the port leaves after some values.
#[test]
fn a_port_leaves_at_any_moment() {
    watched(|| {
        let tally = Tally::new();
        for (capacity, batch) in
            CAPACITIES.into_iter().flat_map(|capacity| BATCHES.map(|batch| (capacity, batch)))
        {
            for takes in [0, 1, 5, 40, 200] {
                let (chan, mut port) = pair(capacity);
                let made = tally.clone();
                let sends = thread::spawn(move || {
                    let values = stream::iter(0..200).map(|number| Ok(made.make(number)));
                    let outcome = block_on(values.forward(chan.into_batch_sink(batch)));
                    outcome.map_err(|error| numbers(&error.into_payload()))
                });
                let received: Vec<u64> = port.iter().take(takes).map(|value| value.number).collect();
                assert!(received.iter().copied().eq(0..takes as u64));
                let kept = numbers(&port.close());
                let sent = takes as u64 + kept.len() as u64;
                assert!(kept.into_iter().eq(takes as u64..sent));
                if let Err(back) = sends.join().expect("nothing panics") {
                    assert!(back.windows(2).all(|pair| pair[1] == pair[0] + 1));
                    assert_eq!(back.first(), Some(&sent), "{capacity:?} {batch}");
                } else {
                    assert_eq!(sent, 200);
                }
            }
        }
        tally.assert_all_gone();
    });
}
