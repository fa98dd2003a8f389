//! A template: copy this folder, and replace what is about Collatz sequences.
//!
//! Each number up to a limit goes through one stage, which counts its steps to 1: it is halved if it is even,
//! and otherwise tripled and increased. The sink notes the steps, in order, in a digest.
//!
//! Verified: the number of results, and a hash of them in order, against the sequential program.

mod scoped;

use std::io;

use clap::Args;
use serde::Serialize;

use crate::streams::{Class, Digest, Flow, Prepared, Stream, Suite};
use pipes_benches::harness::Contender;
use pipes_benches::options::up_to;

/// The program's own options. All others are those of the suite.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Template {
    /// The last number, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<u64>,
}

impl Template {
    /// The program up to this number.
    pub fn up_to(last: u64) -> Template {
        Template { numbers: Some(last) }
    }
}

impl Stream for Template {
    const NAME: &'static str = "template";
    const ABOUT: &'static str = "Count the steps of Collatz sequences; one op is one sequence";
    const UNIT: &'static str = "sequences";
    /// Contenders beside those of the suite: here one, in a file of its own.
    const OWN: &'static [Contender<Suite<Self>>] = &[Contender::new(scoped::NAME, scoped::SOURCES)
        .in_its_own_way(|_, at: &Prepared<Self>| at.run_own(scoped::NAME, scoped::run))];

    type Flow = Numbers;

    /// What is prepared before the clock starts.
    fn flow(&self, class: Class) -> io::Result<Numbers> {
        let last =
            self.numbers.unwrap_or(class.of([100_000, 1_000_000, 10_000_000, 60_000_000, 200_000_000]));
        Ok(Numbers { last })
    }
}

/// The numbers up to a last one.
#[derive(Debug)]
pub struct Numbers {
    last: u64,
}

impl Flow for Numbers {
    /// A number, and behind the stage its steps.
    type Item = u64;
    type Sink = Digest;
    type Answer = Digest;

    const STAGES: &'static [&'static str] = &["steps"];

    fn ops(&self) -> u64 {
        self.last
    }

    fn source(&self) -> io::Result<impl Iterator<Item = u64> + Send + 'static> {
        Ok(1..=self.last)
    }

    /// With several stages, this is a `match` on their number.
    fn work(&self, _stage: usize, number: u64) -> u64 {
        steps(number)
    }

    fn sink(&self) -> io::Result<Digest> {
        Ok(Digest::default())
    }

    fn take(&self, digest: &mut Digest, steps: u64) -> io::Result<()> {
        digest.note(steps);
        Ok(())
    }

    fn answer(&self, digest: &Digest) -> io::Result<Digest> {
        Ok(*digest)
    }

    fn verify(&self, digest: &Digest, due: &Digest) -> Result<(), String> {
        digest.verify(due)
    }

    fn spoil(&self, digest: &mut Digest) {
        digest.note(0);
    }
}

/// The number of steps to 1.
fn steps(mut number: u64) -> u64 {
    let mut steps = 0;
    while number != 1 {
        number = if number.is_multiple_of(2) { number / 2 } else { 3 * number + 1 };
        steps += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::answers;

    #[test]
    fn the_steps_are_the_known_ones() {
        assert_eq!([1, 2, 3, 27, 97].map(steps), [0, 1, 7, 111, 118]);
    }

    /// Every contender, in every shape; the wrong one must not pass.
    #[test]
    fn all_contenders_agree() {
        let (right, wrong) = answers(Template::up_to(1000));
        assert_eq!(
            right,
            ["pipes", "sequential", "threads", "tokio", "tokio-narrow", "pariter", "rayon", "scoped"]
        );
        assert_eq!(wrong, ["faulty"]);
    }
}
