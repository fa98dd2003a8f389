//! The registry of programs: one folder, its `mod` line, and one line in [`ALL`] each.

mod blackscholes;
mod bzip2;
mod dot;
mod entry;
mod fanin;
mod futures;
mod graph500;
mod k_nucleotide;
mod mandelbrot;
mod matmul;
mod msgsend;
mod ofarm;
mod oneshot;
mod pingpong;
mod pipe4;
mod ring;
mod rpc;
mod select;
mod session;
mod stream;
mod threadring;

pub use entry::{Entry, Member};

/// Every program, in the order of `list` and `all`.
pub static ALL: &[Entry] = &[
    Entry::of::<ring::Ring>(),
    Entry::of::<pingpong::Pingpong>(),
    Entry::of::<oneshot::Oneshot>(),
    Entry::of::<session::Session>(),
    Entry::of::<stream::Stream>(),
    Entry::of::<fanin::Fanin>(),
    Entry::of::<select::Select>(),
    Entry::of::<msgsend::Msgsend>(),
    Entry::of::<threadring::Threadring>(),
    Entry::of::<rpc::Rpc>(),
    Entry::of::<mandelbrot::Mandelbrot>(),
    Entry::of::<bzip2::Bzip2>(),
    Entry::of::<pipe4::Pipe4>(),
    Entry::of::<ofarm::Ofarm>(),
    Entry::of::<futures::Futures>(),
    Entry::of::<matmul::Matmul>(),
    Entry::of::<dot::Dot>(),
    Entry::of::<blackscholes::Blackscholes>(),
    Entry::of::<k_nucleotide::KNucleotide>(),
    Entry::of::<graph500::Graph500>(),
];
