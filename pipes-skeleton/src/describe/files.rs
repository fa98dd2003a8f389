//! A sink that writes a file.

use super::pipeline::Pipeline;
use crate::failure::{Failure, FailureKind};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

impl<T: AsRef<[u8]> + Send + 'static> Pipeline<T> {
    /// Runs the pipeline and writes its results to a file, one after another. No program sees a part of it:
    /// the results are written to a temporary file in the same folder, which replaces the file, with
    /// everything in it, when the pipeline has ended. If the pipeline fails, the file stays as it was. A file
    /// that is replaced keeps its permissions; what is there and is no regular file is not replaced.
    ///
    /// ```
    /// use pipes_skeleton::lines;
    ///
    /// let path = std::env::temp_dir().join("pipes-skeleton-write-to");
    /// lines("one\ntwo\n".as_bytes()).map(|line| line.to_uppercase() + "\n").write_to(&path)?;
    /// assert_eq!(std::fs::read_to_string(&path)?, "ONE\nTWO\n");
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure. If the file cannot be written, that is a failure of the stage "sink".
    pub fn write_to(self, path: impl AsRef<Path>) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::new("sink".to_owned(), FailureKind::Error(error.into()));
        let mut file = Unfinished::beside(path.as_ref()).map_err(failed)?;
        self.try_for_each(|item| file.writer.write_all(item.as_ref()))?;
        file.finish().map_err(failed)
    }
}

/// A temporary file, which is removed on drop.
struct Unfinished {
    writer: BufWriter<File>,
    temporary: PathBuf,
    path: PathBuf,
}

impl Unfinished {
    /// Creates a temporary file in the folder of this file, with its permissions. If the path is a symbolic
    /// link, that is the folder of what it points to.
    fn beside(path: &Path) -> io::Result<Self> {
        let path = if fs::symlink_metadata(path).is_ok() { fs::canonicalize(path)? } else { path.to_owned() };
        let before = fs::metadata(&path).ok();
        if path.file_name().is_none() || before.as_ref().is_some_and(|before| !before.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        let number = RandomState::new().hash_one(&path);
        let temporary = path.with_file_name(format!(".pipes-{number:016x}"));
        let file = File::create_new(&temporary)?;
        let unfinished = Unfinished { writer: BufWriter::with_capacity(64 << 10, file), temporary, path };
        if let Some(before) = before {
            unfinished.writer.get_ref().set_permissions(before.permissions())?;
        }
        Ok(unfinished)
    }

    /// Replaces the file.
    fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.writer.get_ref().sync_all()?;
        fs::rename(&self.temporary, &self.path)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After a rename it is not there.
        let _ = fs::remove_file(&self.temporary);
    }
}
