//! How late a timer is whose task shares a thread with a task that receives in a loop.
//!
//! One task sends all messages, and then sleeps until a timer is due. The other one receives them, one by
//! one, in a loop. Both are on a tokio runtime with one worker, which looks at its timers only between two
//! polls of tasks: the timer is late if the receiver does not give way. An op is the timer, and its time is
//! the lateness, from the moment when the timer was due to that when its task ran. tokio's timers count whole
//! milliseconds and are rounded up, so up to one millisecond of it is the timer's own.
//!
//! The clock starts when the messages are there. No send waits, so the receiver runs for the first time when
//! the other task sleeps. If all messages have been received when the timer is due, nothing has kept it from
//! running, and the run fails.
//!
//! `pipes-next` and `pipes-set` receive the messages of one stream like `pipes`, but as a `Stream` of
//! `futures` and through a `PortSet`.
//!
//! Verified: 0, 1, 2, … have been received, in this order and completely.

mod forms;
mod links;

use std::io;
use std::time::Duration;

use clap::Args;
use crossfire::spsc;
use serde::Serialize;
use serde_json::{Map, Value};

use links::{Ran, on_tasks};
use pipes_benches::executor::{Executor, On};
use pipes_benches::harness::{Contender, Experiment, Program, Tally};
use pipes_benches::options::{MOST_QUEUED, up_to};

/// The figure beside the lateness.
const PER_MESSAGE: &str = "ns_per_message";

/// The options of the lateness.
#[derive(Args, Clone, Serialize)]
pub struct Lateness {
    /// Queued messages; an error if all of them are received before the timer is due
    #[arg(long, value_name = "N", default_value_t = 5_000_000, value_parser = up_to(MOST_QUEUED))]
    messages: u64,
    /// Milliseconds after which the timer is due
    #[arg(long, value_name = "MS", default_value_t = 5, value_parser = up_to(10_000))]
    after: u64,
}

impl Lateness {
    /// How long the timer runs.
    fn after(&self) -> Duration {
        Duration::from_millis(self.after)
    }
}

impl Program for Lateness {
    const NAME: &'static str = "lateness";
    const ABOUT: &'static str =
        "Receive queued messages beside a timer; one op is the timer, and its time is how late it is";
    const UNIT: &'static str = "timers";
    const PLACES: &'static [On] = &[On::Tasks];
    const QUICK: &'static [&'static str] = &["--messages", "400000", "--after", "1"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", links::SOURCES)
            .on_tasks(|lateness, at| on_tasks(lateness, at, pipes::stream())),
        Contender::new("pipes-next", forms::SOURCES)
            .on_tasks(|lateness, at| on_tasks(lateness, at, forms::next())),
        Contender::new("pipes-set", forms::SOURCES)
            .on_tasks(|lateness, at| on_tasks(lateness, at, forms::set())),
        Contender::new("flume", links::SOURCES)
            .on_tasks(|lateness, at| on_tasks(lateness, at, flume::unbounded())),
        Contender::new("kanal", links::SOURCES)
            .on_tasks(|lateness, at| on_tasks(lateness, at, kanal::unbounded_async())),
        Contender::new("crossfire", links::SOURCES)
            .on_tasks(|lateness, at| on_tasks(lateness, at, spsc::unbounded_async())),
        Contender::new("tokio", links::SOURCES)
            .on_tasks(|lateness, at| on_tasks(lateness, at, tokio::sync::mpsc::unbounded_channel())),
        Contender::new("futures", links::SOURCES)
            .on_tasks(|lateness, at| on_tasks(lateness, at, futures::channel::mpsc::unbounded())),
    ];

    type Setting = Executor;
    type Outcome = Ran;

    fn ops(&self, _: &Executor) -> u64 {
        1
    }

    fn on(&self) -> On {
        On::Tasks
    }

    fn setting(&self) -> io::Result<Executor> {
        Executor::with_timers()
    }

    fn verify(&self, _: &Executor, ran: &Ran) -> Result<(), String> {
        ran.received.verify("the receiver", &Tally::of_multiples(1, self.messages))
    }

    fn own_time(ran: &Ran) -> Option<Duration> {
        Some(ran.lateness)
    }

    /// One point, for the time of a message to be in the row of its contender.
    fn experiment(&self) -> Option<Experiment<Self>> {
        let points = vec![(self.messages.to_string(), self.clone())];
        Some(Experiment { option: "messages", points, drawn: (PER_MESSAGE, PER_MESSAGE) })
    }

    fn figures(&self, _: &Executor, ran: &Ran) -> Map<String, Value> {
        let per_message = ran.receiving.as_secs_f64() * 1e9 / self.messages as f64;
        Map::from_iter([(PER_MESSAGE.to_owned(), per_message.into())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_message_is_told() {
        let at = Executor::with_timers().expect("the executor starts");
        let lateness = Lateness { messages: 3, after: 5 };
        let ran = |received| Ran { lateness: Duration::ZERO, receiving: Duration::ZERO, received };
        assert_eq!(lateness.verify(&at, &ran(Tally::of_multiples(1, 3))), Ok(()));
        let told = lateness.verify(&at, &ran(Tally::of_multiples(1, 2)));
        assert!(told.is_err_and(|difference| difference.starts_with("the receiver received 2 values")));
    }

    #[test]
    fn every_form_receives_every_message() {
        let at = Executor::with_timers().expect("the executor starts");
        // No queue is too short for a timer that is due at once.
        let lateness = Lateness { messages: 300, after: 0 };
        for contender in Lateness::contenders() {
            let run = contender.run_on(On::Tasks).expect("it runs on tasks");
            let ran = run(&lateness, &at).expect("it was busy");
            assert_eq!(lateness.verify(&at, &ran), Ok(()), "{}", contender.name);
        }
    }
}
