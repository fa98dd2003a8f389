//! 22 — A prime sieve: a line of threads that grows while it works.
//!
//! You will see: the first ten primes, and the whole line ending after the tenth.
//! New here: `sync_stream`, a sender that waits for its receiver. Before: 21_philosophers. Next: 23_pipeline.
//!
//!     cargo run --example 22_prime_sieve

use pipes::{Port, sync_stream};
use std::thread::{self, Scope};

fn main() {
    // A scope ends when all of its threads have: that this program ends shows that the close reached each of them.
    thread::scope(|scope| {
        let mut line = numbers(scope);
        for _ in 0..10 {
            // The first number that comes through is no multiple of any prime before it.
            let prime = line.recv().expect("there is always another prime");
            println!("{prime}");
            line = without_multiples(prime, line, scope);
        }
        // Here the last port is dropped. The next send to it fails; that thread returns and drops its own port, and so
        // on up the line.
    });
    println!("all threads have ended");
}

/// 2, 3, 4 and so on, until the port is dropped.
fn numbers<'scope>(scope: &'scope Scope<'scope, '_>) -> Port<u32> {
    // At most four numbers are sent and not received: then `send` waits. In an unbounded stream this thread, which has the least
    // to do, would fill the memory with unread numbers.
    let (mut chan, port) = sync_stream(4);
    scope.spawn(move || (2..).try_for_each(|number| chan.send(number)));
    port
}

/// A filter, with a thread of its own: what comes out of the line, but for the multiples of this prime.
fn without_multiples<'scope>(prime: u32, line: Port<u32>, scope: &'scope Scope<'scope, '_>) -> Port<u32> {
    let (mut chan, port) = sync_stream(4);
    scope.spawn(move || {
        line.into_iter().filter(|number| number % prime != 0).try_for_each(|number| chan.send(number))
    });
    port
}
