//! A receive of a shared port is polled, registers its waker, and is then dropped; its receiver is kept. A
//! message must wake another receiver: it would lie in the stream while that one sleeps.

use super::executor::{run, task};
use futures::FutureExt;
use pipes::{oneshot, stream};
use pipes_tests::{Bell, poll_future, watched};

/// The future of `recv_async()` is dropped, as a timeout does it, before the message comes or after that.
#[test]
fn a_dropped_receive_swallows_no_call() {
    for is_sent_before in [false, true] {
        let (mut chan, port) = stream();
        let mut kept = port.into_shared();
        let mut other = kept.clone();
        let ((one, one_waker), (two, two_waker)) = (Bell::new(), Bell::new());
        let mut given_up = kept.recv_async();
        assert!(poll_future(&mut given_up, &one_waker).is_pending());
        let mut waiting = other.recv_async();
        assert!(poll_future(&mut waiting, &two_waker).is_pending());
        if is_sent_before {
            chan.send(1).expect("two receivers are there");
            drop(given_up);
        } else {
            drop(given_up);
            chan.send(1).expect("two receivers are there");
        }
        assert_eq!(one.rings(), usize::from(is_sent_before));
        assert_eq!(two.rings(), 1, "the message is there, and no other receiver looks for it");
    }
}

/// One task selects between the port and a signal. After the signal it waits for the answer of another task,
/// which needs the message.
#[test]
fn a_task_that_chose_something_else() {
    watched(|| {
        let (mut chan, port) = stream();
        let mut first = port.into_shared();
        let mut second = first.clone();
        let (signal, signalled) = oneshot();
        let (chosen, has_chosen) = oneshot();
        let (answer, answered) = oneshot();
        let choosing = task(async move {
            let mut signalled = signalled.into_future().fuse();
            futures::select! {
                message = first.recv_async().fuse() => panic!("nothing was sent: {message:?}"),
                done = signalled => assert_eq!(done, Ok(())),
            }
            chosen.send(()).expect("it is waited for");
            assert_eq!(answered.await, Ok(2), "the other receiver gets the message");
            drop(first);
        });
        let receiving = task(async move {
            let message = second.recv_async().await.expect("it is sent");
            answer.send(2 * message).expect("it is waited for");
        });
        let sending = task(async move {
            signal.send(()).expect("it is waited for");
            has_chosen.await.expect("the signal comes");
            chan.send(1).expect("two receivers are there");
        });
        run([choosing, receiving, sending]);
    });
}
