//! The source of the blocks: memory, or a file that is read block by block.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::vec;

use bytes::Bytes;
use tempfile::NamedTempFile;

use super::Medium;
use super::codec::{Block, Mode};
use pipes_benches::files::named;

/// All blocks of a run, which every contender reads once.
#[derive(Debug)]
pub struct Input {
    name: Arc<str>,
    lengths: Vec<usize>,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Memory(Bytes),
    /// A file given by the user.
    File,
    /// A temporary file of generated data, which is deleted when this is dropped.
    Generated(NamedTempFile),
}

impl Input {
    /// The input from a file given by the user.
    pub fn file(path: &Path, mode: Mode, medium: Medium) -> io::Result<Input> {
        let data = fs::read(path).map_err(|error| named(path, "could not be read", &error))?;
        let lengths = mode.lengths(&data);
        let place = match medium {
            Medium::Memory => Place::Memory(data.into()),
            Medium::Disk => Place::File,
        };
        Ok(Input { name: path.to_string_lossy().into(), lengths, place })
    }

    /// An input of generated data.
    pub fn generated(data: Vec<u8>, mode: Mode, medium: Medium) -> io::Result<Input> {
        let lengths = mode.lengths(&data);
        if medium == Medium::Memory {
            let place = Place::Memory(data.into());
            return Ok(Input { name: "the generated data".into(), lengths, place });
        }
        let mut file = NamedTempFile::new()?;
        file.write_all(&data).map_err(|error| named(file.path(), "could not be written", &error))?;
        let name = file.path().to_string_lossy().into();
        Ok(Input { name, lengths, place: Place::Generated(file) })
    }

    /// The name of the input in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of blocks.
    pub fn len(&self) -> u64 {
        self.lengths.len() as u64
    }

    /// Starts reading the blocks.
    pub fn blocks(&self) -> io::Result<Blocks> {
        let source = match &self.place {
            Place::Memory(bytes) => Source::Memory(bytes.clone()),
            Place::File => Source::File(self.open()?),
            Place::Generated(file) => Source::File(file.reopen()?),
        };
        Ok(Blocks { name: self.name.clone(), lengths: self.lengths.clone().into_iter(), number: 0, source })
    }

    fn open(&self) -> io::Result<File> {
        let path = Path::new(&*self.name);
        File::open(path).map_err(|error| named(path, "could not be opened", &error))
    }
}

/// Blocks as they are read, in order.
#[derive(Debug)]
pub struct Blocks {
    name: Arc<str>,
    lengths: vec::IntoIter<usize>,
    number: u64,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// The data not yet taken; taking a part of them copies nothing.
    Memory(Bytes),
    File(File),
}

impl Iterator for Blocks {
    type Item = io::Result<Block>;

    fn next(&mut self) -> Option<io::Result<Block>> {
        let length = self.lengths.next()?;
        let bytes = match &mut self.source {
            Source::Memory(bytes) => Ok(bytes.split_to(length)),
            Source::File(file) => read(file, length),
        };
        let number = self.number;
        self.number += 1;
        Some(
            bytes
                .map(|bytes| Block { number, bytes })
                .map_err(|error| named(Path::new(&*self.name), "could not be read", &error)),
        )
    }
}

/// The next bytes of a file.
fn read(file: &mut File, length: usize) -> io::Result<Bytes> {
    let mut bytes = Vec::with_capacity(length);
    file.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it has become shorter"));
    }
    Ok(bytes.into())
}
