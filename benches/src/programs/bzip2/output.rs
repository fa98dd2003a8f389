//! Where the blocks go to: memory, or a file that is written block by block.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::streams::Checksum;

/// What has come out, in order.
#[derive(Debug)]
pub enum Output {
    /// The blocks themselves.
    Memory(Vec<Vec<u8>>),
    /// A file.
    Disk(Part),
}

/// A file that is not complete, which goes away unless it is kept.
#[derive(Debug)]
pub struct Part {
    file: NamedTempFile,
    /// What it is called in messages: where it is to be kept, or where it is.
    name: PathBuf,
}

impl Output {
    /// Adds a block behind the others.
    pub fn put(&mut self, block: Vec<u8>) -> io::Result<()> {
        match self {
            Output::Memory(blocks) => blocks.push(block),
            Output::Disk(part) => part.write(&block)?,
        }
        Ok(())
    }

    /// Adds all blocks, as long as there is no error.
    pub fn fill(mut self, blocks: impl IntoIterator<Item = io::Result<Vec<u8>>>) -> io::Result<Output> {
        blocks.into_iter().try_for_each(|block| self.put(block?))?;
        Ok(self)
    }

    /// The checksum of it all.
    pub fn checksum(&self) -> io::Result<Checksum> {
        let mut checksum = Checksum::default();
        match self {
            Output::Memory(blocks) => blocks.iter().for_each(|block| checksum.add(block)),
            Output::Disk(part) => {
                let (mut file, mut piece) = (part.file.reopen()?, vec![0; 1 << 16]);
                loop {
                    match file.read(&mut piece)? {
                        0 => break,
                        length => checksum.add(&piece[..length]),
                    }
                }
            }
        }
        Ok(checksum)
    }

    /// Leaves it under its final name, at once and complete.
    pub fn keep(self, path: &Path) -> io::Result<()> {
        let part = match self {
            Output::Disk(part) => part,
            Output::Memory(blocks) => {
                let mut part = Part::beside(path)?;
                blocks.iter().try_for_each(|block| part.write(block))?;
                part
            }
        };
        let cannot = |error: &io::Error| named(path, "could not be written", error);
        // A disk may say only now that it is full.
        part.file.as_file().sync_all().map_err(|error| cannot(&error))?;
        part.file.persist(path).map_err(|error| cannot(&error.error))?;
        Ok(())
    }
}

impl Part {
    /// A file that nobody keeps.
    pub fn scratch() -> io::Result<Part> {
        let file = NamedTempFile::new()?;
        Ok(Part { name: file.path().into(), file })
    }

    /// A file beside this one, whose place it is to take.
    pub fn beside(path: &Path) -> io::Result<Part> {
        let cannot = |error: &io::Error| named(path, "could not be created", error);
        // A device or a folder is not to be replaced by a file.
        if fs::metadata(path).is_ok_and(|old| !old.is_file()) {
            return Err(cannot(&io::Error::new(
                ErrorKind::AlreadyExists,
                "it is there, and no regular file",
            )));
        }
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let mut builder = Builder::new();
        builder.prefix(".").suffix(".part");
        // What is kept is for those for whom other new files are.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| cannot(&error))?;
        Ok(Part { file, name: path.into() })
    }

    fn write(&mut self, block: &[u8]) -> io::Result<()> {
        self.file.write_all(block).map_err(|error| named(&self.name, "could not be written", &error))
    }
}

/// An error that says which file it is about.
pub fn named(path: &Path, what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} {what}: {error}", path.display()))
}
