//! The plan of a pipeline in words: its threads, limits and orders.

use super::pipeline::Pipeline;
use crate::run::stage_info::{Runs, StageInfo};
use std::fmt;

/// The threads, limits and orders that a pipeline will have. It is printed like a picture; see
/// [`Pipeline::explain`].
#[derive(Debug, Clone)]
pub struct Explanation {
    stages: Vec<Line>,
    room: usize,
    regions: usize,
    is_weighed: bool,
    /// The end of the last region restores the order.
    in_order: bool,
}

/// A stage, and the region that ends before it.
#[derive(Debug, Clone)]
struct Line {
    name: String,
    runs: Runs,
    region: Option<bool>,
    /// The number of its threads.
    threads: usize,
}

impl<T: Send + 'static> Pipeline<T> {
    /// Says which threads, limits and orders the pipeline will have if a sink follows here. Nothing is run.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let lines = from_iter(["1", "2", "x"])
    ///     .parallel(4, |line| line.parse::<u32>())
    ///     .named("parse")
    ///     .filter(|number| number.is_ok())
    ///     .named("keep")
    ///     .in_order()
    ///     .in_flight(64);
    /// assert_eq!(
    ///     lines.explain().to_string(),
    ///     "\
    /// source  1 thread
    ///   |
    /// parse   4 threads
    ///   +
    /// keep    in the threads of parse
    ///   |     at most 64 items on the way, in order from here
    /// sink    the calling thread
    /// "
    /// );
    /// assert_eq!(lines.explain().threads(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self) -> Explanation {
        let line = |info: &StageInfo| {
            let (runs, threads, region) = info.plan();
            Line { name: info.name(), runs, region, threads }
        };
        Explanation {
            stages: self.plan.stages.iter().map(line).collect(),
            room: self.plan.room_with_sink(),
            regions: self.plan.regions_with_sink(),
            is_weighed: self.plan.is_weighed,
            in_order: self.plan.in_order,
        }
    }
}

impl Explanation {
    /// Returns the number of threads that the pipeline will start. The calling thread, which runs the sink,
    /// does not count.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let doubled = from_iter(0..9).map(|number| 2 * number);
    /// assert_eq!(doubled.explain().threads(), 1);
    /// ```
    pub fn threads(&self) -> usize {
        self.stages.iter().map(|line| line.threads).sum()
    }

    /// Returns the number of regions, which have equal shares of the limit; see [`Pipeline`].
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let squares = from_iter(0..9).sequential(|number| number * number);
    /// assert_eq!(squares.explain().regions(), 2);
    /// ```
    pub fn regions(&self) -> usize {
        self.regions
    }

    fn end_of_region(&self, f: &mut fmt::Formatter<'_>, width: usize, in_order: bool) -> fmt::Result {
        let (room, items) = (self.room, if self.is_weighed { "bytes" } else { "items" });
        let order = if in_order { ", in order from here" } else { "" };
        writeln!(f, "  |{:<1$}at most {room} {items} on the way{order}", "", width - 1)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.stages.iter().map(|line| line.name.chars().count());
        let width = names.max().unwrap_or(0).max(4);
        // The stage whose threads run the next ones.
        let mut host = "";
        for line in &self.stages {
            match (line.runs, line.region) {
                (Runs::Source { .. }, _) => {}
                (Runs::Joined, _) => writeln!(f, "  +")?,
                (_, None) => writeln!(f, "  |")?,
                (_, Some(in_order)) => self.end_of_region(f, width, in_order)?,
            }
            write!(f, "{:<width$}  ", line.name)?;
            match (line.runs, line.threads) {
                (Runs::Source { has_thread: false }, _) => write!(f, "the threads that post")?,
                (Runs::Joined, _) => write!(f, "in the threads of {host}")?,
                (_, 1) => write!(f, "1 thread")?,
                (_, threads) => write!(f, "{threads} threads")?,
            }
            match line.runs {
                Runs::Futures(futures) => writeln!(f, ", {futures} futures at a time in each")?,
                _ => writeln!(f)?,
            }
            if line.runs != Runs::Joined {
                host = &line.name;
            }
        }
        self.end_of_region(f, width, self.in_order)?;
        writeln!(f, "{:<width$}  the calling thread", "sink")
    }
}
