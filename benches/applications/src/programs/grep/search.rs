//! The stage: the files of a batch are searched, and become the text that is printed about them.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::mem;
use std::path::Path;

use grep_searcher::{Searcher, SearcherBuilder};
use memchr::memrchr;

use super::batch::Batch;
use super::page::Page;
use super::query::Query;

/// The number of bytes that GNU grep reads at a time: of a piece with a NUL byte it prints no line.
pub const PIECE: usize = 96 << 10;

/// The number of bytes that are read at a time. Most files are smaller.
const ROOM: usize = PIECE;

/// What is read begins at a multiple of this number of bytes. Some processors copy at an eighth of their
/// usual rate to an address shortly behind the beginning of a page, and an allocator puts large vectors
/// there: with such a buffer, a search through folders of sources took half as much time again.
const LINE: usize = 64;

thread_local! {
    /// The worker of this thread, whose memory is used for one file after another.
    static WORKER: RefCell<Worker> = RefCell::new(Worker::new());
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
        let mut page = Page::new(query, path, batch);
        if let Err(error) = File::open(path).and_then(|file| self.read(&file, &mut page)) {
            page.batch.fail(path, &error);
            return;
        }
        page.end();
    }

    /// Reads and searches the file, until it ends or there is nothing more to find out. Only whole lines are
    /// searched; what was read of the next one is kept.
    fn read(&mut self, mut file: &File, page: &mut Page<'_>) -> io::Result<()> {
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
            page.convert(&mut bytes[kept..filled], kept);
            // Without a line break, this is a part of a long line.
            let last = memrchr(b'\n', &bytes[kept..filled]);
            let end = if at_end { filled } else { last.map_or(0, |last| kept + last + 1) };
            self.searcher.search_slice(&page.query.matcher, &bytes[..end], &mut *page)?;
            if at_end || page.over {
                return Ok(());
            }
            page.pass(&bytes[..end]);
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Batch, PIECE, Query, ROOM, Worker, search};
    use crate::programs::grep::query::{Show, compiled};

    /// What is printed about a file with these bytes, without its name, and what is said about it.
    fn searched(pattern: &str, show: Show, numbers: bool, bytes: &[u8]) -> (String, String) {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(&file, bytes).expect("it can be written");
        let matcher = compiled(pattern, false).expect("a pattern");
        let query = Query { matcher, show, numbers, names: false, all_text: false };
        let mut batch = Batch::default();
        Worker::new().search(&query, file.path(), &mut batch);
        assert!(!batch.failed);
        let text = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_owned()).expect("text");
            text.replace(&file.path().display().to_string(), "FILE")
        };
        (text(&batch.output), text(&batch.messages))
    }

    const BINARY: &str = "grep: FILE: binary file matches\n";

    #[test]
    fn lines_counts_and_names_are_printed() {
        let text = b"one\ntwo\nbone";
        let cases = [
            (Show::Lines, false, "one\nbone\n"),
            (Show::Lines, true, "1:one\n3:bone\n"),
            (Show::Count, true, "2\n"),
            (Show::Name, true, "FILE\n"),
        ];
        for (show, numbers, due) in cases {
            assert_eq!(searched("one", show, numbers, text), (due.to_owned(), String::new()));
        }
        assert_eq!(searched("three", Show::Count, false, text).0, "0\n");
        assert_eq!(searched("three", Show::Name, false, text).0, "");
        assert_eq!(searched("", Show::Lines, true, b""), Default::default());
    }

    #[test]
    fn lines_are_found_and_numbered_across_reads() {
        let words = |number: usize| if number.is_multiple_of(5000) { "needle" } else { "hay" };
        let numbered = |number: usize| format!("{number} {}\n", words(number));
        let text: String = (1..=100_000).map(numbered).collect();
        assert!(text.len() > 4 * ROOM);
        let lines = (1..=20).map(|number| 5000 * number);
        let due: String = lines.map(|number| format!("{number}:{number} needle\n")).collect();
        assert_eq!(searched("needle$", Show::Lines, true, text.as_bytes()).0, due);
        assert_eq!(searched("needle", Show::Count, false, text.as_bytes()).0, "20\n");
    }

    #[test]
    fn a_long_line_is_one_line() {
        let text = ["short", &"x".repeat(3 * ROOM), "short end"].concat() + "\nshort\n";
        let (lines, _) = searched("short", Show::Lines, true, text.as_bytes());
        assert_eq!(lines, format!("1:{}\n2:short\n", text.lines().next().expect("a line")));
        assert_eq!(searched("x$", Show::Count, false, &text.as_bytes()[..5 + 3 * ROOM]).0, "1\n");
    }

    #[test]
    fn lines_before_a_nul_byte_are_printed_by_pieces() {
        let binary = searched("one", Show::Lines, false, b"one\n\0\none\n");
        assert_eq!(binary, (String::new(), BINARY.to_owned()));
        assert_eq!(searched("one", Show::Lines, false, b"two\n\0"), Default::default());
        assert_eq!(searched("^one$", Show::Count, false, b"one\0one\n").0, "2\n");
        for nul in [PIECE, 3 * PIECE + 7] {
            let mut late = b"one\n".repeat(PIECE);
            late[nul] = 0;
            let (lines, told) = searched("one", Show::Lines, false, &late);
            assert_eq!((lines.len(), told.as_str()), (nul / PIECE * PIECE, BINARY));
        }
    }

    #[test]
    fn lines_that_are_not_utf_8_are_left_out() {
        let (lines, told) = searched("one", Show::Lines, true, b"one\none \xff\none\n");
        assert_eq!((lines.as_str(), told.as_str()), ("1:one\n3:one\n", BINARY));
        assert_eq!(searched("one", Show::Lines, false, b"one\n\xff\n"), ("one\n".into(), String::new()));
        assert_eq!(searched("one", Show::Count, false, b"one \xff\n").0, "1\n");
    }

    #[test]
    fn files_that_vanished_are_told_and_the_rest_is_searched() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(&file, "one").expect("it can be written");
        let folder = tempfile::tempdir().expect("a folder");
        let missing = Path::new("missing");
        let files = vec![missing.to_owned(), folder.path().to_owned(), file.path().to_owned()];
        let batch = search(&Query::text("one").expect("a pattern"), Batch { files, ..Batch::default() });
        assert!(batch.failed && batch.matched);
        assert_eq!(batch.output, format!("{}:one\n", file.path().display()).as_bytes());
        let told = String::from_utf8(batch.messages).expect("text");
        let due = "grep: missing: No such file or directory\n";
        assert!(told.starts_with(due) && told.ends_with(": Is a directory\n"), "{told}");
    }
}
