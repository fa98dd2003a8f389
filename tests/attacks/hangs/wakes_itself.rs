//! A receiver written by hand that wakes its task in each poll, as a future does that yields. A time limit
//! beside it must hold all the same, and other receivers must be received from.

use pipes::{Readiness, Receive, TryRecvError, select, stream};
use pipes_tests::watched;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Is never ready, and wakes its task in each poll.
struct Restless;

impl Readiness for Restless {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        cx.waker().wake_by_ref();
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

impl Receive for &mut Restless {
    type Message = u32;

    fn try_recv(self) -> Result<u32, TryRecvError<Self>> {
        Err(TryRecvError::Empty(self))
    }
}

#[test]
fn a_selection_with_a_limit() {
    watched(|| {
        let (_chan, mut port) = stream::<u32>();
        let mut restless = Restless;
        let mut restless = &mut restless;
        let is_late = select! {
            _ = port => false,
            _ = restless => false,
            timeout(Duration::from_millis(10)) => true,
        };
        assert!(is_late);
    });
}

/// A message that comes beside it must be received.
#[test]
fn a_selection_with_another_receiver() {
    watched(|| {
        let (mut chan, mut port) = stream();
        let sender = std::thread::spawn(move || chan.send(7));
        let mut restless = Restless;
        let mut restless = &mut restless;
        let got = select! {
            number = port => number,
            number = restless => number,
        };
        assert_eq!(got, Ok(7));
        sender.join().expect("it does not panic").expect("it is received");
    });
}
