//! Where the text comes from: memory, or a file that is read as it is needed.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use super::chunk::{CHUNK, Chunks};
use super::fasta;
use super::lines::Lines;
use super::source::{Source, named};

/// The number of bytes read from a file at once.
const BLOCK: usize = 256 << 10;

/// The text of a run, which every contender reads once.
#[derive(Debug)]
pub struct Input {
    name: Arc<str>,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Memory(Bytes),
    File(PathBuf),
}

impl Input {
    /// The output of the game's generator.
    pub fn generated(n: u64) -> io::Result<Input> {
        let mut text = Vec::with_capacity(fasta::length(n) as usize);
        fasta::write(n, &mut text)?;
        Ok(Input::memory("the generated text", text))
    }

    /// A file given by the user; `-` is the standard input. Input that can be read only once is read now.
    pub fn file(path: &Path) -> io::Result<Input> {
        if path == Path::new("-") {
            return Input::all_of("the standard input", |text| io::stdin().lock().read_to_end(text));
        }
        let name = path.to_string_lossy();
        if is_pipe(path) {
            return Input::all_of(&name, |text| File::open(path)?.read_to_end(text));
        }
        Ok(Input { name: name.into(), place: Place::File(path.into()) })
    }

    /// Reads a whole text at once.
    fn all_of(name: &str, read: impl FnOnce(&mut Vec<u8>) -> io::Result<usize>) -> io::Result<Input> {
        let mut text = Vec::new();
        read(&mut text).map_err(|error| named(name, &error))?;
        Ok(Input::memory(name, text))
    }

    /// A text that is already in memory.
    pub fn memory(name: &str, text: Vec<u8>) -> Input {
        Input { name: name.into(), place: Place::Memory(text.into()) }
    }

    /// The whole text.
    pub fn text(&self) -> io::Result<Bytes> {
        match &self.place {
            Place::Memory(text) => Ok(text.clone()),
            Place::File(path) => Ok(fs::read(path).map_err(|error| named(&self.name, &error))?.into()),
        }
    }

    /// The number of letters in sequence THREE, if the text is valid.
    pub fn letters(&self) -> io::Result<u64> {
        let (mut lines, mut letters) = (self.lines()?, 0);
        while let Some(line) = lines.checked()? {
            letters += line.len() as u64;
        }
        Ok(letters)
    }

    /// Starts reading the lines of sequence THREE.
    pub fn lines(&self) -> io::Result<Lines> {
        let source = match &self.place {
            Place::Memory(text) => Source::Memory(Cursor::new(text.clone())),
            Place::File(path) => {
                let file = File::open(path).map_err(|error| named(&self.name, &error))?;
                Source::File(BufReader::with_capacity(BLOCK, file))
            }
        };
        Ok(Lines::new(self.name.clone(), source))
    }

    /// Starts reading the letters of sequence THREE, packed into chunks.
    pub fn chunks(&self) -> io::Result<Chunks> {
        self.chunks_of(CHUNK)
    }

    /// Starts reading with another number of letters in a chunk, to which up to a line may be added.
    pub fn chunks_of(&self, letters: usize) -> io::Result<Chunks> {
        Ok(Chunks::new(letters, self.lines()?))
    }
}

/// Returns `true` if this is a named pipe. If the file does not exist, opening it reports that.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|about| about.file_type().is_fifo())
}

/// Returns `false`: other systems have no pipes in the file system.
#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}
