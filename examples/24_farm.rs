//! 24 — A farm: one stage, several workers.
//!
//! You will see: how many primes there are below a hundred thousand, in blocks of a thousand, and the largest gap between two of them.
//! New here: `parallel`, results as they come, `in_order`, a window. Before: 23_pipeline. Next: 25_stateful_stage.
//!
//!     cargo run --example 24_farm

use pipes::skeleton::{Failure, Pipeline, from_iter};
use std::ops::Range;

const BLOCK: u32 = 1000;

fn main() -> Result<(), Failure> {
    // A free replica takes the next block, so that the workers are busy until the end although later blocks take longer. The counts come
    // as they are done; a sum does not mind.
    let count = blocks().parallel(2, |block| primes(block).len()).fold(0, |sum, count| sum + count)?;
    println!("{count} primes");

    // A gap may lie between two blocks, so here the order matters: behind `in_order` the blocks come as they left the source. At most
    // eight of them are on their way: one that takes long holds the source back, and not the memory.
    let mut last = 2;
    let mut gap = (0, 0);
    blocks().window(8).parallel(2, primes).in_order().for_each(|primes| {
        for prime in primes {
            if prime - last > gap.0 {
                gap = (prime - last, last);
            }
            last = prime;
        }
    })?;
    println!("the first gap as wide as any, {}, is behind {}", gap.0, gap.1);
    Ok(())
}

/// The numbers below a hundred thousand, block by block.
fn blocks() -> Pipeline<Range<u32>> {
    from_iter((0..100).map(|block| block * BLOCK..(block + 1) * BLOCK))
}

/// The primes of a block, found by trial.
fn primes(block: Range<u32>) -> Vec<u32> {
    block.filter(|&n| n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))).collect()
}
