//! How much a test does.

use std::env;

/// A number from the environment, or else the usual one.
pub fn size(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |number| number.parse().expect("it is a number"))
}
