//! The user's files: written next to their final name, so an incomplete file never has that name.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};

use serde::{Serialize, Serializer};
use tempfile::{Builder, NamedTempFile};

/// An incomplete file, which is deleted unless it is kept.
#[derive(Debug)]
pub struct Part {
    file: NamedTempFile,
    /// Its name in messages: as the user named it, or where it is.
    name: PathBuf,
    /// Where it is to be kept: at the end of symbolic links, which are preserved.
    place: PathBuf,
}

impl Part {
    /// A temporary file, which is never kept.
    pub fn scratch() -> io::Result<Part> {
        let file = NamedTempFile::new()?;
        Ok(Part { name: file.path().into(), place: file.path().into(), file })
    }

    /// A file next to this one, which it is to replace.
    pub fn beside(path: &Path) -> io::Result<Part> {
        let cannot = |error: &io::Error| named(path, "could not be created", error);
        let place = place(path).map_err(|error| cannot(&error))?;
        let folder = folder_of(&place);
        // Checked here, so that the error is about the folder and not about a temporary file in it.
        fs::metadata(folder).map_err(|error| cannot(&error))?;
        let mut builder = Builder::new();
        builder.prefix(".").suffix(".part");
        // A file that is kept gets the same permissions as any other new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // Only the kind of the error is reported, because its text contains the name of the temporary file.
        let file = builder.tempfile_in(folder).map_err(|error| cannot(&error.kind().into()))?;
        Ok(Part { file, name: path.into(), place })
    }

    /// Appends to the file.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).map_err(|error| named(&self.name, "could not be written", &error))
    }

    /// What appends to the file, for an encoder.
    pub fn writer(&mut self) -> impl Write {
        self.file.as_file_mut()
    }

    /// The file, reopened to be read from its beginning.
    pub fn reopen(&self) -> io::Result<File> {
        self.file.reopen()
    }

    /// Gives the complete file its final name, atomically.
    pub fn keep(self) -> io::Result<()> {
        let cannot = |error: &io::Error| named(&self.name, "could not be written", error);
        // That the disk is full may be reported only now.
        self.file.as_file().sync_all().map_err(|error| cannot(&error))?;
        self.file.persist(&self.place).map_err(|error| cannot(&error.error))?;
        Ok(())
    }
}

/// The place where a file of this name is to be kept: at the end of symbolic links.
fn place(path: &Path) -> io::Result<PathBuf> {
    let refused = |kind, what: &str| Err(io::Error::new(kind, what));
    match fs::metadata(path) {
        // A device or a folder must not be replaced by a file.
        Ok(old) if !old.is_file() => refused(ErrorKind::AlreadyExists, "it is there, and no regular file"),
        Ok(old) if old.permissions().readonly() => {
            refused(ErrorKind::PermissionDenied, "it is there, and may not be written")
        }
        Ok(_) => fs::canonicalize(path),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            refused(ErrorKind::NotFound, "it is a link to what is not there")
        }
        Err(_) if path.to_string_lossy().ends_with(is_separator) => {
            refused(ErrorKind::NotADirectory, "it is the name of a folder")
        }
        Err(_) => Ok(path.to_owned()),
    }
}

/// Returns `true` if both name the same place, in whatever way. Neither has to exist.
pub fn are_same(one: &Path, other: &Path) -> bool {
    full(one) == full(other)
}

/// Returns `true` if this file, which need not exist, is directly in this folder.
pub fn is_in(file: &Path, folder: &Path) -> bool {
    // A link in the folder takes a name there, and what is written to a link to the folder is written there.
    [file, &full(file)].into_iter().any(|file| are_same(folder_of(file), folder))
}

/// The path without links, as far as it is there.
fn full(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        // The folder may be there.
        fs::canonicalize(folder_of(path))
            .ok()
            .zip(path.file_name())
            .map_or_else(|| path.to_owned(), |(folder, name)| folder.join(name))
    })
}

/// The folder that a file of this name is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// An error that names its file.
pub fn named(path: &Path, what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{} {what}: {error}", shown(path)))
}

/// A path as a part of a line, even if it is not valid text. A name may contain line breaks.
pub fn shown(path: impl AsRef<Path>) -> String {
    let is_text = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    path.as_ref().to_string_lossy().chars().map(is_text).collect()
}

/// A path for display, even if it is not valid text.
pub fn as_text<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn paths_are_parts_of_a_line() {
        assert_eq!(shown("a\tb\nc/d e.png"), "a\u{fffd}b\u{fffd}c/d e.png");
    }
}
