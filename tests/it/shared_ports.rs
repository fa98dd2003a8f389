//! Receivers of a shared port: their line, and wakers that call into the port. No waker is called or dropped
//! while the port's lock is held.

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::FusedStream;
use pipes::{Chan, Port, SharedPort, SharedRecvFuture, stream, sync_stream};
use pipes_tests::table::flavors::shared;
use pipes_tests::{WakeCounter, begun, caught, panics, poll, poll_future, test_in, watched};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// A receiver that waits as a stream, and the waker with which it is polled.
struct Waiting {
    port: SharedPort<u64>,
    wakes: Arc<WakeCounter>,
    waker: Waker,
}

impl Waiting {
    fn of(port: SharedPort<u64>) -> Self {
        let (wakes, waker) = WakeCounter::new();
        Waiting { port, wakes, waker }
    }

    fn poll(&mut self) -> Poll<Option<u64>> {
        poll_future(&mut self.port.next(), &self.waker)
    }
}

/// Three receivers that wait as streams, in this order, and their sender.
fn three() -> (Chan<u64>, Vec<Waiting>) {
    let (chan, port) = shared(stream());
    let mut line: Vec<_> = (0..3).map(|_| Waiting::of(port.clone())).collect();
    assert!(line.iter_mut().all(|it| it.poll().is_pending()));
    (chan, line)
}

fn counts(line: &[Waiting]) -> Vec<usize> {
    line.iter().map(|it| it.wakes.count()).collect()
}

/// No stream is certain to look again, so a message wakes all of them, and the next one those that have
/// looked and wait again.
#[test]
fn a_message_wakes_all_streams() {
    let (mut chan, mut line) = three();
    drop(line[2].port.recv_async());
    chan.send(1).expect("they wait");
    assert_eq!(counts(&line), [1, 1, 1], "a receive that is not polled changes nothing");
    assert_eq!(line[1].poll(), Poll::Ready(Some(1)), "any of them may be the first to look");
    assert!(line[0].poll().is_pending());
    chan.send(2).expect("one waits");
    assert_eq!(counts(&line), [2, 1, 1]);
    assert_eq!(line[0].poll(), Poll::Ready(Some(2)));
    assert!(line.iter_mut().all(|it| it.poll().is_pending()));
    drop(chan);
    assert_eq!(counts(&line), [3, 2, 2]);
    assert!(line.iter_mut().all(|it| it.poll() == Poll::Ready(None)));
}

/// (They were once woken in another order.)
#[test]
fn streams_are_woken_in_their_order() {
    let (mut chan, port) = shared(stream::<u64>());
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut line = [port.clone(), port.clone(), port];
    for index in [1, 0, 2] {
        let also = order.clone();
        let (_wakes, waker) = WakeCounter::on_wake(move || also.lock().expect("not poisoned").push(index));
        assert!(poll_future(&mut line[index].next(), &waker).is_pending());
    }
    chan.send(1).expect("they wait");
    assert_eq!(*order.lock().expect("not poisoned"), [1, 0, 2]);
}

/// A receive looks when it is woken, or passes it on. So a message wakes none behind it.
#[test]
fn a_message_wakes_no_stream_behind_a_receive() {
    let (mut chan, port) = shared(stream());
    let mut line: Vec<_> = (0..2).map(|_| Waiting::of(port.clone())).collect();
    let (wakes, waker) = WakeCounter::new();
    assert!(line[0].poll().is_pending());
    let receive = begun(port.recv_async(), &waker);
    assert!(line[1].poll().is_pending());
    chan.send(1).expect("they wait");
    assert_eq!((counts(&line), wakes.count()), (vec![1, 0], 1));
    drop(receive);
    assert_eq!(counts(&line), [1, 1]);
    assert_eq!(line[1].poll(), Poll::Ready(Some(1)));
}

/// A second poll of a stream keeps its place, and so does a receive of the same receiver, which has a place
/// of its own. One that is dropped has left.
#[test]
fn places_of_streams() {
    let (mut chan, mut line) = three();
    let (wakes, waker) = WakeCounter::new();
    let old = std::mem::replace(&mut line[0].waker, waker);
    assert!(line[0].poll().is_pending());
    drop(old);
    assert_eq!(line[0].wakes.wakers(), 0, "the old waker has left the line");
    chan.send(1).expect("they wait");
    assert_eq!((wakes.count(), counts(&line)), (1, vec![0, 1, 1]));
    assert_eq!(line[0].poll(), Poll::Ready(Some(1)));

    let (mut chan, mut line) = three();
    let first = line.remove(0);
    let wakes = first.wakes.clone();
    drop(first);
    assert_eq!(wakes.wakers(), 0, "its waker has left the line");
    chan.send(1).expect("they wait");
    assert_eq!((wakes.count(), counts(&line)), (0, vec![1, 1]));

    let (mut chan, mut line) = three();
    let (wakes, waker) = WakeCounter::new();
    let receive = begun(line[0].port.recv_async(), &waker);
    drop(receive);
    assert_eq!((line[0].wakes.wakers(), wakes.wakers()), (2, 1), "the receive has left the line");
    chan.send(1).expect("three wait");
    assert_eq!((wakes.count(), counts(&line)), (0, vec![1, 1, 1]));
    assert_eq!(line[1].poll(), Poll::Ready(Some(1)));
}

/// A stream that finds the message for which a receive in front of it was woken has left the line.
#[test]
fn a_stream_that_was_not_woken_receives() {
    let (mut chan, port) = shared(stream());
    let mut behind = Waiting::of(port.clone());
    let mut receive = begun(port.recv_async(), Waker::noop());
    assert!(behind.poll().is_pending());
    chan.send(1).expect("they wait");
    assert_eq!((behind.wakes.count(), behind.poll()), (0, Poll::Ready(Some(1))));
    assert_eq!(behind.wakes.wakers(), 1, "its waker has left the line");
    assert!(poll_future(&mut receive, Waker::noop()).is_pending());
}

/// A receive makes room, and the sender's waker receives inside of it.
#[test_in(watched)]
fn a_senders_waker_receives() {
    for capacity in [0, 1, 2] {
        let (mut chan, port) = shared(sync_stream(capacity));
        let (seen, inside) = (Arc::new(Mutex::new(None)), Mutex::new(port.clone()));
        let also = seen.clone();
        (0..capacity as u64).for_each(|number| chan.send(number).expect("the port is here"));
        let (wakes, waker) = WakeCounter::on_wake(move || {
            *also.lock().expect("not poisoned") = inside.lock().expect("not poisoned").try_recv().ok();
        });
        let mut sending = begun(chan.send_async(9), &waker);
        assert_eq!(port.recv(), Ok(if capacity == 0 { 9 } else { 0 }));
        assert_eq!(wakes.count(), 1);
        assert_eq!(*seen.lock().expect("not poisoned"), (capacity == 2).then_some(1));
        assert_eq!(poll_future(&mut sending, &waker), Poll::Ready(Ok(())));
    }
}

/// A receiver that was woken leaves, or receives, and wakes the next one, whose waker panics: a message that
/// was received is lost with the panic, and no other one.
#[test]
fn the_next_receivers_waker_panics() {
    let leaves: [fn(SharedRecvFuture<'_, u64>); 2] =
        [|receive| drop(receive), |mut receive| assert!(poll_future(&mut receive, Waker::noop()).is_ready())];
    for (leave, left) in leaves.into_iter().zip([1, 2]) {
        let (mut chan, port) = shared(stream());
        let (first, second) = (port.clone(), port.clone());
        let (mut woken, mut next) = (first.recv_async(), second.recv_async());
        assert!(poll_future(&mut woken, Waker::noop()).is_pending());
        let (wakes, waker) = WakeCounter::on_wake(panics);
        assert!(poll_future(&mut next, &waker).is_pending());
        (1..=3).for_each(|number| chan.send(number).expect("the ports are here"));
        assert!(caught(|| leave(woken)).is_some(), "the panic is not swallowed");
        assert_eq!((wakes.count(), port.try_recv()), (1, Ok(left)));
    }
}

/// A task waited for the port before it was shared. Its waker is dropped when the port is shared, and may
/// receive or panic in its destructor. (It was once dropped while the lock was held.)
#[test_in(watched)]
fn a_waker_from_before_the_port_was_shared() {
    for kind in [stream, || sync_stream(1)] as [fn() -> (Chan<u64>, Port<u64>); 2] {
        let (mut chan, mut port) = kind();
        let place = Arc::new(Mutex::new(None::<SharedPort<u64>>));
        let inside = place.clone();
        let waker = WakeCounter::on_drop(move || {
            let _received = inside.lock().expect("not poisoned").as_ref().map(SharedPort::try_recv);
        });
        assert!(poll(&mut port, &waker).is_pending());
        drop(waker);
        let port = port.into_shared();
        *place.lock().expect("not poisoned") = Some(port.clone());
        let (wakes, waker) = WakeCounter::new();
        let mut receive = begun(port.recv_async(), &waker);
        chan.send(1).expect("the port is here");
        assert_eq!(wakes.count(), 1);
        assert_eq!(poll_future(&mut receive, &waker), Poll::Ready(Ok(1)));
        place.lock().expect("not poisoned").take();
    }
    let (chan, mut port) = pipes::shared_stream::<u64>();
    let waker = WakeCounter::on_drop(panics);
    assert!(poll(&mut port, &waker).is_pending());
    drop(waker);
    assert!(caught(|| port.into_shared()).is_some());
    assert!(chan.is_closed(), "the port went with the panic");
}

#[test]
fn it_can_be_printed_and_sent() {
    fn check<T: Send + Sync + Unpin>(_: &T) {}
    let (_chan, port) = stream::<u64>();
    let mut port = port.into_shared();
    check(&port);
    assert_eq!(format!("{port:?}"), "SharedPort { waits: false, .. }");
    assert!(poll_future(&mut port.next(), Waker::noop()).is_pending());
    assert_eq!(format!("{port:?}"), "SharedPort { waits: true, .. }");
}

/// A receiver that has taken several values out of the stream at once is ready as long as one is left.
#[test]
fn it_is_ready_while_values_are_left() {
    let (mut chan, port) = shared(stream());
    assert!(!port.is_ready());
    for number in 0..3 {
        assert!(chan.send(number).is_ok());
    }
    drop(chan);
    for number in 0..3 {
        assert!(port.is_ready() && !port.is_closed());
        assert_eq!(port.recv(), Ok(number));
    }
    assert!(!port.is_ready() && port.is_closed());
}

/// Several threads and futures use one receiver by reference, each with a place of its own in the line.
#[test_in(watched)]
fn one_receiver_serves_several_threads() {
    const EACH: u64 = 100;
    let (chan, port) = shared(pipes::shared_sync_stream(2));
    let received: u64 = std::thread::scope(|scope| {
        let blocking = scope.spawn(|| port.iter().sum::<u64>());
        let in_tasks = [(); 2].map(|()| {
            scope.spawn(|| {
                let receives = || std::iter::from_fn(|| block_on(port.recv_async()).ok());
                receives().sum::<u64>()
            })
        });
        (1..=EACH).for_each(|number| chan.send(number).expect("the port is here"));
        drop(chan);
        in_tasks.into_iter().chain([blocking]).map(|it| it.join().expect("it ends")).sum()
    });
    assert_eq!(received, EACH * (EACH + 1) / 2);
}

/// Two futures of one receiver wait; the first is dropped after it was woken, and the second is woken
/// instead.
#[test]
fn futures_of_one_receiver_have_their_own_places() {
    let (mut chan, port) = shared(stream());
    let ((first_bell, first_waker), (wakes, waker)) = (WakeCounter::new(), WakeCounter::new());
    let (mut first, mut second) = (port.recv_async(), port.recv_async());
    assert!(poll_future(&mut first, &first_waker).is_pending());
    assert!(poll_future(&mut second, &waker).is_pending());
    chan.send(1).expect("they wait");
    assert_eq!((first_bell.count(), wakes.count()), (1, 0));
    drop(first);
    assert_eq!(wakes.count(), 1);
    assert_eq!(poll_future(&mut second, &waker), Poll::Ready(Ok(1)));
}

/// A close wakes those that wait, threads and tasks, and the senders that wait for room.
#[test_in(watched)]
fn a_close_wakes_all() {
    let (chan, port) = shared(pipes::shared_sync_stream(1));
    let mut tasks: Vec<_> = (0..2).map(|_| Waiting::of(port.clone())).collect();
    assert!(tasks.iter_mut().all(|it| it.poll().is_pending()));
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| port.recv());
        assert!(port.close() && !port.clone().close());
        assert_eq!(waits.join().expect("it ends"), Err(pipes::RecvError));
    });
    assert!(tasks.iter_mut().all(|it| it.wakes.count() > 0 && it.poll() == Poll::Ready(None)));
    assert!(chan.is_closed() && port.is_closed() && port.capacity() == Some(1));

    let (chan, port) = shared(pipes::shared_sync_stream(1));
    chan.send(1).expect("there is room");
    let (wakes, waker) = WakeCounter::new();
    let sending = begun(chan.send_async(2), &waker);
    assert!(port.close());
    assert_eq!(wakes.count(), 1);
    assert!(block_on(sending).is_err() && port.into_iter().eq([1]));
}

/// A close calls the waker of a sender, which closes again. The second close does not wait for the first one.
#[test_in(watched)]
fn a_close_inside_of_a_close() {
    let (chan, port) = shared(pipes::shared_sync_stream(1));
    chan.send(1).expect("there is room");
    let (inside, closed) = (Mutex::new(port.clone()), Arc::new(Mutex::new(None)));
    let also = closed.clone();
    let (wakes, waker) = WakeCounter::on_wake(move || {
        *also.lock().expect("not poisoned") = Some(inside.lock().expect("not poisoned").close());
    });
    let sending = begun(chan.send_async(2), &waker);
    assert!(port.close());
    assert_eq!((wakes.count(), *closed.lock().expect("not poisoned")), (1, Some(false)));
    assert!(block_on(sending).is_err() && port.into_iter().eq([1]));
}

/// As a stream it is terminated once it has returned its end, and not before.
#[test]
fn it_knows_its_end_as_a_stream() {
    let (mut chan, mut port) = shared(stream());
    chan.send(1).expect("the port is here");
    drop(chan);
    let mut all = port.clone();
    assert!(block_on(all.next()) == Some(1) && !all.is_terminated());
    assert_eq!((port.recv().is_err(), port.is_terminated()), (true, false));
    assert_eq!((block_on(port.next()), port.is_terminated()), (None, true));
}

#[test]
fn a_deadline_that_has_passed_is_a_look() {
    let (mut chan, port) = shared(stream());
    let past = std::time::Instant::now();
    assert_eq!(port.recv_deadline(past), Err(pipes::RecvTimeoutError::Timeout(())));
    chan.send(1).expect("the port is here");
    assert_eq!(port.recv_deadline(past), Ok(1));
    drop(chan);
    assert_eq!(port.recv_deadline(past), Err(pipes::RecvTimeoutError::Closed));
}
