//! A receiver written by hand that asks to be looked at again at once, as a future may that lets others go first: a limit of time holds
//! beside it all the same.

use pipes::{Readiness, Receive, TryRecvError, select, stream};
use pipes_tests::watched;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Never has anything, and always wants to be asked again.
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

/// What comes beside it is received.
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
