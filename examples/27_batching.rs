//! 27 — Batches: many small items as one.
//!
//! You will see: a checksum of a million numbers, the sizes of batches, and a batch that ends by its age.
//! New here: `Batching` by size and by age, `posted`, a pipeline fed by hand.
//! Before: 26_keyed_farm. Next: 28_metrics.
//!
//!     cargo run --example 27_batching

use pipes_skeleton::{Batching, Failure, Pipeline, from_iter, posted};
use std::sync::mpsc;
use std::time::Duration;

fn main() -> Result<(), Failure> {
    // To mix a number takes a nanosecond, but to hand an item over takes ten or more. So each item is a batch
    // of numbers.
    let batching = Batching::of(1000);
    let sum = from_iter(0..1_000_000_u64)
        .batched(&batching)
        .parallel(2, |batch| batch.into_iter().map(mixed).fold(0, u64::wrapping_add))
        .fold(0, u64::wrapping_add)?;
    println!("checksum {sum:016x}");

    // The last batch has the remaining items.
    let sizes: Vec<_> =
        from_iter(0..2500_u64).batched(&batching).sequential(|batch| batch.len()).collect()?;
    println!("batches of {sizes:?}");

    // If items are rare, an age limits how long the first item of a batch waits for others. A thread checks
    // the age, so the batch is passed on even if no other item comes. The handle can change size and age
    // while the pipeline runs.
    let batching = Batching::of(1000).within(Duration::from_millis(5));
    let (done, when_done) = mpsc::channel();
    let letters = posted(|letters: Pipeline<char>| {
        letters.batched(&batching).sequential(move |batch| done.send(batch.into_iter().collect::<String>()))
    })?;
    letters.post('a').expect("no stage has failed");
    println!("alone: {:?}", when_done.recv().expect("the batch is closed by its age"));
    batching.set_age(None);
    batching.set_size(3).expect("three is possible");
    "bcd".chars().for_each(|letter| letters.post(letter).expect("no stage has failed"));
    println!("three: {:?}", when_done.recv().expect("the batch is full"));
    letters.collect().map(drop)
}

/// Mixes the bits of a number.
fn mixed(number: u64) -> u64 {
    (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
