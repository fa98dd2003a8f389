//! Values that are computed once and stay.

use futures::executor::block_on;
use futures::join;
use pipes::{Eventual, RecvError, oneshot};
use pipes_tests::{DropCounter, WakeCounter, begun, caught, poll_future, test_in, watched};
use std::future::IntoFuture;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::thread;

/// One eventual of each kind, with this value.
fn all_kinds(value: u64) -> [Eventual<u64>; 5] {
    let ((now, there), (later, coming)) = (oneshot(), oneshot());
    now.send(value).expect("the port is here");
    thread::spawn(move || later.send(value));
    [
        Eventual::from_value(value),
        Eventual::from_port(there),
        Eventual::from(coming),
        Eventual::lazy(move || value),
        Eventual::spawn(move || value),
    ]
}

/// One of each kind that fails.
fn all_failures() -> [Eventual<u64>; 4] {
    fn panic() -> u64 {
        std::panic::resume_unwind(Box::new("on purpose"))
    }
    let ((_, closed), (dying, closing)) = (oneshot(), oneshot::<u64>());
    thread::spawn(move || {
        let _dying = dying;
        panic()
    });
    let mut failed = Eventual::lazy(panic);
    assert!(caught(|| failed.get().is_ok()).is_some());
    [Eventual::from_port(closed), Eventual::from_port(closing), failed, Eventual::spawn(panic)]
}

#[test_in(watched)]
fn a_value_can_be_got_in_every_way() {
    for mut eventual in all_kinds(7) {
        for _ in 0..3 {
            assert_eq!(eventual.get(), Ok(&7));
            assert!(eventual.is_ready());
        }
        assert!(matches!(eventual.poll_get(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(&7))));
        assert_eq!(eventual.into_inner(), Ok(7));
    }
    assert_eq!(all_kinds(8).map(Eventual::into_inner), [Ok(8); 5]);
    for (mut eventual, asked) in all_kinds(9).into_iter().zip([false, true].into_iter().cycle()) {
        assert!(!asked || eventual.get().is_ok());
        assert_eq!(block_on(async { eventual.await }), Ok(9));
    }
}

#[test_in(watched)]
fn a_failure_is_for_good() {
    for mut eventual in all_failures() {
        for _ in 0..3 {
            assert_eq!(eventual.get(), Err(RecvError));
            assert!(eventual.is_ready());
        }
        assert_eq!(eventual.into_inner(), Err(RecvError));
    }
    assert_eq!(all_failures().map(Eventual::into_inner), [Err(RecvError); 4]);
    for eventual in all_failures() {
        assert_eq!(block_on(eventual.into_future()), Err(RecvError));
    }
}

/// A function that is never called is dropped with what it owns, and so is a value that is never read.
#[test_in(watched)]
fn what_nobody_asks_for_is_dropped() {
    let drops = DropCounter::new();
    let (owned, value) = (drops.make(1), drops.make(2));
    drop(Eventual::lazy(move || owned));
    drop(Eventual::from_value(value));
    let (chan, port) = oneshot();
    drop(Eventual::from_port(port));
    assert_eq!(chan.send(drops.make(3)).map_err(|error| error.into_payload().number), Err(3));
    let (started, wait) = oneshot::<()>();
    let (value, (done, is_done)) = (drops.make(4), oneshot::<()>());
    drop(Eventual::spawn(move || {
        let _done = done;
        assert_eq!(wait.recv(), Err(RecvError));
        value
    }));
    drop(started);
    assert!(is_done.recv().is_err(), "the thread has run to its end");
    // The value is dropped by the send that fails, after the function has ended.
    while drops.dropped() < drops.made() {
        thread::yield_now();
    }
    drops.assert_all_dropped();
}

#[test]
fn a_task_is_woken_when_the_value_comes() {
    let (wakes, waker) = WakeCounter::new();
    let (chan, port) = oneshot();
    let mut eventual = Eventual::from_port(port);
    let mut cx = Context::from_waker(&waker);
    assert!(eventual.poll_get(&mut cx).is_pending());
    assert!(!eventual.is_ready());
    chan.send("value").expect("the port is here");
    assert!(wakes.count() == 1 && eventual.is_ready());
    assert_eq!(eventual.poll_get(&mut cx), Poll::Ready(Ok(&"value")));

    let (chan, port) = oneshot::<u64>();
    let mut waiting = begun(Eventual::from_port(port).into_future(), &waker);
    drop(chan);
    assert_eq!(wakes.count(), 2);
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Err(RecvError)));
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Err(RecvError)), "it is done");
}

/// The function is called in the task or thread that asks first. Values need not be `Send`, unless they come
/// from another thread.
#[test]
fn values_of_one_thread() {
    let (mut one, two) = (Eventual::lazy(|| Rc::new(1)), Eventual::lazy(|| Rc::new(2)));
    assert!(!one.is_ready(), "nobody has asked");
    let (one, two) = block_on(async { join!(async { one.get().map(|value| **value) }, two.into_future()) });
    assert_eq!((one, two), (Ok(1), Ok(Rc::new(2))));
    let (chan, port) = oneshot();
    assert!(chan.send(Rc::new(3)).is_ok());
    assert_eq!(Eventual::from(port).into_inner(), Ok(Rc::new(3)));
    assert_eq!(Eventual::from_value(Rc::new(4)).get(), Ok(&Rc::new(4)));
}

#[test]
fn it_can_be_printed() {
    let (chan, port) = oneshot::<u64>();
    let kinds = [Eventual::from_value(1), Eventual::from_port(port), Eventual::lazy(|| 2)];
    let printed = kinds.map(|eventual| format!("{eventual:?}"));
    assert_eq!(printed, ["Eventual(value)", "Eventual(port)", "Eventual(lazy)"]);
    drop(chan);
    let mut failed = Eventual::<u64>::from_port(oneshot().1);
    assert!(failed.get().is_err());
    assert_eq!(format!("{failed:?}"), "Eventual(failed)");
}
