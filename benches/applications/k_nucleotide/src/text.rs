//! The options that say which text is counted.

use std::io;
use std::path::PathBuf;

use clap::Args;
use clap::builder::ArgPredicate;
use pipes_benches::files::as_text;
use pipes_benches::options::up_to;
use serde::Serialize;

use super::due::Due;
use super::input::Input;

/// The largest text that is generated: four gigabytes.
const MOST: u64 = 400_000_000;

/// A text: generated, or in a file.
#[derive(Args, Debug, Serialize)]
pub struct Text {
    /// Length of the generated sequences; THREE has five times as many letters
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = up_to(MOST))]
    #[arg(default_value_if("input", ArgPredicate::IsPresent, None), conflicts_with = "input")]
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    /// A FASTA file to read instead, or - for the standard input
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    input: Option<PathBuf>,
}

impl Text {
    /// Makes it ready to be read, and counts its letters: an invalid text is reported before any contender
    /// counts.
    pub fn ready(&self) -> io::Result<(Input, u64)> {
        let input = match (&self.input, self.n) {
            (Some(path), _) => Input::file(path)?,
            (None, n) => Input::generated(n.unwrap_or(1))?,
        };
        let letters = input.letters()?;
        Ok((input, letters))
    }

    /// What is known about the expected output for this input, which is that of this text.
    pub fn due(&self, input: &Input) -> io::Result<Due> {
        match self.n.and_then(Due::known) {
            Some(due) => Ok(due),
            None => Ok(Due::counted(&input.text()?)),
        }
    }
}
