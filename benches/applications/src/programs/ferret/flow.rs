//! The flow: queries, what the stages add to them, and what comes out.

use std::io::{self, Write};
use std::sync::Arc;

use image::RgbImage;

use super::base::Match;
use super::costs::Costs;
use super::emd;
use super::regions::{Region, regions};
use super::search::{Sample, Search};
use super::segments::{Segments, segments};
use crate::streams::{Checksum, Flow};

/// The queries, and what is done with each.
#[derive(Debug)]
pub struct Queries {
    /// How many there are.
    pub count: u64,
    /// What the stages do.
    pub work: Arc<Work>,
    /// The number of files that could not be used.
    pub bad: usize,
}

/// What the stages do.
#[derive(Debug)]
pub enum Work {
    /// They search.
    Real(Search),
    /// They take time.
    Costs(Costs),
}

/// A query on its way.
#[derive(Debug)]
pub struct Query {
    number: u64,
    known: Known,
}

/// What is known of a query. Each stage makes the next of it.
#[derive(Debug)]
enum Known {
    /// Its picture.
    Picture(Arc<RgbImage>),
    /// The picture, and which region each pixel belongs to.
    Segments(Arc<RgbImage>, Segments),
    /// Its regions.
    Regions(Vec<Region>),
    /// Its regions, and the pictures of the base that may be the nearest.
    Candidates(Vec<Region>, Vec<u32>),
    /// The nearest pictures.
    Best(Vec<Match>),
    /// A number, if stages only take time.
    Spun(u64),
}

/// What came out.
#[derive(Debug, Default)]
pub struct Results {
    /// A line for each query, in the order in which they came.
    text: Vec<u8>,
    /// The best of the first queries.
    pub sample: Sample,
}

impl Work {
    /// What is known of a query at its source.
    fn source(&self, number: u64) -> Known {
        match self {
            Work::Real(search) => Known::Picture(search.gallery.query(number)),
            Work::Costs(costs) => Known::Spun(costs.source(number)),
        }
    }
}

impl Results {
    /// The lines, sorted.
    pub fn lines(&self) -> Vec<&[u8]> {
        let mut lines: Vec<_> = self.text.split_inclusive(|byte| *byte == b'\n').collect();
        lines.sort_unstable();
        lines
    }
}

impl Flow for Queries {
    type Item = Query;
    type Sink = Results;
    type Answer = Checksum;

    const STAGES: &'static [&'static str] = &["segmentation", "extraction", "vectorization", "ranking"];
    const ORDERED: bool = false;

    fn ops(&self) -> u64 {
        self.count
    }

    fn source(&self) -> io::Result<impl Iterator<Item = Query> + Send + 'static> {
        let work = self.work.clone();
        Ok((0..self.count).map(move |number| Query { number, known: work.source(number) }))
    }

    fn work(&self, stage: usize, Query { number, known }: Query) -> Query {
        let known = match (&*self.work, known) {
            (Work::Costs(costs), Known::Spun(spun)) => Known::Spun(costs.stage(stage, spun)),
            (Work::Real(_), Known::Picture(picture)) => {
                let segments = segments(&picture);
                Known::Segments(picture, segments)
            }
            (Work::Real(_), Known::Segments(picture, segments)) => {
                Known::Regions(regions(&picture, &segments))
            }
            (Work::Real(search), Known::Regions(regions)) => {
                let candidates = search.candidates(&regions);
                Known::Candidates(regions, candidates)
            }
            (Work::Real(search), Known::Candidates(regions, candidates)) => {
                Known::Best(search.ranked(&regions, candidates))
            }
            (_, done) => done,
        };
        Query { number, known }
    }

    fn sink(&self) -> io::Result<Results> {
        Ok(Results::default())
    }

    fn take(&self, results: &mut Results, Query { number, known }: Query) -> io::Result<()> {
        let text = &mut results.text;
        match (&*self.work, known) {
            (Work::Real(search), Known::Best(best)) => {
                write!(text, "{}\t", search.gallery.query_name(number))?;
                for (place, Match { distance, object }) in best.iter().enumerate() {
                    let space = if place == 0 { "" } else { " " };
                    let name = search.gallery.object_name(*object);
                    write!(text, "{space}{name}:{:.5}", emd::in_units(*distance))?;
                }
                writeln!(text)?;
                search.sample(&mut results.sample, number, &best);
            }
            (Work::Costs(costs), Known::Spun(spun)) => {
                writeln!(text, "q{number:05}\t{:016x}", costs.sink(spun))?;
            }
            _ => return Err(io::Error::other(format!("query {number} came out before its last stage"))),
        }
        Ok(())
    }

    fn answer(&self, results: &Results) -> io::Result<Checksum> {
        let mut checksum = Checksum::default();
        results.lines().into_iter().for_each(|line| checksum.add(line));
        Ok(checksum)
    }

    fn verify(&self, checksum: &Checksum, due: &Checksum) -> Result<(), String> {
        checksum.verify(due)
    }

    fn spoil(&self, results: &mut Results) {
        results.text.extend_from_slice(b"spoiled\n");
    }

    /// A query has its picture in memory until its features are known.
    fn window(&self, replicas: usize) -> usize {
        4 * replicas
    }
}
