//! Streams: iterators, the traits of `futures`, order, and payloads of every shape.

use futures::executor::block_on;
use futures::stream::FusedStream;
use futures::{SinkExt, StreamExt};
use pipes::{TryRecvError, stream};
use pipes_tests::{Bell, Tally, poll_future, watched};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread::{self, Builder};

#[test]
fn an_iterator_ends_with_the_chan() {
    let (mut chan, mut port) = stream();
    (0..100).for_each(|number| chan.send(number).unwrap());
    assert_eq!(port.iter().take(10).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
    assert_eq!(port.try_iter().take(10).sum::<i32>(), (10..20).sum());
    drop(chan);
    let mut seen = Vec::new();
    for number in &mut port {
        seen.push(number);
    }
    assert_eq!(seen, (20..100).collect::<Vec<_>>());
    assert_eq!(port.into_iter().next(), None);
}

#[test]
fn try_iter_ends_where_it_would_wait() {
    let (mut chan, mut port) = stream();
    assert_eq!(port.try_iter().count(), 0);
    chan.send(1).unwrap();
    chan.send(2).unwrap();
    assert_eq!(port.try_iter().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
    chan.send(3).unwrap();
    assert_eq!(port.try_iter().collect::<Vec<_>>(), [3]);
}

#[test]
fn an_owning_iterator_over_another_thread() {
    watched(|| {
        let (mut chan, port) = stream();
        let sending = thread::spawn(move || (0..10_000_u64).for_each(|number| chan.send(number).unwrap()));
        assert_eq!(port.into_iter().sum::<u64>(), 9_999 * 10_000 / 2);
        sending.join().unwrap();
    });
}

#[test]
fn iterators_stay_at_their_end() {
    let (chan, mut port) = stream::<u64>();
    drop(chan);
    let mut iter = port.iter();
    assert_eq!((iter.next(), iter.next()), (None, None));
    let mut iter = port.into_iter();
    assert_eq!((iter.next(), iter.next()), (None, None));
}

#[test]
fn a_million_values_in_order() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let sending = thread::spawn(move || (0..1_000_000_u64).for_each(|number| chan.send(number).unwrap()));
        (0..1_000_000).for_each(|number| assert_eq!(port.recv(), Ok(number)));
        assert!(port.recv().is_err());
        sending.join().unwrap();
    });
}

#[test]
fn collected_by_a_task() {
    watched(|| {
        let (mut chan, port) = stream();
        let sending = thread::spawn(move || (0..10_000).for_each(|number| chan.send(number).unwrap()));
        assert_eq!(block_on(port.collect::<Vec<i32>>()), (0..10_000).collect::<Vec<_>>());
        sending.join().unwrap();
    });
}

#[test]
fn forwarded_from_stream_to_stream() {
    let (mut chan, port) = stream();
    let (out, through) = stream();
    (0..200).for_each(|number| chan.send(number).unwrap());
    drop(chan);
    block_on(port.map(Ok).forward(out)).unwrap();
    assert_eq!(through.into_iter().collect::<Vec<_>>(), (0..200).collect::<Vec<_>>());
}

#[test]
fn forwarding_to_a_port_that_has_gone() {
    let (out, gone) = stream();
    drop(gone);
    let error = block_on(futures::stream::iter([Ok(1), Ok(2)]).forward(out)).unwrap_err();
    assert_eq!(error.into_payload(), 1);
}

#[test]
fn a_sink_sends_all_and_closes() {
    let (mut chan, mut port) = stream();
    block_on(async {
        SinkExt::send_all(&mut chan, &mut futures::stream::iter((0..10).map(Ok))).await.unwrap();
        SinkExt::send(&mut chan, 10).await.unwrap();
        chan.feed(11).await.unwrap();
        SinkExt::flush(&mut chan).await.unwrap();
        SinkExt::close(&mut chan).await.unwrap();
        SinkExt::close(&mut chan).await.unwrap();
        assert_eq!(SinkExt::send(&mut chan, 12).await.unwrap_err().into_payload(), 12);
    });
    assert_eq!(port.iter().collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
    assert_eq!(chan.send(13).unwrap_err().into_payload(), 13);
}

#[test]
fn closing_a_sink_wakes_the_port() {
    let (bell, waker) = Bell::new();
    let (mut chan, mut port) = stream::<u64>();
    assert!(poll_future(&mut port.next(), &waker).is_pending());
    block_on(SinkExt::close(&mut chan)).unwrap();
    assert_eq!(bell.rings(), 1);
    assert_eq!(block_on(port.next()), None);
}

#[test]
fn polled_as_a_stream() {
    let (bell, waker) = Bell::new();
    let mut cx = Context::from_waker(&waker);
    let (mut chan, mut port) = stream();
    for round in 0..100 {
        assert!(port.poll_next_unpin(&mut cx).is_pending());
        chan.send(round).unwrap();
        assert_eq!(bell.rings(), round + 1);
        assert_eq!(Pin::new(&mut port).poll_next_unpin(&mut cx), Poll::Ready(Some(round)));
    }
    assert!(port.poll_next_unpin(&mut cx).is_pending());
    drop(chan);
    assert_eq!(bell.rings(), 101);
    assert_eq!(port.poll_next_unpin(&mut cx), Poll::Ready(None));
    assert_eq!(port.poll_next_unpin(&mut cx), Poll::Ready(None));
    assert!(port.is_terminated());
}

/// A stream is terminated once it has returned `None`. If it said so earlier, `select!` of `futures` would
/// leave out a stream that still has to be polled, or poll one that is terminated a moment later.
#[test]
fn a_stream_is_terminated_when_it_has_given_none() {
    let (chan, mut port) = stream::<u64>();
    assert!(!port.is_terminated());
    drop(chan);
    assert!(!port.is_terminated(), "nobody has been told yet");
    assert_eq!(poll_future(&mut port.next(), Waker::noop()), Poll::Ready(None));
    assert!(port.is_terminated());
}

#[test]
fn values_under_a_tokio_timeout() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let (mut chan, mut port) = stream();
        for round in 0..50 {
            // The timeout passes at once: the wait is unregistered, and nothing is lost.
            assert!(tokio::time::timeout(std::time::Duration::ZERO, port.ready()).await.is_err());
            assert!(tokio::time::timeout(std::time::Duration::ZERO, port.recv_async()).await.is_err());
            chan.send(round).unwrap();
            assert_eq!(port.recv_async().await, Ok(round));
        }
    });
}

#[test]
fn empty_values() {
    let (mut chan, port) = stream();
    (0..1_000).for_each(|_| chan.send(()).unwrap());
    drop(chan);
    assert_eq!(port.into_iter().count(), 1_000);
}

#[test]
fn empty_values_with_destructors() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static GONE: AtomicUsize = AtomicUsize::new(0);
    struct Empty;
    impl Drop for Empty {
        fn drop(&mut self) {
            GONE.fetch_add(1, Ordering::SeqCst);
        }
    }
    let (mut chan, mut port) = stream();
    (0..500).for_each(|_| assert!(chan.send(Empty).is_ok()));
    assert_eq!(port.iter().take(200).count(), 200);
    assert_eq!(GONE.load(Ordering::SeqCst), 200);
    drop(port);
    assert_eq!(GONE.load(Ordering::SeqCst), 500);
}

#[test]
fn values_of_a_page() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let sending = thread::spawn(move || {
            for number in 0..2_000_u16 {
                chan.send([number; 2048]).unwrap_or_else(|_| panic!("the port is there"));
            }
        });
        for number in 0..2_000 {
            let page = port.recv().unwrap();
            assert!(page.iter().all(|&it| it == number));
        }
        sending.join().unwrap();
    });
}

/// Values of one mebibyte. An unoptimised build copies them a few times on their way, so the thread has a
/// large stack.
#[test]
fn values_of_a_mebibyte() {
    watched(|| {
        let room = Builder::new().stack_size(64 << 20);
        let thread = room.spawn(|| {
            let (mut chan, mut port) = stream();
            for number in 0..5_u8 {
                assert!(chan.send([number; 1 << 20]).is_ok());
            }
            for number in 0..4 {
                assert!(port.recv().unwrap().iter().all(|&it| it == number));
            }
            let (one, only) = pipes::oneshot();
            drop(port);
            assert!(one.send(chan.send([9; 1 << 20]).unwrap_err().into_payload()).is_ok());
            assert_eq!(only.recv().unwrap()[12_345], 9);
        });
        thread.unwrap().join().unwrap();
    });
}

#[test]
fn values_with_a_strict_alignment() {
    #[repr(align(128))]
    #[derive(Clone, Copy)]
    struct Aligned(u8);
    #[repr(align(64))]
    struct AlignedAndEmpty;

    fn check<T>(make: impl Fn(u8) -> T, number: impl Fn(&T) -> u8) {
        let (mut chan, mut port) = stream();
        for _ in 0..3 {
            (0..150).for_each(|it| assert!(chan.send(make(it)).is_ok()));
            for expected in 0..150 {
                let value = port.recv().unwrap();
                assert_eq!(std::ptr::from_ref(&value).addr() % align_of::<T>(), 0);
                assert_eq!(number(&value), expected);
            }
        }
        let (chan, port) = pipes::oneshot();
        assert!(chan.send(make(7)).is_ok());
        assert_eq!(number(&port.recv().unwrap()), 7);
    }
    check(Aligned, |value| value.0);
    let counted = std::cell::Cell::new(0);
    check(
        |_| AlignedAndEmpty,
        |_| if counted.get() < 450 { (counted.replace(counted.get() + 1) % 150) as u8 } else { 7 },
    );
    let tally = Tally::new();
    check(|it| (Aligned(it), tally.make(it.into())), |value| value.1.number as u8);
    tally.assert_all_gone();
}

#[test]
fn endpoints_as_values() {
    let (mut chan, mut port) = stream();
    for number in 0..100 {
        let (one, only) = pipes::oneshot();
        chan.send(only).unwrap();
        one.send(number).unwrap();
    }
    for number in 0..100 {
        assert_eq!(port.recv().unwrap().recv(), Ok(number));
    }
}

/// Both ends on one thread: sending never blocks.
#[test]
fn a_lot_is_sent_before_anything_is_received() {
    let (mut chan, mut port) = stream();
    (0..10_000).for_each(|number| chan.send(number).unwrap());
    (0..10_000).for_each(|number| assert_eq!(port.recv(), Ok(number)));
    assert_eq!(port.try_recv(), Err(TryRecvError::Empty(())));
}
