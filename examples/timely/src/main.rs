//! Feeds a dataflow of timely from a pipeline: counts the words of texts.
//!
//! Usage: `cargo run -- [WORKERS]`, with 2 workers if nothing is said.

use std::env;
use std::error::Error;
use words_by_timely::counted;

fn main() -> Result<(), Box<dyn Error>> {
    let workers = env::args().nth(1).map_or(Ok(2), |word| word.parse())?;
    let texts = (1..=1000).map(|n| format!("{n} green bottles, hanging on the wall; {} fall", n % 7));
    let counts = counted(texts, workers)?;
    for word in ["bottles", "wall", "6", "red"] {
        println!("{word}: {}", counts.get(word).unwrap_or(&0));
    }
    println!("{} words", counts.len());
    Ok(())
}
