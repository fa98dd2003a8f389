//! Search for similar pictures: `Ferret` of PARSEC and SPBench, with stages that do what the original's do.
//!
//! An item is a query: a picture for which the most similar ones are searched in a base. The source loads it;
//! the stages divide it into regions, extract fourteen features of each region, look up in a hash index which
//! pictures have a region near one of them, and rank these by the earth mover's distance; the sink writes a
//! line with the best of them. The algorithms and the papers that they are from are named in the files:
//! [`segments`], [`regions`], [`index`] and [`probes`], [`emd`]. As in the original, the index has eight
//! tables, in each of which twenty buckets are looked into, and for each region of a query twice as many
//! regions are taken as there are results (50).
//!
//! The base is generated, too, in families of sixteen pictures: see [`scenes`]. A query is one more member of
//! a family, so it is known what should be found. The base is described before the clock starts, and only its
//! features are kept. The source draws the picture of a query, within the timed run, where the original
//! decodes a file; that takes about a hundredth of the time of a query. Pictures of a folder are decoded and
//! made smaller before the clock starts.
//!
//! With `--work costs` the stages do nothing but take time: as much as those of the original took where they
//! were measured for SPBench.
//!
//! Ranking takes more than half of the time. So the default is one farm, whose workers do all stages: in a
//! pipeline of farms with as many workers each, those of the other stages mostly wait.
//!
//! Verified: the MD5 of all lines, sorted, against the sequential program. How good they are is reported as
//! figures, for the first fifty queries: which part of the ten that an exhaustive search ranks first is among
//! the ten best (`recall_at_10`), and which part of the ten best is of the right family
//! (`right_family_at_10`).

mod base;
mod costs;
mod emd;
mod flow;
mod gallery;
mod index;
mod probes;
mod regions;
mod scenes;
mod search;
mod segments;
mod sheet;
mod smallest;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::pictures::folder;
use crate::streams::{Class, Shape, Stream};
use costs::Costs;
use flow::{Queries, Results, Work};
use gallery::Gallery;
use pipes_benches::files::{Part, as_text, is_in};
use pipes_benches::options::up_to;
use search::Search;

/// The options of the search.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Ferret {
    /// What the stages do: search, or only take the time of the original's
    #[arg(long, value_name = "WORK", value_enum, default_value = "real")]
    work: Kind,
    /// Queries, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    queries: Option<u64>,
    /// Generated pictures in the base, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(100_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<u64>,
    /// Pictures that are found for each query [default: 50]
    #[arg(long, value_name = "N", value_parser = up_to(1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<u64>,
    /// Width and height of all pictures, at most [default: 96]
    #[arg(long, value_name = "N", value_parser = up_to(1024))]
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<u64>,
    /// The pictures in this folder (PNG, JPEG, BMP) are the base, and each is a query, whatever the class
    #[arg(long, value_name = "FOLDER", conflicts_with = "base")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    input: Option<PathBuf>,
    /// Write the results to this file: a line for each query
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    output: Option<PathBuf>,
    /// Draw some queries, each with its ten best, to this file, as PNG
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    picture: Option<PathBuf>,
}

/// What the stages do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// They search.
    Real,
    /// They take the time that those of the original took.
    Costs,
}

impl Ferret {
    /// The pictures, how many queries there are by default, and how many files could not be used.
    fn gallery(&self, class: Class) -> io::Result<(Gallery, u64, usize)> {
        let side = self.side.unwrap_or(96) as u32;
        let Some(folder) = &self.input else {
            let base = self.base.unwrap_or(class.of([64, 2000, 2000, 2000, 2000]));
            let queries = class.of([20, 50, 500, 3000, 10_000]);
            return Ok((Gallery::Generated { base, side }, queries, 0));
        };
        let (gallery, bad) = Gallery::read(folder, side)?;
        let queries = gallery.objects().into();
        Ok((gallery, queries, bad))
    }
}

impl Stream for Ferret {
    const NAME: &'static str = "ferret";
    const ABOUT: &'static str = "Search for similar pictures; one op is one query";
    const UNIT: &'static str = "queries";
    const VARIANTS: &'static [&'static [&'static str]] = &[
        &["--work", "real", "--shape", "farm"],
        &["--work", "real", "--shape", "pipe-of-farms"],
        &["--work", "real", "--shape", "farm-of-pipes"],
        &["--work", "costs", "--shape", "farm"],
    ];
    const QUICK: &'static [&'static str] = &["--class", "test", "--queries", "3"];
    const SHAPES: &'static [Shape] = &[Shape::Farm, Shape::PipeOfFarms, Shape::FarmOfPipes];

    type Flow = Queries;

    fn check(&self) -> Result<(), String> {
        let of_search = [
            ("base", self.base.is_some()),
            ("top", self.top.is_some()),
            ("side", self.side.is_some()),
            ("input", self.input.is_some()),
            ("picture", self.picture.is_some()),
        ];
        if let Some((option, _)) =
            of_search.iter().find(|(_, is_given)| *is_given && self.work == Kind::Costs)
        {
            return Err(format!("--{option} is of no use with --work costs, which searches nothing"));
        }
        // It might replace a picture.
        match (&self.output, &self.input) {
            (Some(file), Some(folder)) if is_in(file, folder) => {
                Err(format!("--output names {}, in the folder that --input reads", file.display()))
            }
            _ => Ok(()),
        }
    }

    fn flow(&self, class: Class) -> io::Result<Queries> {
        // If results cannot be written there, this is reported before anything runs.
        for file in self.output.iter().chain(&self.picture) {
            Part::beside(file)?;
        }
        if self.work == Kind::Costs {
            let count = self.queries.unwrap_or(class.of([3, 28, 275, 1650, 5500]));
            return Ok(Queries { count, work: Arc::new(Work::Costs(Costs::new())), bad: 0 });
        }
        let (gallery, queries, bad) = self.gallery(class)?;
        let count = self.queries.unwrap_or(queries);
        let search = Search::new(gallery, count, self.top.unwrap_or(50) as usize);
        Ok(Queries { count, work: Arc::new(Work::Real(search)), bad })
    }

    fn figures(&self, queries: &Queries, results: &Results) -> Map<String, Value> {
        match &*queries.work {
            Work::Real(search) => search.figures(&results.sample),
            Work::Costs(_) => Map::new(),
        }
    }

    fn regrets(&self, queries: &Queries) -> Result<(), String> {
        match &*queries.work {
            Work::Real(search) => folder::regret(queries.bad, search.gallery.objects() as usize),
            Work::Costs(_) => Ok(()),
        }
    }

    fn keep(&self, queries: &Queries, results: Results) -> io::Result<()> {
        if let Some(path) = &self.output {
            let mut part = Part::beside(path)?;
            part.write(&results.lines().concat())?;
            part.keep()?;
        }
        if let (Some(path), Work::Real(search)) = (&self.picture, &*queries.work) {
            folder::put(path, &sheet::sheet(search, &results.sample))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::{Flow, answers};

    /// A small search.
    fn small(queries: u64, base: u64) -> Ferret {
        Ferret {
            work: Kind::Real,
            queries: Some(queries),
            base: Some(base),
            top: Some(10),
            side: Some(32),
            input: None,
            output: None,
            picture: None,
        }
    }

    #[test]
    fn all_contenders_agree() {
        let (right, wrong) = answers(Ferret { side: Some(24), ..small(4, 12) });
        assert_eq!(right, ["pipes", "sequential", "threads", "tokio", "tokio-narrow", "pariter", "rayon"]);
        assert_eq!(wrong, ["faulty"]);
    }

    #[test]
    fn the_right_pictures_are_found() {
        let program = Ferret { side: Some(48), ..small(20, 96) };
        let flow = program.flow(Class::Test).expect("the base is made");
        let mut results = flow.sink().expect("there is a sink");
        for query in flow.source().expect("there is a source") {
            let done = (0..Queries::STAGES.len()).fold(query, |query, stage| flow.work(stage, query));
            flow.take(&mut results, done).expect("it is taken");
        }
        let figures = program.figures(&flow, &results);
        let figure = |name: &str| figures[name].as_f64().expect("it is a number");
        assert!(figure("recall_at_10") >= 0.8, "{figures:?}");
        assert!(figure("right_family_at_10") >= 0.7, "{figures:?}");
    }
}
