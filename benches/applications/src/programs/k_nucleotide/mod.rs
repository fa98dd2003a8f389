//! The windows of a sequence of letters, counted by their size: the program `k-nucleotide` of the Benchmarks
//! Game.
//!
//! All windows of 1, 2, 3, 4, 6, 12 and 18 letters of sequence THREE of a FASTA text are counted, in hash
//! tables of the standard library, with the codes of the letters as a key. No count is derived from another
//! one, and no table is a disguised array.
//!
//! `--shape fast`: the sequence is read, checked and packed, 32 letters in a word, and cut into chunks. A job
//! counts a chunk for one size, the longest windows first, and jobs are done while reading continues. Each
//! worker has a table of each size, and at the end they are added up. `sequential` reads everything before it
//! counts.
//!
//! `--shape 2012`: as in the program of 2012 there are seven workers, one for each size. Each receives a copy
//! of every line, then an empty message at the end, and sends its part of the output back as text. With
//! `--counting off` the workers only receive: the time of the messages, without that of the counting.
//!
//! Reading, checking and packing are part of the timed run, in memory or from a file. So is starting threads,
//! except for the pool of `rayon`.
//!
//! Verified: the output, against known answers or else a simple program, and the number of windows in each
//! table.

mod crossbeam;
mod crossbeam_sizes;
mod faulty;
mod job;
mod lane;
mod linked;
mod pipes;
mod rayon;
mod sequential;
mod std;

use ::std::io;

use ::rayon::{ThreadPool, ThreadPoolBuilder};
use clap::{Args, ValueEnum};
use serde::Serialize;

use lane::Counting;
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::due::Due;
use pipes_k_nucleotide::input::Input;
use pipes_k_nucleotide::table::SIZES;
use pipes_k_nucleotide::text::Text;

/// The options of the counting.
#[derive(Args, Serialize)]
pub struct KNucleotide {
    #[command(flatten)]
    #[serde(flatten)]
    text: Text,
    /// What the workers receive
    #[arg(long, value_name = "SHAPE", value_enum, default_value = "fast")]
    shape: Shape,
    /// Counting threads of the fast shape; that of 2012 has seven
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(256))]
    workers: u64,
    /// Whether the workers of 2012 count or only receive
    #[arg(long, value_name = "WHETHER", value_enum, default_value = "on")]
    counting: Counting,
}

/// What the workers receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
enum Shape {
    /// Chunks, each to any free worker.
    #[serde(rename = "fast")]
    Fast,
    /// Lines, each to all workers.
    #[value(name = "2012")]
    #[serde(rename = "2012")]
    Lines,
}

impl KNucleotide {
    /// The reason why a contender that has only the fast shape is left out, if it is.
    fn no_messages(&self) -> Option<&'static str> {
        (self.shape == Shape::Lines).then_some("it has only the fast shape: --shape fast")
    }
}

impl Program for KNucleotide {
    const NAME: &'static str = "k-nucleotide";
    const ABOUT: &'static str = "Count the windows of 1 to 18 letters of a sequence; one op is one letter";
    const UNIT: &'static str = "letters";
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--shape", "fast"], &["--shape", "2012"], &["--shape", "2012", "--counting", "off"]];
    const QUICK: &'static [&'static str] = &["--n", "1000"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(pipes::run),
        Contender::new("sequential", sequential::SOURCES).in_its_own_way(sequential::run),
        Contender::new("std", std::SOURCES).in_its_own_way(std::run),
        Contender::new("crossbeam", crossbeam::SOURCES).in_its_own_way(crossbeam::run),
        Contender::new("crossbeam-sizes", crossbeam_sizes::SOURCES)
            .in_its_own_way(crossbeam_sizes::run)
            .unless(|program| {
                (program.shape == Shape::Lines)
                    .then_some("it runs with --shape fast; there it is `crossbeam`")
            }),
        Contender::new("rayon", rayon::SOURCES).in_its_own_way(rayon::run).unless(Self::no_messages),
        Contender::new("faulty", faulty::SOURCES).in_its_own_way(faulty::run).hidden(),
    ];

    type Setting = Setting;
    type Outcome = Counted;

    fn ops(&self, at: &Setting) -> u64 {
        at.letters
    }

    fn check(&self) -> Result<(), String> {
        if self.counting == Counting::Off && self.shape != Shape::Lines {
            return Err("--counting off is for --shape 2012, where it leaves the messages".to_owned());
        }
        Ok(())
    }

    fn setting(&self) -> io::Result<Setting> {
        let (input, letters) = self.text.ready()?;
        let due = match self.counting {
            Counting::Off => Due::Text(lane::received(letters).repeat(SIZES.len())),
            Counting::On => self.text.due(&input)?,
        };
        let pool = ThreadPoolBuilder::new().num_threads(self.workers as usize).build();
        Ok(Setting { input, letters, due, pool: pool.map_err(io::Error::other)? })
    }

    fn verify(&self, at: &Setting, counted: &Counted) -> Result<(), String> {
        counted.verify(&at.due, at.letters)
    }
}

/// The text, its number of letters, the expected result, and the pool of `rayon`.
#[derive(Debug)]
pub struct Setting {
    input: Input,
    letters: u64,
    due: Due,
    pool: ThreadPool,
}
