//! The file that the matches are written to, if it is one: searching it could go on forever.

use std::fs::Metadata;

use walkdir::DirEntry;

/// The device and the number of a regular file.
#[derive(Clone, Copy, Debug)]
pub struct Destination {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    number: u64,
}

#[cfg(unix)]
impl Destination {
    /// The file that stdout is redirected to.
    pub fn of_stdout() -> Option<Destination> {
        use std::os::{fd::AsFd, unix::fs::MetadataExt};
        let out = std::io::stdout().as_fd().try_clone_to_owned().ok()?;
        let data = std::fs::File::from(out).metadata().ok()?;
        data.is_file().then(|| Destination { device: data.dev(), number: data.ino() })
    }

    /// Whether this is the same file.
    pub fn is(&self, data: &Metadata) -> bool {
        use std::os::unix::fs::MetadataExt;
        (data.dev(), data.ino()) == (self.device, self.number)
    }

    /// Whether this entry is the same file. The system is asked only if the number is the same.
    pub fn is_entry(&self, entry: &DirEntry) -> bool {
        use walkdir::DirEntryExt;
        entry.ino() == self.number && entry.metadata().is_ok_and(|data| self.is(&data))
    }
}

/// Elsewhere, files have no numbers that the standard library could compare.
#[cfg(not(unix))]
impl Destination {
    /// Unknown.
    pub fn of_stdout() -> Option<Destination> {
        None
    }

    /// Never called, as there is no destination.
    pub fn is(&self, _: &Metadata) -> bool {
        false
    }

    /// Never called, as there is no destination.
    pub fn is_entry(&self, _: &DirEntry) -> bool {
        false
    }
}
