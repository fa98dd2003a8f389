//! 11 — A borrowed payload: sorting in place, on two threads.
//!
//! You will see: the two halves of an array, each sorted in place by a thread that only borrows it.
//! New here: protocols with parameters, including a lifetime.
//! Before: 10_bank_with_tasks. Next: 12_delegation.
//!
//!     cargo run --example 11_borrowed_payload

use sorting::{Done, Server, Work};
use std::thread;

pipes::proto! {
    // Only the reference is sent; nothing is copied. The client cannot use a part until the reference comes
    // back.
    sorting<'a, T: Ord> {
        work: send { sort(&'a mut [T]) -> done }
        done: recv { sorted(&'a mut [T]) -> work }
    }
}

fn main() {
    let mut numbers = [31, 4, 15, 92, 65, 35, 89, 79, 32, 38, 46, 26, 43, 83, 27];
    let place = numbers.as_ptr_range();

    // After this call, all numbers before the middle are smaller than those after it. So the halves are
    // independent.
    let middle = numbers.len() / 2;
    let (smaller, median, larger) = numbers.select_nth_unstable(middle);
    println!("the median is {median}");

    // Threads of a scope end with it, so they may borrow. An endpoint cannot outlive the borrows of its
    // payloads, so `thread::spawn` would not accept one of these.
    thread::scope(|scope| {
        let halves = [smaller, larger].map(|half| {
            let (client, server) = sorting::pipe();
            scope.spawn(move || sort(server));
            client.sort(half).expect("the worker stays for as long as it has a client")
        });
        for waiting in halves {
            let Done::Sorted(half, _client) =
                waiting.recv().expect("the worker gives back what it has sorted");
            println!("sorted: {half:?}, in place: {}", place.contains(&half.as_ptr()));
        }
    });

    println!("together: {numbers:?}");
}

/// Sorts each part that it receives, until the client leaves.
fn sort<T: Ord>(mut server: Server<Work<'_, T>>) {
    while let Ok(Work::Sort(part, next)) = server.recv() {
        part.sort_unstable();
        server = next.sorted(part).expect("the client waits for what it has lent");
    }
}
