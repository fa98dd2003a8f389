//! What a program of the stream suite defines: a source, stages and a sink.

use std::io;

/// The number of items that a queue between two stages holds, and how far a library that keeps the order may
/// run ahead, unless a program chooses another number.
pub const WINDOW: usize = 512;

/// A source of items, the stages that they go through, and the sink at the end.
///
/// The contenders are written once, for any flow. Any of them may call `work` on any thread, and put several
/// stages together into one.
pub trait Flow: Send + Sync + Sized + 'static {
    /// What travels, in front of, between and behind all stages. An item that failed is one, too: the sink
    /// decides what becomes of it.
    type Item: Send + 'static;
    /// What the sink collects: the outcome of a run.
    type Sink: Send + 'static;
    /// The part of the outcome that is compared with the sequential program.
    type Answer;

    /// The names of the stages, in order.
    const STAGES: &'static [&'static str];
    /// Whether the sink needs the items in the order of the source.
    const ORDERED: bool = true;

    /// The number of ops in a run.
    fn ops(&self) -> u64;
    /// The items, in order.
    fn source(&self) -> io::Result<impl Iterator<Item = Self::Item> + Send + 'static>;
    /// The item after one stage; the first has the number 0.
    fn work(&self, stage: usize, item: Self::Item) -> Self::Item;
    /// A sink that has collected nothing yet.
    fn sink(&self) -> io::Result<Self::Sink>;
    /// Gives an item that went through all stages to the sink. An error ends the run.
    fn take(&self, sink: &mut Self::Sink, item: Self::Item) -> io::Result<()>;
    /// What is compared, determined outside the timed part.
    fn answer(&self, sink: &Self::Sink) -> io::Result<Self::Answer>;
    /// Describes how an answer differs from that of the sequential program.
    fn verify(&self, answer: &Self::Answer, due: &Self::Answer) -> Result<(), String>;
    /// Makes the outcome wrong, to test the verification.
    fn spoil(&self, sink: &mut Self::Sink);
    /// The capacity of a queue in items, and how far a library that keeps the order may run ahead.
    fn window(&self, _replicas: usize) -> usize {
        WINDOW
    }
}
