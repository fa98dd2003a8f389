//! A receiver written by hand around a port of capacity 0, whose sender withdraws its offers. A selection
//! with `default` must never block, even if the offer is withdrawn between the look and the receive.

use pipes::{Port, Readiness, Receive, TryRecvError, select, sync_stream};
use pipes_tests::{effort, spin_while, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

/// Forwards all that a user sees of the trait `Readiness`.
struct Logged<P>(P);

impl<P: Readiness> Readiness for Logged<P> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_ready(cx)
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.0.wait(deadline)
    }

    fn is_ready(&self) -> bool {
        self.0.is_ready()
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

impl Receive for &mut Logged<Port<u32>> {
    type Message = u32;

    fn try_recv(self) -> Result<u32, TryRecvError<Self>> {
        match self.0.try_recv() {
            Ok(number) => Ok(number),
            Err(TryRecvError::Closed) => Err(TryRecvError::Closed),
            Err(TryRecvError::Empty(())) => Err(TryRecvError::Empty(self)),
        }
    }
}

/// The sender offers once in each round, for a moment, and is silent until the next round.
fn never_blocks(mut look: impl FnMut(Port<u32>, &mut dyn FnMut() -> bool) -> Port<u32> + Send + 'static) {
    watched(move || {
        let (mut chan, mut port) = sync_stream(0);
        let (begun, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let rounds = effort(100_000);
        let sender = {
            let (begun, ended) = (begun.clone(), ended.clone());
            thread::spawn(move || {
                for round in 1..=rounds {
                    spin_while(|| begun.load(SeqCst) < round);
                    let _ = chan.send_timeout(1, Duration::from_nanos(1_000 + round as u64 % 1_000));
                    ended.store(round, SeqCst);
                }
            })
        };
        for round in 1..=rounds {
            begun.store(round, SeqCst);
            let mut looks = 0_u32;
            port = look(port, &mut || {
                looks += 1;
                if looks.is_multiple_of(64) {
                    // The sender may wait for this processor.
                    thread::yield_now();
                }
                ended.load(SeqCst) < round
            });
        }
        sender.join().expect("it does not panic");
    });
}

#[test]
fn a_port() {
    never_blocks(|mut port, is_on| {
        while is_on() {
            select! { _ = port => {} default => {} }
        }
        port
    });
}

#[test]
fn one_written_by_hand() {
    never_blocks(|port, is_on| {
        let mut logged = Logged(port);
        while is_on() {
            select! { _ = logged => {} default => {} }
        }
        logged.0
    });
}
