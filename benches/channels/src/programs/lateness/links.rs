//! The timer and the receiver over any library's channel.

use std::io;
use std::time::{Duration, Instant};

use super::Lateness;
use pipes_benches::executor::Executor;
use pipes_benches::harness::Tally;
use pipes_benches::links::{TaskChan, TaskPort};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("links.rs");

/// The version of the program over a library's own endpoints.
pub const SOURCES: &[&str] = &[SOURCE];

/// What happened in a run.
#[derive(Debug)]
pub struct Ran {
    /// How long after its time the timer's task ran.
    pub lateness: Duration,
    /// How long it took to receive all messages.
    pub receiving: Duration,
    /// What was received.
    pub received: Tally,
}

/// What the receiver has to report: the moments of its first and of its last step, and what came between.
struct Receipt {
    begun: Instant,
    ended: Instant,
    received: Tally,
}

impl Ran {
    /// The run in which a timer was due and its task ran at these moments, or why it shows nothing.
    fn new(due: Instant, ran: Instant, receipt: Receipt) -> io::Result<Ran> {
        let Receipt { begun, ended, received } = receipt;
        if ended < due {
            let what = "all messages had been received before the timer was due; more --messages are needed";
            return Err(io::Error::other(what));
        }
        Ok(Ran { lateness: ran - due, receiving: ended - begun, received })
    }
}

/// Runs the timer and the receiver as tasks.
pub fn on_tasks<C, P>(
    lateness: &Lateness,
    executor: &Executor,
    (mut chan, mut port): (C, P),
) -> io::Result<Ran>
where
    C: TaskChan<u64>,
    P: TaskPort<u64>,
{
    let (messages, after) = (lateness.messages, lateness.after());
    // This one is polled first.
    let timer = async move {
        for value in 0..messages {
            // If a send fails, the verification finds what is missing.
            if chan.send(value).await.is_err() {
                break;
            }
        }
        drop(chan);
        let sleep = tokio::time::sleep(after);
        let due = sleep.deadline().into_std();
        sleep.await;
        (due, Instant::now())
    };
    let receiver = async move {
        let (mut received, begun) = (Tally::default(), Instant::now());
        while let Ok(value) = port.recv().await {
            received.note_multiple(value, 1);
        }
        Receipt { begun, ended: Instant::now(), received }
    };
    let ((due, ran), receipt) = executor.both(timer, receiver);
    Ran::new(due, ran, receipt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_that_nothing_kept_from_running_is_an_error() {
        let begun = Instant::now();
        let at = |ms| begun + Duration::from_millis(ms);
        let ran = |ended| Ran::new(at(5), at(7), Receipt { begun, ended, received: Tally::default() });
        let seen = ran(at(9)).expect("the receiver was busy when the timer was due");
        assert_eq!((seen.lateness, seen.receiving), (Duration::from_millis(2), Duration::from_millis(9)));
        // It kept the timer from running until it had ended.
        assert!(ran(at(6)).is_ok());
        let told = ran(at(4)).expect_err("it had ended");
        assert!(told.to_string().contains("more --messages are needed"), "{told}");
    }
}
