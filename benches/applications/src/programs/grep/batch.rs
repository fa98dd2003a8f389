//! What travels: files to search, which become what is to be printed about them.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

/// Some files in the order of the walk, and what came of searching them.
#[derive(Debug, Default)]
pub struct Batch {
    /// Its place in the order of the walk.
    pub number: u32,
    /// The files; none once they have been searched.
    pub files: Vec<PathBuf>,
    /// What is to be printed.
    pub output: Vec<u8>,
    /// What is to be said on stderr, a line each.
    pub messages: Vec<u8>,
    /// Whether there was a match.
    pub matched: bool,
    /// Whether something could not be searched.
    pub failed: bool,
}

impl Batch {
    /// Says on stderr, in the form of GNU grep, why something could not be searched.
    pub fn fail(&mut self, path: &Path, problem: impl Display) {
        self.messages.extend_from_slice(b"grep: ");
        self.messages.extend_from_slice(path.as_os_str().as_encoded_bytes());
        self.messages.extend_from_slice(format!(": {problem}\n").as_bytes());
        self.failed = true;
    }
}

/// An error in the words of the system alone, without Rust's number behind them.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words).to_owned()
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::{Batch, words};

    #[test]
    fn messages_have_the_form_of_gnu_grep() {
        let mut batch = Batch::default();
        batch.fail(Path::new("a/b"), words(&io::Error::from_raw_os_error(2)));
        assert!(batch.failed);
        assert_eq!(batch.messages, b"grep: a/b: No such file or directory\n");
        assert_eq!(words(&io::Error::other("it broke")), "it broke");
    }
}
