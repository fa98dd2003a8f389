//! 24 — A farm: one stage, several workers.
//!
//! You will see: the number of primes below a hundred thousand, and the largest gap between two of them.
//! New here: `parallel`, results in any order, `in_order`, a limit of items.
//! Before: 23_pipeline. Next: 25_stateful_stage.
//!
//!     cargo run --example 24_farm

use pipes_skeleton::{Failure, Pipeline, from_iter};
use std::ops::Range;

const BLOCK: u32 = 1000;

fn main() -> Result<(), Failure> {
    // A free replica takes the next block. So all replicas are busy until the end, although later blocks take
    // longer. The counts come out in any order, which is fine for a sum.
    let count = blocks().parallel(2, |block| primes(block).len()).fold(0, |sum, count| sum + count)?;
    println!("{count} primes");

    // A gap may lie between two blocks, so here the order matters. After `in_order` the blocks have the order
    // of the source. At most eight are on their way: if one takes long, the source waits, and memory does
    // not fill up.
    let mut last = 2;
    let mut gap = (0, 0);
    blocks().in_flight(8).parallel(2, primes).in_order().for_each(|primes| {
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

/// The numbers below a hundred thousand, in blocks of a thousand.
fn blocks() -> Pipeline<Range<u32>> {
    from_iter((0..100).map(|block| block * BLOCK..(block + 1) * BLOCK))
}

/// The primes of a block, found by trial division.
fn primes(block: Range<u32>) -> Vec<u32> {
    block.filter(|&n| n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))).collect()
}
