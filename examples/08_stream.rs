//! 08 — A stream of values: a pipeline of three threads.
//!
//! You will see: numbers made by one thread, squared by a second, summed by the main one.
//! New here: `stream`, iterating over a port, a close that propagates.
//! Before: 07_bank. Next: 09_thread_and_task.
//!
//!     cargo run --example 08_stream

use pipes::{Chan, Port};
use std::thread;

fn main() {
    let (numbers, to_square) = pipes::stream();
    let (squares, mut to_sum) = pipes::stream();

    let source = thread::spawn(move || count(5, numbers));
    let middle = thread::spawn(move || square(to_square, squares));

    // Iteration ends when the chan was dropped and all values are received.
    let mut sum = 0;
    for number in &mut to_sum {
        println!("got {number}");
        sum += number;
    }
    println!("sum {sum}");
    println!("and it stays closed: {}", to_sum.recv().is_err());

    source.join().expect("the source does not panic");
    middle.join().expect("the middle does not panic");
}

/// Sends `1..=last`. The return drops the chan, which closes the stream. Values sent before are still
/// received.
fn count(last: u32, mut numbers: Chan<u32>) {
    for number in 1..=last {
        if numbers.send(number).is_err() {
            return; // The port was dropped.
        }
    }
}

/// Sends the square of each number that it receives, until the sender or the receiver next to it leaves.
fn square(numbers: Port<u32>, mut squares: Chan<u32>) {
    for number in numbers {
        if squares.send(number * number).is_err() {
            return;
        }
    }
}
