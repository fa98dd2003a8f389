//! A thread waits, and user code that runs inside this wait waits as well, and uses up the thread's unpark
//! token.

use futures_core::Stream;
use loom::thread;
use pipes::{Readiness, oneshot, select, shared_stream, stream};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

/// A waker that waits for an answer when it is dropped.
struct Asks(Mutex<Option<pipes::PortOne<()>>>);

impl Asks {
    fn waker(answer: pipes::PortOne<()>) -> Waker {
        Arc::new(Asks(Mutex::new(Some(answer)))).into()
    }
}

impl Wake for Asks {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Asks {
    fn drop(&mut self) {
        let answer = self.0.get_mut().expect("no model panics with the lock").take();
        answer.expect("it is dropped once").recv().expect("it is answered");
    }
}

#[test]
fn for_the_close_of_a_shared_stream() {
    loom::model(|| {
        let ((mut chan, port), (answer, answered)) = (shared_stream::<()>(), oneshot());
        // The thread that drops the waker, which may be the one that leaves, gets an answer.
        let others = [thread::spawn(move || drop(port)), thread::spawn(move || answer.send(()).unwrap())];
        let waker = Asks::waker(answered);
        let polled = chan.poll_closed(&mut Context::from_waker(&waker));
        drop(waker);
        if polled.is_pending() {
            chan.wait_closed();
        }
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

#[test]
fn for_one_of_two() {
    loom::model(|| {
        let ((chan, mut first), (_silent, mut second)) = (oneshot(), stream::<()>());
        let (answer, answered) = oneshot();
        let waker = Asks::waker(answered);
        assert!(second.poll_ready(&mut Context::from_waker(&waker)).is_pending());
        drop(waker);
        let other = thread::spawn(move || {
            chan.send(7).expect("it is waited for");
            answer.send(()).expect("it is waited for");
        });
        select! {
            message = first => assert_eq!(message, Ok(7)),
            _ = second => panic!("nothing was sent there"),
        }
        other.join().unwrap();
    });
}

#[test]
fn for_one_of_those_that_share_a_port() {
    loom::model(|| {
        let ((mut chan, port), (answer, answered)) = (stream(), oneshot());
        let port = port.into_shared();
        let mut polled = port.clone();
        let waker = Asks::waker(answered);
        assert!(Pin::new(&mut polled).poll_next(&mut Context::from_waker(&waker)).is_pending());
        drop(waker);
        let others = [
            thread::spawn(move || chan.send(7).expect("it is waited for")),
            thread::spawn(move || answer.send(()).unwrap()),
        ];
        assert_eq!(port.recv(), Ok(7));
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

/// A user's receiver that waits for one of its answers each time it is polled.
struct OwnedHalf(Vec<pipes::PortOne<()>>);

impl Readiness for OwnedHalf {
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        if let Some(answer) = self.0.pop() {
            answer.recv().expect("it is answered");
        }
        Poll::Pending
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        unreachable!("a selection polls")
    }

    fn is_ready(&self) -> bool {
        false
    }

    fn is_closed(&self) -> bool {
        false
    }
}

impl OwnedHalf {
    fn recv(self) {
        unreachable!("it is never ready")
    }
}

/// When a wait looks again, it sees the message that its waker was called for, even if user code has used up
/// the unpark token.
#[test]
fn what_the_mark_tells() {
    pipes::__private::track_flags();
    loom::model(|| {
        let ((chan, mut first), (answer, answered)) = (oneshot(), oneshot());
        let (again, answered_again) = oneshot();
        let other = thread::spawn(move || {
            answer.send(()).expect("it is waited for");
            chan.send(7).expect("it is waited for");
            let _ = again.send(());
        });
        let mut own = OwnedHalf(vec![answered_again, answered]);
        select! {
            message = first => assert_eq!(message, Ok(7)),
            () = own => unreachable!(),
        }
        drop(own);
        other.join().unwrap();
    });
}
