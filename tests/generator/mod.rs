//! Random protocols, written as input for the macro, with programs that use them.
//!
//! Everything follows from seeds: the same seeds give the same text. What is known of a protocol here was
//! computed without the macro, so that the two can be compared.

mod drivers;
mod graph;
mod invent;
mod names;
mod payloads;
mod protocol;
pub mod remote;
pub mod scale;
mod text;
mod walk;

use fastrand::Rng;
use invent::Reach;

/// The environment variable that sets the first seed, to try other protocols than the usual ones.
pub const SEED: &str = "PIPES_RANDOM_SEED";

/// How many random protocols there are.
const PROTOCOLS: u64 = 40;

/// The random protocols, their drivers, and a table of all of them.
pub fn random(first: u64) -> String {
    let mut output = String::new();
    let mut cases = String::new();
    let mut protocols = Vec::new();
    for seed in first..first + PROTOCOLS {
        let mut random = Rng::with_seed(seed + 1);
        let protocol = invent::protocol(seed, Reach::Local, &protocols, &mut random);
        output.push_str(&text::protocol(&protocol));
        output.push_str(&drivers::drivers(&protocol, &mut random));
        cases.push_str(&drivers::case(&protocol));
        protocols.push(protocol);
    }
    output + &format!("/// All of them.\npub const CASES: &[Case] = &[\n{cases}];\n")
}
