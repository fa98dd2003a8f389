//! The registry of programs: for each, a folder, its `mod` line, and one line in [`ALL`].

mod blackscholes;
mod bzip2;
mod dot;
mod faces;
mod ferret;
mod fraud;
mod futures;
mod graph500;
mod grep;
mod image;
mod k_nucleotide;
mod lanes;
mod logs;
mod mandelbrot;
mod matmul;
mod ofarm;
mod pipe4;
// It is there to be copied, and runs in its tests only.
#[cfg(test)]
mod template;

#[cfg(test)]
pub use template::Template;

use crate::streams::Suite;
use pipes_benches::entry::Entry;

/// Every program of this package, in the order of `list` and `all`.
pub static ALL: &[Entry] = &[
    Entry::of::<Suite<mandelbrot::Mandelbrot>>(),
    Entry::of::<Suite<bzip2::Bzip2>>(),
    Entry::of::<Suite<pipe4::Pipe4>>(),
    Entry::of::<Suite<ofarm::Ofarm>>(),
    Entry::of::<fraud::Fraud>(),
    Entry::of::<Suite<image::Image>>(),
    Entry::of::<Suite<lanes::Lanes>>(),
    Entry::of::<Suite<faces::Faces>>(),
    Entry::of::<Suite<ferret::Ferret>>(),
    Entry::of::<Suite<grep::Grep>>(),
    Entry::of::<logs::Logs>(),
    Entry::of::<futures::Futures>(),
    Entry::of::<matmul::Matmul>(),
    Entry::of::<dot::Dot>(),
    Entry::of::<blackscholes::Blackscholes>(),
    Entry::of::<k_nucleotide::KNucleotide>(),
    Entry::of::<graph500::Graph500>(),
];
