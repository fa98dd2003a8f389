//! 25 — A stage with a state: a struct that implements `Stage`.
//!
//! You will see: the changes that a thermometer shows, numbered, without impossible readings.
//! New here: `Stage`, items that are dropped, stages in one thread (`then`), a state for each replica.
//! Before: 24_farm. Next: 26_keyed_farm.
//!
//!     cargo run --example 25_stateful_stage

use pipes_skeleton::{Failure, Processed, Stage, filter, from_iter};

/// Lets a reading through if it differs from the one before.
#[derive(Default)]
struct Changes {
    last: Option<i32>,
}

impl Stage<i32> for Changes {
    type Out = i32;

    /// An emitted item goes to the next stage at once. One item may become none, as here, or several.
    fn process(&mut self, reading: i32, emit: &mut impl FnMut(i32) -> Processed) -> Processed {
        if self.last.replace(reading) == Some(reading) {
            return Ok(());
        }
        emit(reading)
    }
}

fn main() -> Result<(), Failure> {
    let readings = [20, 20, 21, -99, 21, 22, 22, 22, 21];

    // A stage can be a closure, one of `filter`, `flat_map` and so on, or a struct. `then` combines two
    // stages into one, in one thread. A closure that changes its captured variables has a state, too.
    let mut number = 0;
    from_iter(readings)
        .stage(filter(|reading: &i32| *reading > -50).then(Changes::default()))
        .sequential(move |reading| {
            number += 1;
            format!("{number}. {reading} degrees")
        })
        .for_each(|line| println!("{line}"))?;

    // In a farm each replica has its own state, which this closure makes. So nothing is shared, and nothing
    // is locked. After the farm, `in_order` restores the order of the source.
    let labelled = from_iter(readings).parallel_with(2, |_| {
        let mut scratch = String::with_capacity(16);
        move |reading: i32| {
            scratch.clear();
            (0..(reading.max(0) / 10)).for_each(|_| scratch.push('#'));
            scratch.clone()
        }
    });
    println!("{}", labelled.in_order().collect()?.join(" "));
    Ok(())
}
