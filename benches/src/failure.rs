//! The ways in which a command fails, each with its exit code.

use std::fmt;
use std::io;

/// The reason why the command did nothing, or nothing more: one sentence for the user.
#[derive(Debug)]
pub enum Failure {
    /// The command line is invalid or names something that does not exist; nothing was run.
    Arguments(String),
    /// A contender gave a wrong result, or the system refused a request.
    Run(String),
}

impl Failure {
    /// The exit code that distinguishes the two.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Arguments(_) => 2,
            Failure::Run(_) => 1,
        }
    }

    /// An input or output error, with the operation that failed.
    pub fn io(attempt: &str, error: &io::Error) -> Failure {
        Failure::Run(format!("{attempt}: {error}"))
    }

    /// Results that could not be serialized as JSON.
    pub fn json(error: &serde_json::Error) -> Failure {
        Failure::Run(format!("the results could not be written as JSON: {error}"))
    }
}

impl From<clap::Error> for Failure {
    /// The first paragraph of clap's message, in one line; `--help` has the usage and the hints.
    fn from(error: clap::Error) -> Failure {
        let text = error.to_string();
        let paragraph: Vec<_> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let sentence = paragraph.join(" ");
        Failure::Arguments(sentence.strip_prefix("error: ").unwrap_or(&sentence).to_owned())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Arguments(sentence) | Failure::Run(sentence)) = self;
        f.write_str(sentence)
    }
}
