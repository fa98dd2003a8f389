//! The stage: the files of a batch are searched, and become the text that is printed about them.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::mem;
use std::path::Path;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{Searcher, SearcherBuilder, Sink, SinkMatch};
use memchr::memrchr;

use super::batch::{Batch, words};

/// The number of bytes that are read at a time. Most files are smaller.
const ROOM: usize = 96 << 10;

/// What is read begins at a multiple of this number of bytes. Some processors copy at an eighth of their
/// usual rate to an address shortly behind the beginning of a page, and an allocator puts large vectors
/// there: with such a buffer, a search through folders of sources took half as much time again.
const LINE: usize = 64;

thread_local! {
    /// The worker of this thread, whose memory is used for one file after another.
    static WORKER: RefCell<Worker> = RefCell::new(Worker::new());
}

/// What is searched for.
#[derive(Clone, Debug)]
pub struct Query {
    /// The compiled pattern.
    matcher: RegexMatcher,
    /// Whether lines are preceded by the file's name.
    pub names: bool,
}

impl Query {
    /// Compiles a pattern, or says what is wrong with it.
    pub fn new(pattern: &str) -> Result<Query, String> {
        let matcher = RegexMatcherBuilder::new().multi_line(true).line_terminator(Some(b'\n')).build(pattern);
        let matcher = matcher.map_err(|error| {
            // The last line of a long message is the reason.
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default();
            format!("invalid pattern: {}", reason.trim_start_matches("error: "))
        })?;
        Ok(Query { matcher, names: true })
    }
}

/// What is needed to search files.
#[derive(Debug)]
pub struct Worker {
    searcher: Searcher,
    /// What was read of the file.
    bytes: Vec<u8>,
}

/// Searches the files of a batch.
pub fn search(query: &Query, mut batch: Batch) -> Batch {
    WORKER.with_borrow_mut(|worker| {
        for path in mem::take(&mut batch.files) {
            worker.search(query, &path, &mut batch);
        }
    });
    batch
}

impl Worker {
    /// A worker that has searched nothing yet.
    pub fn new() -> Worker {
        let searcher = SearcherBuilder::new().line_number(false).bom_sniffing(false).build();
        Worker { searcher, bytes: Vec::new() }
    }

    /// Searches a file, and adds what is to be printed about it.
    pub fn search(&mut self, query: &Query, path: &Path, batch: &mut Batch) {
        let mut printer = Printer { name: query.names.then_some(path), batch };
        let searched = File::open(path).and_then(|file| self.read(&file, query, &mut printer));
        if let Err(error) = searched {
            batch.fail(path, words(&error));
        }
    }

    /// Reads and searches the file. Only whole lines are searched; what was read of the next one is kept.
    fn read(&mut self, mut file: &File, query: &Query, printer: &mut Printer<'_>) -> io::Result<()> {
        // What a long line needed is not kept for the files that follow.
        self.bytes.truncate(LINE + ROOM);
        self.bytes.shrink_to(8 * ROOM);
        let start = self.bytes.as_ptr().addr().wrapping_neg() % LINE;
        let mut kept = 0;
        loop {
            self.bytes.resize(LINE + kept + ROOM, 0);
            let bytes = &mut self.bytes[start..start + kept + ROOM];
            let filled = fill(&mut file, bytes, kept)?;
            let at_end = filled < bytes.len();
            // Without a line break, this is a part of a long line.
            let last = memrchr(b'\n', &bytes[kept..filled]);
            let end = if at_end { filled } else { last.map_or(0, |last| kept + last + 1) };
            self.searcher.search_slice(&query.matcher, &bytes[..end], &mut *printer)?;
            if at_end {
                return Ok(());
            }
            bytes.copy_within(end..filled, 0);
            kept = filled - end;
        }
    }
}

/// Reads until the buffer is full or the file ends. Returns how much of the buffer is filled.
fn fill(file: &mut impl Read, bytes: &mut [u8], mut filled: usize) -> io::Result<usize> {
    while filled < bytes.len() {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Prints the lines that match, all of them as text.
struct Printer<'a> {
    /// What stands in front of each line.
    name: Option<&'a Path>,
    batch: &'a mut Batch,
}

impl Sink for &mut Printer<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let (line, output) = (found.bytes(), &mut self.batch.output);
        if let Some(name) = self.name {
            output.extend_from_slice(name.as_os_str().as_encoded_bytes());
            output.push(b':');
        }
        output.extend_from_slice(line);
        if line.last() != Some(&b'\n') {
            output.push(b'\n');
        }
        self.batch.matched = true;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Batch, Query, ROOM, Worker, search};

    /// What is printed about a file with these bytes, without its name.
    fn searched(pattern: &str, bytes: &[u8]) -> String {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(&file, bytes).expect("it can be written");
        let query = Query { names: false, ..Query::new(pattern).expect("a pattern") };
        let mut batch = Batch::default();
        Worker::new().search(&query, file.path(), &mut batch);
        assert!(!batch.failed && batch.messages.is_empty() && batch.matched != batch.output.is_empty());
        String::from_utf8_lossy(&batch.output).into_owned()
    }

    #[test]
    fn lines_that_match_are_printed() {
        assert_eq!(searched("one", b"one\ntwo\nbone"), "one\nbone\n");
        assert_eq!(searched("^b$", b"a\nb\nc\n"), "b\n");
        assert_eq!(searched("three", b"one\n"), "");
        assert_eq!(searched("", b""), "");
        assert_eq!(searched("one", b"one \0\n\xff\none\xff\n"), "one \0\none\u{fffd}\n");
    }

    #[test]
    fn lines_are_found_across_reads() {
        let words = |number: usize| if number.is_multiple_of(5000) { "needle" } else { "hay" };
        let numbered = |number: usize| format!("{number} {}\n", words(number));
        let text: String = (1..=100_000).map(numbered).collect();
        assert!(text.len() > 4 * ROOM);
        let due: String = (1..=20).map(|number| format!("{} needle\n", 5000 * number)).collect();
        assert_eq!(searched("needle$", text.as_bytes()), due);
    }

    #[test]
    fn a_long_line_is_one_line() {
        let text = ["short", &"x".repeat(3 * ROOM), "short end"].concat() + "\nshort\n";
        assert_eq!(searched("short", text.as_bytes()), text);
        assert_eq!(searched("x$", &text.as_bytes()[..5 + 3 * ROOM]), text[..5 + 3 * ROOM].to_owned() + "\n");
    }

    #[test]
    fn files_that_vanished_are_told_and_the_rest_is_searched() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(&file, "one").expect("it can be written");
        let folder = tempfile::tempdir().expect("a folder");
        let missing = Path::new("missing");
        let files = vec![missing.to_owned(), folder.path().to_owned(), file.path().to_owned()];
        let batch = search(&Query::new("one").expect("a pattern"), Batch { files, ..Batch::default() });
        assert!(batch.failed && batch.matched);
        assert_eq!(batch.output, format!("{}:one\n", file.path().display()).as_bytes());
        let told = String::from_utf8(batch.messages).expect("text");
        let due = "grep: missing: No such file or directory\n";
        assert!(told.starts_with(due) && told.ends_with(": Is a directory\n"), "{told}");
    }

    #[test]
    fn bad_patterns_are_refused_in_one_line() {
        for (pattern, told) in [("(", "unclosed group"), ("a\nb", "not allowed"), ("(?=a)", "look-around")] {
            let words = Query::new(pattern).expect_err(pattern);
            assert!(words.starts_with("invalid pattern: ") && words.contains(told), "{pattern}: {words}");
            assert_eq!(words.lines().count(), 1, "{pattern}: {words}");
        }
    }
}
