//! `select_async!` with limits, which are futures of any type.

use futures::executor::block_on;
use futures::future::{pending, ready};
use pipes::{oneshot, select_async, shared_sync_stream, stream, sync_stream};
use pipes_tests::{WakeCounter, poll_future, spawn};
use std::task::Poll;

/// The timer is a future of any type, such as a port. It is evaluated once, and loses against a receiver that
/// is ready.
#[test]
fn with_a_timer() {
    let ((mut chan, mut port), (timer, timer_port)) = (stream(), oneshot::<()>());
    let mut timer_port = Some(timer_port);
    let mut waiting = Box::pin(async {
        select_async! {
            number = port => number,
            timeout(timer_port.take().expect("it is evaluated once")) => Ok(99),
        }
    });
    let (wakes, waker) = WakeCounter::new();
    assert!(poll_future(&mut waiting, &waker).is_pending());
    drop(timer);
    assert_eq!(wakes.count(), 1);
    assert_eq!(poll_future(&mut waiting, &waker), Poll::Ready(Ok(99)));
    drop(waiting);
    (1..3).for_each(|number| chan.send(number).expect("the port is here"));
    block_on(async {
        assert_eq!(select_async! { number = port => number, timeout(ready("now")) => Ok(99) }, Ok(1));
        assert_eq!(select_async! { timeout(pending::<()>()) => Ok(99), number = port => number }, Ok(2));
        assert_eq!(select_async! { number = port => number, timeout(ready(())) => Ok(99) }, Ok(99));
    });
}

/// A future that contains a `select_async!` is `Send`, also with arms that send.
#[test]
fn it_is_send() {
    fn sendable<F: Future + Send>(future: F) -> F {
        future
    }
    let ((one, first), (_two, second)) = (oneshot::<u64>(), stream::<String>());
    let ((full, _full), (many, _many)) = (sync_stream(1), shared_sync_stream(1));
    let task = sendable(async move {
        let (mut first, mut second, mut full, mut many) = (first, second, full, many);
        full.send(1).expect("there is room");
        select_async! {
            number = first => number.is_ok(),
            word = second => word.is_ok(),
            sent = full.send(2) => sent.is_ok(),
            sent = many.send(ready(2).await), if many.is_closed() => sent.is_ok(),
            timeout(pending::<()>()) => false,
        }
    });
    one.send(1).expect("it is waited for");
    assert!(spawn(move || block_on(task)).join().expect("it does not panic"));
}
