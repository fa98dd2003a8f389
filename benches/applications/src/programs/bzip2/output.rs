//! The destination of the blocks: memory, or a file that is written block by block.

use std::io::{self, Read};
use std::path::Path;

use crate::streams::Checksum;
use pipes_benches::files::Part;

/// The results, in order.
#[derive(Debug)]
pub enum Output {
    /// The blocks themselves.
    Memory(Vec<Vec<u8>>),
    /// A file.
    Disk(Part),
}

impl Output {
    /// Appends a block.
    pub fn put(&mut self, block: Vec<u8>) -> io::Result<()> {
        match self {
            Output::Memory(blocks) => blocks.push(block),
            Output::Disk(part) => part.write(&block)?,
        }
        Ok(())
    }

    /// The checksum of everything written.
    pub fn checksum(&self) -> io::Result<Checksum> {
        let mut checksum = Checksum::default();
        match self {
            Output::Memory(blocks) => blocks.iter().for_each(|block| checksum.add(block)),
            Output::Disk(part) => {
                let (mut file, mut piece) = (part.reopen()?, vec![0; 1 << 16]);
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

    /// Gives the complete output its final name, atomically.
    pub fn keep(self, path: &Path) -> io::Result<()> {
        let part = match self {
            Output::Disk(part) => part,
            Output::Memory(blocks) => {
                let mut part = Part::beside(path)?;
                blocks.iter().try_for_each(|block| part.write(block))?;
                part
            }
        };
        part.keep()
    }
}
