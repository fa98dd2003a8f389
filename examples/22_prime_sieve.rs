//! 22 — A prime sieve: a chain of threads that grows while it runs.
//!
//! You will see: the first ten primes, and the end of the whole chain after the tenth.
//! New here: `sync_stream`, a sender that waits for its receiver. Before: 21_philosophers. Next: 23_pipeline.
//!
//!     cargo run --example 22_prime_sieve

use pipes::{Port, sync_stream};
use std::thread::{self, Scope};

fn main() {
    // A scope waits for all of its threads. So if this program ends, the close has reached each of them.
    thread::scope(|scope| {
        let mut line = numbers(scope);
        for _ in 0..10 {
            // The first number that passes all filters is no multiple of a smaller prime.
            let prime = line.recv().expect("there is always another prime");
            println!("{prime}");
            line = without_multiples(prime, line, scope);
        }
        // Here the last port is dropped. The next send to it fails, and that thread returns and drops its own
        // port. In this way the close propagates to the first thread.
    });
    println!("all threads have ended");
}

/// Sends 2, 3, 4 and so on, until the port is dropped.
fn numbers<'scope>(scope: &'scope Scope<'scope, '_>) -> Port<u32> {
    // When four numbers are unread, `send` waits. In an unbounded stream this thread, which has the least
    // work, would fill the memory with unread numbers.
    let (mut chan, port) = sync_stream(4);
    scope.spawn(move || (2..).try_for_each(|number| chan.send(number)));
    port
}

/// A filter in its own thread, which passes on all numbers except the multiples of this prime.
fn without_multiples<'scope>(prime: u32, line: Port<u32>, scope: &'scope Scope<'scope, '_>) -> Port<u32> {
    let (mut chan, port) = sync_stream(4);
    scope.spawn(move || {
        line.into_iter().filter(|number| number % prime != 0).try_for_each(|number| chan.send(number))
    });
    port
}
