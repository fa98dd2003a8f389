//! Receivers that are written by hand, in selections.

use pipes::{Port, Readiness, Receive, TryRecvError, select, stream, sync_stream};
use pipes_tests::{effort, spawn, spin_while, test_in, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A receiver of the user's.
enum ByHand {
    /// Forwards what a user sees of a port.
    Forward(Port<u32>),
    /// Is never ready, and wakes its task in each poll.
    Restless,
}

impl Readiness for ByHand {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self {
            ByHand::Forward(port) => port.poll_ready(cx),
            ByHand::Restless => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        unreachable!("a selection polls")
    }

    fn is_ready(&self) -> bool {
        matches!(self, ByHand::Forward(port) if port.is_ready())
    }

    fn is_closed(&self) -> bool {
        matches!(self, ByHand::Forward(port) if port.is_closed())
    }
}

impl Receive for &mut ByHand {
    type Message = u32;

    fn try_recv(self) -> Result<u32, TryRecvError<Self>> {
        let received = match self {
            ByHand::Forward(port) => port.try_recv(),
            ByHand::Restless => Err(TryRecvError::Empty(())),
        };
        received.map_err(|error| match error {
            TryRecvError::Empty(()) => TryRecvError::Empty(self),
            TryRecvError::Closed => TryRecvError::Closed,
        })
    }
}

/// A selection with `default` does not block, also if an offer is taken back between the look and the
/// receive. The sender offers once in each round, and is silent until the next one.
#[test_in(watched)]
fn an_offer_that_is_taken_back_during_a_look() {
    let (mut chan, port) = sync_stream(0);
    let (begun, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (begins, ends) = (begun.clone(), ended.clone());
    let rounds = effort(2_000);
    let sending = spawn(move || {
        for round in 1..=rounds {
            spin_while(|| begins.load(SeqCst) < round);
            let _ = chan.send_timeout(1, Duration::from_nanos(1_000 + round as u64 % 1_000));
            ends.store(round, SeqCst);
        }
    });
    let mut forward = ByHand::Forward(port);
    for round in 1..=rounds {
        begun.store(round, SeqCst);
        spin_while(|| {
            select! { _ = forward => {} default => {} }
            ended.load(SeqCst) < round
        });
    }
    sending.join().expect("it does not panic");
}

/// Beside a receiver that wakes its task in each poll, a selection ends: by its timeout, or by a message.
#[test_in(watched)]
fn a_receiver_that_wakes_its_own_task() {
    let mut restless = ByHand::Restless;
    let (mut chan, mut port) = stream::<u32>();
    let is_late = select! {
        _ = port => false,
        _ = restless => false,
        timeout(Duration::from_millis(5)) => true,
    };
    assert!(is_late);
    let sending = spawn(move || chan.send(7));
    let message = select! {
        number = port => number,
        number = restless => number,
    };
    assert_eq!(message, Ok(7));
    sending.join().expect("it does not panic").expect("it is received");
}
