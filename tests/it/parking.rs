//! User code that parks the thread between a wait's registration and its own park. It consumes the thread's
//! unpark token, and the wait must end all the same.

use pipes::{Closing, Readiness, oneshot, select, select_async, shared_stream, stream};
use pipes_skeleton::{Gather, Processed, from_fn};
use pipes_tests::{Bell, poll_future, watched};
use std::cell::Cell;
use std::mem::forget;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Waker};
use std::thread::{self, park_timeout};
use std::time::{Duration, Instant};

/// Another thread that does something on request.
struct Other {
    go: Sender<()>,
    done: Receiver<()>,
}

impl Other {
    fn that(does: impl FnOnce() + Send + 'static) -> Self {
        let ((go, gone), (finished, done)) = (channel(), channel());
        thread::spawn(move || {
            gone.recv().expect("it is asked");
            does();
            finished.send(()).expect("it is waited for");
        });
        Other { go, done }
    }

    /// Lets the other thread act, and consumes any unpark token of this thread.
    fn act(self) {
        self.go.send(()).expect("the other thread is there");
        self.done.recv().expect("the other thread does not fail");
        park_timeout(Duration::ZERO);
    }

    /// Does the same when the last clone of the waker is dropped.
    fn act_at_last(self) -> Waker {
        Bell::at_last(|| self.act())
    }
}

/// Registers this waker with the receiver.
fn leave(waker: Waker, receiver: &mut impl Readiness) {
    assert!(receiver.poll_ready(&mut Context::from_waker(&waker)).is_pending());
}

#[test]
fn a_wait_for_the_close_of_a_shared_stream() {
    watched(|| {
        let (mut chan, port) = shared_stream::<u32>();
        let waker = Other::that(move || drop(port)).act_at_last();
        assert!(chan.poll_closed(&mut Context::from_waker(&waker)).is_pending());
        drop(waker);
        chan.wait_closed();
        assert!(Closing::is_closed(&chan));
    });
}

/// The receiver that is polled first is random. In many of the rounds it is the one whose message comes while
/// the other is polled.
#[test]
fn a_selection() {
    watched(|| {
        for round in 0..32 {
            let (chan, mut first) = oneshot();
            let (_silent, mut second) = stream::<u32>();
            leave(
                Other::that(move || chan.send(round).expect("it is waited for")).act_at_last(),
                &mut second,
            );
            let chosen = select! {
                message = first => message,
                _ = second => panic!("nothing was sent there"),
            };
            assert_eq!(chosen, Ok(round));
        }
    });
}

/// A receive of this library is the code that parks the thread.
#[test]
fn a_selection_with_a_wait_inside() {
    watched(|| {
        for round in 0..32 {
            let (chan, mut first) = oneshot();
            let (_silent, mut second) = stream::<u32>();
            let (mut answer, mut answered) = stream();
            let (go, gone) = channel();
            thread::spawn(move || {
                gone.recv().expect("it is asked");
                chan.send(round).expect("it is waited for");
                answer.send(()).expect("it is waited for");
            });
            let waker = Bell::at_last(move || {
                go.send(()).expect("the other thread is there");
                answered.recv().expect("it answers");
                assert!(answered.recv().is_err(), "and leaves");
            });
            leave(waker, &mut second);
            let chosen = select! {
                message = first => message,
                _ = second => panic!("nothing was sent there"),
            };
            assert_eq!(chosen, Ok(round));
        }
    });
}

/// A user's own receiver.
struct Own(Cell<Option<Other>>);

impl Readiness for Own {
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        if let Some(other) = self.0.take() {
            other.act();
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

impl Own {
    fn recv(self) {
        unreachable!("it is never ready")
    }
}

#[test]
fn a_selection_with_a_receiver_of_the_users() {
    watched(|| {
        for round in 0..32 {
            let (chan, mut first) = oneshot();
            let mut own =
                Own(Cell::new(Some(Other::that(move || chan.send(round).expect("it is waited for")))));
            let chosen = select! {
                message = first => message,
                () = own => unreachable!(),
            };
            assert_eq!(chosen, Ok(round));
        }
    });
}

#[test]
fn a_receive_from_a_shared_port() {
    watched(|| {
        let (mut chan, port) = stream();
        let mut port = port.into_shared();
        let waker = Other::that(move || chan.send(7).expect("it is waited for")).act_at_last();
        let mut polled = port.recv_async();
        assert!(poll_future(&mut polled, &waker).is_pending());
        // A forgotten future keeps its waker in the line.
        forget(polled);
        drop(waker);
        assert_eq!(port.recv(), Ok(7));
    });
}

/// A stage that lets its source go on in the middle of the stage's own wait.
struct Late(Cell<Option<Other>>);

impl Gather<u32> for Late {
    type Out = u32;

    fn take(&mut self, item: u32, emit: &mut impl FnMut(u32) -> Processed) -> Processed {
        emit(item)
    }

    fn deadline(&self) -> Option<Instant> {
        if let Some(other) = self.0.take() {
            other.act();
        }
        None
    }
}

#[test]
fn a_stage_whose_deadline_is_the_users() {
    watched(|| {
        let ((give, gift), (ask, asked)) = (channel(), channel());
        let source = from_fn(move || {
            // The source is asked for the next item, so the one before was handed on.
            ask.send(()).expect("the test goes on");
            gift.recv().ok()
        });
        let other = Other::that(move || {
            asked.recv().expect("the source begins");
            give.send(7).expect("the source waits");
            asked.recv().expect("the source goes on");
        });
        let items = source.gather(Late(Cell::new(Some(other)))).collect();
        assert_eq!(items.expect("no stage fails"), [7]);
    });
}

/// A task has no unpark token to lose: its executor remembers that it was woken.
#[test]
fn a_selection_in_a_task() {
    watched(|| {
        let (chan, mut first) = oneshot();
        let (_silent, mut second) = stream::<u32>();
        leave(Other::that(move || chan.send(7).expect("it is waited for")).act_at_last(), &mut second);
        let chosen = futures::executor::block_on(async {
            select_async! {
                message = first => message,
                _ = second => panic!("nothing was sent there"),
            }
        });
        assert_eq!(chosen, Ok(7));
    });
}
