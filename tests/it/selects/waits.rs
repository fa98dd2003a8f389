//! What a thread that has slept in a `select!` leaves behind, and what it looks at last.

use crate::acceptance::Sleeper;
use pipes::{Readiness, Receive, RecvError, TryRecvError, select, stream};
use pipes_tests::{test_in, watched};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A port that a thread once waited for in a `select!` may still unpark it. The thread may be parked
/// elsewhere by then, and that wait goes on.
#[test_in(watched)]
fn a_stale_registration_disturbs_nobody() {
    let ((mut one, mut first), (mut two, mut second)) = (stream::<u64>(), stream::<u64>());
    let (mut three, mut third) = stream::<u64>();
    let waiting = Sleeper::spawn(move || {
        select! {
            number = first => assert_eq!(number, Ok(1)),
            number = second => panic!("nobody sent {number:?}"),
        }
        // The second port may unpark the thread once, while it waits for the third: it goes back to
        // sleep.
        (third.recv(), second.recv())
    });
    waiting.sleep_in_channel();
    one.send(1).expect("it waits");
    waiting.sleep_in_channel();
    two.send(2).expect("the port is there");
    waiting.sleep_in_channel();
    three.send(3).expect("it waits");
    assert_eq!(waiting.join().expect("it does not panic"), (Ok(3), Ok(2)));
}

/// Is closed after the first poll, and wakes no thread.
struct Unseen(bool);

impl Readiness for Unseen {
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        self.0 = true;
        Poll::Pending
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        self.0
    }

    fn is_ready(&self) -> bool {
        false
    }

    fn is_closed(&self) -> bool {
        self.0
    }
}

impl Receive for Unseen {
    type Message = ();

    fn try_recv(self) -> Result<(), TryRecvError<Self>> {
        Err(TryRecvError::Closed)
    }
}

#[test_in(watched)]
fn all_are_looked_at_after_the_deadline() {
    let mut closed = Unseen(false);
    select! {
        message = closed => assert_eq!(message, Err(RecvError)),
        // On a busy machine, the time may pass before the first poll.
        timeout(Duration::from_millis(20)) => assert!(!closed.0, "it was closed before"),
    }
}
