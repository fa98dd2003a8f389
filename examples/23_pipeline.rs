//! 23 — A pipeline: stages in a row, each working on a different item.
//!
//! You will see: the longest word of each line of a poem, in the order of the lines; a pipeline that fails.
//! New here: `from_iter`, sequential stages, a sink, a failure with the stage's name.
//! Before: 22_prime_sieve. Next: 24_farm.
//!
//!     cargo run --example 23_pipeline

use pipes_skeleton::{Failure, from_iter};

const POEM: &str = "Tyger Tyger, burning bright,\nIn the forests of the night;\nWhat immortal hand or eye,\nCould frame thy fearful symmetry?";

fn main() -> Result<(), Failure> {
    // A pipeline is a source, then stages, then a sink. Nothing runs before the sink is added. Then the
    // source and each stage have their own thread: while one stage searches a line for its longest word, the
    // other splits the next line.
    from_iter(POEM.lines())
        .sequential(|line| line.split(|letter: char| !letter.is_alphabetic()).collect::<Vec<_>>())
        .sequential(|words| words.into_iter().rev().max_by_key(|word| word.len()).unwrap_or_default())
        .for_each(|longest| println!("{longest}"))?;

    // A stage that fails or panics ends the pipeline. The caller learns which stage it was. No thread hangs,
    // and items on their way are dropped.
    let numbers = from_iter(["6", "7", "eight", "9"])
        .try_sequential(str::parse::<u32>)
        .named("parse")
        .fold(0, |sum, number| sum + number);
    match numbers {
        Ok(sum) => println!("all together {sum}"),
        Err(failure) => println!("{failure}"),
    }
    Ok(())
}
