//! The command `fasta`: the input of `k-nucleotide` as text, from the generator of the Benchmarks Game.

use std::io::{self, BufWriter, Write};

use clap::{Args, Command, FromArgMatches};
use pipes_benches::entry::Tool;

use pipes_benches::failure::Failure;
use pipes_benches::options::up_to;
use pipes_k_nucleotide::fasta::write;

/// The largest size that may be requested: ten terabytes.
const MOST: u64 = 1_000_000_000_000;

/// The entry for the command line.
pub const TOOL: Tool = Tool {
    name: "fasta",
    about: "Write the input of k-nucleotide to the standard output; not a race",
    command: || Fasta::augment_args(Command::new("fasta")),
    run: |options| Fasta::from_arg_matches(options)?.run(),
};

/// The options of the generator.
#[derive(Args, Debug)]
struct Fasta {
    /// Length of the sequences, which have 2, 3 and 5 times N letters
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = up_to(MOST))]
    n: u64,
    /// The same as --n
    #[arg(value_name = "N", conflicts_with = "n", value_parser = up_to(MOST))]
    number: Option<u64>,
}

impl Fasta {
    /// Writes everything; a reader that closes early, such as `head`, is not an error.
    fn run(&self) -> Result<(), Failure> {
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        match write(self.number.unwrap_or(self.n), &mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::io("the sequences could not be written", &error))
            }
            _ => Ok(()),
        }
    }
}
