//! What a consumer does with a message, and what it notes of it.

use clap::ValueEnum;
use serde::Serialize;

use crate::senders::parts;
use pipes_benches::harness::Tally;
use pipes_benches::work::{mix, steps_per_microsecond};

/// The work on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
pub enum Kind {
    /// None.
    #[value(name = "none")]
    #[serde(rename = "none")]
    None,
    /// A microsecond.
    #[value(name = "1us")]
    #[serde(rename = "1us")]
    OneMicrosecond,
}

/// The work on a message, which can be done on any thread.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// How often the bits of a message are mixed, if at all.
    steps: Option<u64>,
}

impl Work {
    /// Work that takes the specified time on this machine.
    pub fn new(kind: Kind) -> Work {
        let steps = match kind {
            Kind::None => None,
            Kind::OneMicrosecond => Some(steps_per_microsecond() as u64),
        };
        Work { steps }
    }

    /// The result of a message: the message itself, if there is no work.
    #[inline]
    pub fn on(self, message: u64) -> u64 {
        self.steps.map_or(message, |steps| mix(message, steps))
    }
}

/// The messages of one producer at one consumer.
#[derive(Clone, Debug, Default)]
struct Series {
    tally: Tally,
    /// The least number that the next message may have.
    next: u64,
}

/// What a consumer has received.
#[derive(Debug)]
pub struct Consumer {
    producers: Vec<Series>,
    /// The sum of the results.
    results: u64,
}

impl Consumer {
    /// A consumer of what these producers send.
    pub fn new(producers: u64) -> Consumer {
        Consumer { producers: vec![Series::default(); producers as usize], results: 0 }
    }

    /// Does the work of a message, and records it.
    #[inline]
    pub fn take(&mut self, message: u64, work: Work) {
        self.results = self.results.wrapping_add(work.on(message));
        let (producer, number) = parts(message);
        // If a message names a wrong producer, the verification finds it missing elsewhere.
        if let Some(series) = self.producers.get_mut(producer) {
            // Numbers that other consumers have received are left out here, but they never go back.
            series.tally.note(number, number.max(series.next));
            series.next = number + 1;
        }
    }

    /// What has arrived from this producer.
    pub fn tally(&self, producer: u64) -> Tally {
        self.producers[producer as usize].tally
    }

    /// The sum of the results, modulo 2^64.
    pub fn results(&self) -> u64 {
        self.results
    }
}
