//! The input of `k-nucleotide`, from the generator of the Benchmarks Game.

mod letters;
mod sequences;

pub use sequences::{length, write};
