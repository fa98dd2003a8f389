//! 26 — A keyed farm: all items with the same key go to the same worker.
//!
//! You will see: the balances of four accounts after each of their movements, and that none was overdrawn in between.
//! New here: `keyed`, a state for each key without a lock. Before: 25_stateful_stage. Next: 27_batching.
//!
//!     cargo run --example 26_keyed_farm

use pipes::skeleton::{Failure, from_iter};
use std::collections::HashMap;

fn main() -> Result<(), Failure> {
    let accounts = ["ann", "bob", "cleo", "dan"];
    let movements = (0..20_usize).map(move |n| {
        let account = accounts[(n * n + n / 3) % 4];
        let amount: i64 = if n % 3 == 2 { -40 } else { 50 };
        (account, amount)
    });

    // Each replica begins with an empty ledger of its own. It keeps the balances of the accounts that are its own by their hash; and the
    // movements of one account come to it in the order in which they left the source.
    let ledger: HashMap<&str, i64> = HashMap::new();
    let booked = from_iter(movements).keyed(2, |(account, _)| *account, {
        let mut ledger = ledger;
        move |(account, amount)| {
            let balance = ledger.entry(account).or_default();
            if *balance + amount < 0 {
                return format!("{account}: {amount} refused, there are {balance}");
            }
            *balance += amount;
            format!("{account}: {amount:+}, makes {balance}")
        }
    });

    // Behind the farm the lines may be put into the order of the source again.
    booked.in_order().for_each(|line| println!("{line}"))
}
