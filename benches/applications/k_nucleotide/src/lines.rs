//! The letters of sequence THREE of a FASTA text, line by line.

use std::io::{self, ErrorKind};
use std::mem::take;
use std::sync::Arc;

use memchr::memchr;

use super::letters::stray;
use super::source::{Source, named};

/// The sequence whose letters are counted: the first word of its header.
const NAME: &[u8] = b"THREE";

/// The most letters returned at once, however long a line is.
pub const PIECE: usize = 64 << 10;

/// A text that is being read, with the current position. A line that is long or spans two blocks is returned
/// in several pieces.
#[derive(Debug)]
pub struct Lines {
    name: Arc<str>,
    source: Source,
    section: Section,
    /// The first bytes of a header.
    header: Vec<u8>,
    /// The line of the next byte, and the number of its bytes consumed so far.
    line: u64,
    column: u64,
    /// The number of bytes that have been inspected and are to be consumed next, and whether a line ends with
    /// them.
    seen: (usize, bool),
    /// The last byte was a carriage return, so the next one must end the line.
    returned: bool,
    letters: u64,
}

/// What the next byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// Nothing: there has been no header yet.
    Nothing,
    Header,
    Other,
    Three,
    /// Nothing relevant: all was read, or an error was reported.
    Done,
}

impl Lines {
    /// The lines of this text, whose name appears in messages.
    pub fn new(name: Arc<str>, source: Source) -> Lines {
        let (header, section) = (Vec::new(), Section::Nothing);
        Lines {
            name,
            source,
            section,
            header,
            line: 1,
            column: 0,
            seen: (0, false),
            returned: false,
            letters: 0,
        }
    }

    /// The next letters, all of one line, if there are any left. They are not checked.
    pub fn piece(&mut self) -> io::Result<Option<&[u8]>> {
        let found = self.find();
        if !matches!(found, Ok(Some(_))) {
            self.section = Section::Done;
        }
        match found? {
            None => Ok(None),
            Some(length) => Ok(Some(&self.source.block()?[..length])),
        }
    }

    /// The next letters, if they are letters.
    pub fn checked(&mut self) -> io::Result<Option<&[u8]>> {
        let Some(length) = self.piece()?.map(<[u8]>::len) else { return Ok(None) };
        match stray(&self.source.block()?[..length]) {
            None => Ok(Some(&self.source.block()?[..length])),
            Some(place) => Err(self.unknown(place)),
        }
    }

    /// An error about the letter at this index of the last line returned.
    pub fn unknown(&mut self, place: usize) -> io::Error {
        self.section = Section::Done;
        let letter = self.source.block().ok().and_then(|block| block.get(place)).copied().unwrap_or_default();
        self.column += place as u64;
        self.unknown_letter(letter)
    }

    /// The length of the next piece, which lies at the front of the block.
    #[inline]
    fn find(&mut self) -> io::Result<Option<usize>> {
        loop {
            self.consume();
            if self.section == Section::Done {
                return Ok(None);
            }
            let block = self.source.block().map_err(|error| named(&self.name, &error))?;
            let Some(&first) = block.first() else { return self.end() };
            if self.column == 0 && first == b'>' {
                if self.section == Section::Three {
                    return self.end();
                }
                self.section = Section::Header;
                self.header.clear();
            }
            let (mut length, mut ended) = match memchr(b'\n', block) {
                Some(length) => (length, true),
                None => (block.len(), false),
            };
            if self.section == Section::Three {
                (length, ended) = if length > PIECE { (PIECE, false) } else { (length, ended) };
                let returned = length > 0 && block[length - 1] == b'\r';
                self.seen = (length, ended);
                if take(&mut self.returned) && length > 0 {
                    self.column -= 1;
                    return Err(self.unknown_letter(b'\r'));
                }
                length -= usize::from(returned);
                self.returned = returned && !ended;
                self.letters += length as u64;
                if self.letters > u64::from(u32::MAX) {
                    return Err(self.told("sequence THREE has more than 4294967295 letters"));
                }
                if length > 0 {
                    return Ok(Some(length));
                }
                continue;
            }
            self.seen = (length, ended);
            match self.section {
                Section::Header => {
                    // One byte more than is needed to distinguish the name from longer ones.
                    let missing = (NAME.len() + 2).saturating_sub(self.header.len());
                    self.header.extend(block[..length].iter().take(missing));
                    if ended {
                        self.section = if self.is_three() { Section::Three } else { Section::Other };
                    }
                }
                Section::Nothing if block[..length].iter().any(|byte| !byte.is_ascii_whitespace()) => {
                    return Err(self.told("there is no header, which begins with `>`, before this"));
                }
                _ => {}
            }
        }
    }

    /// Consumes the piece that was returned last.
    #[inline]
    fn consume(&mut self) {
        let (bytes, ended) = take(&mut self.seen);
        self.source.consume(bytes + usize::from(ended));
        self.column += bytes as u64;
        if ended {
            self.line += 1;
            self.column = 0;
        }
    }

    /// Handles the end of the text, which is valid only after letters.
    fn end(&mut self) -> io::Result<Option<usize>> {
        match self.section {
            _ if self.letters > 0 => Ok(None),
            Section::Three => Err(self.told("sequence THREE is empty")),
            Section::Header if self.is_three() => Err(self.told("sequence THREE is empty")),
            _ => Err(self.told("it ends here and there was no sequence THREE")),
        }
    }

    /// Returns `true` if the header, as far as it was read, is that of the sequence.
    fn is_three(&self) -> bool {
        let rest = self.header[1..].strip_prefix(NAME);
        rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
    }

    fn unknown_letter(&self, letter: u8) -> io::Error {
        self.told(&format!("`{}` is none of the letters A, C, G and T", letter.escape_ascii()))
    }

    /// An error about the current position in the text.
    fn told(&self, what: &str) -> io::Error {
        let (line, column) = (self.line, self.column + 1);
        io::Error::new(ErrorKind::InvalidData, format!("{}, line {line}, column {column}: {what}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{BufReader, Cursor};

    use tempfile::NamedTempFile;

    use super::*;

    /// All letters, or the error.
    fn read(source: Source) -> Result<String, String> {
        let mut lines = Lines::new("it".into(), source);
        let mut letters = String::new();
        let failed = loop {
            match lines.checked() {
                Ok(Some(line)) => letters += str::from_utf8(line).expect("they are letters"),
                Ok(None) => break None,
                Err(error) => break Some(error.to_string()),
            }
        };
        assert!(matches!(lines.piece(), Ok(None)), "nothing comes behind the end");
        failed.map_or(Ok(letters), Err)
    }

    /// The letters that a simple program finds in a valid text.
    fn due(text: &str) -> String {
        let three = text.lines().skip_while(|line| !line.starts_with(">THREE")).skip(1);
        three.take_while(|line| !line.starts_with('>')).collect::<String>().replace('\r', "")
    }

    const TEXT: &str = ">ONE x\r\nnnn\n>\n>THREE\r\nacgt\r\n\r\nAC\n\nt\r\nggg\n>THREE again\nacgt\n";

    #[test]
    fn blocks_of_any_size_and_texts_cut_anywhere_are_read_alike() {
        for cut in 0..=TEXT.len() {
            let text = &TEXT[..cut];
            let whole = read(Source::Memory(Cursor::new(text.as_bytes().into())));
            match &whole {
                Ok(letters) => assert_eq!(*letters, due(text), "{text:?}"),
                Err(told) => {
                    assert!(due(text).is_empty() && told.contains("sequence THREE"), "{text:?}: {told}")
                }
            }
            let file = NamedTempFile::new().expect("there is room");
            std::fs::write(file.path(), text).expect("it can be written");
            for block in 1..9 {
                let file = File::open(file.path()).expect("it is there");
                assert_eq!(
                    read(Source::File(BufReader::with_capacity(block, file))),
                    whole,
                    "{text:?} by {block}"
                );
            }
        }
    }

    #[test]
    fn errors_are_in_the_same_place_however_the_text_is_read() {
        for (text, line, column) in [
            ("\n\nacgt\n", 3, 1),
            (">THREE\nac\rgt", 2, 3),
            (">THREE\nac\r\r\n", 2, 3),
            (">THREE\na\nacgtn\n", 3, 5),
        ] {
            let file = NamedTempFile::new().expect("there is room");
            std::fs::write(file.path(), text).expect("it can be written");
            for block in 1..20 {
                let file = File::open(file.path()).expect("it is there");
                let told = read(Source::File(BufReader::with_capacity(block, file))).expect_err(text);
                assert!(
                    told.starts_with(&format!("it, line {line}, column {column}: ")),
                    "{told} by {block}"
                );
            }
        }
    }
}
