//! 26 — A keyed farm: all items with the same key go to the same worker.
//!
//! You will see: the balances of four accounts after each movement, and that no account is ever overdrawn.
//! New here: `keyed`, a state for each key without a lock. Before: 25_stateful_stage. Next: 27_batching.
//!
//!     cargo run --example 26_keyed_farm

use pipes_skeleton::{Failure, from_iter};
use std::collections::HashMap;

fn main() -> Result<(), Failure> {
    let accounts = ["ann", "bob", "cleo", "dan"];
    let movements = (0..20_usize).map(move |n| {
        let account = accounts[(n * n + n / 3) % 4];
        let amount: i64 = if n % 3 == 2 { -40 } else { 50 };
        (account, amount)
    });

    // Each replica begins with its own empty ledger. The hash of an account's name determines its replica. A
    // replica gets the movements of one account in the order in which they left the source.
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

    // After the farm, `in_order` restores the order of the source.
    booked.in_order().for_each(|line| println!("{line}"))
}
