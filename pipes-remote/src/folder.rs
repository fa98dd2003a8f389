//! Folders for unit tests.

use std::env::temp_dir;
use std::fs;
use std::path::PathBuf;
use std::process;

/// A new folder. Dropping this removes it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = temp_dir().join(format!("pipes-{name}-{}", process::id()));
        fs::create_dir(&folder).expect("it is not there yet");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("it is there");
    }
}
