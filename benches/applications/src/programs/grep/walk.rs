//! The source: a walk through folders, which yields batches of files.

use std::fs;
use std::path::{Path, PathBuf};
use std::vec;

use walkdir::WalkDir;

use super::batch::{Batch, words};

/// The most files in a batch. The first batches are smaller, so that all workers begin at once.
const MOST: usize = 64;

/// What is walked through, and how.
#[derive(Debug)]
pub struct Roots {
    /// The files and folders, as they are named in the output.
    pub paths: Vec<PathBuf>,
    /// Whether each folder is walked through in the order of the names in it.
    pub sorted: bool,
}

/// A walk. Symbolic links are followed if they are roots, and skipped if they are met on the way, like
/// everything else that is neither a regular file nor a folder.
#[derive(Debug)]
pub struct Walk {
    sorted: bool,
    /// The roots that come next.
    paths: vec::IntoIter<PathBuf>,
    /// The folder that is being walked through.
    folder: Option<walkdir::IntoIter>,
    /// The number and the size of the next batch.
    number: u32,
    size: usize,
}

impl Roots {
    /// Begins a walk.
    pub fn walk(&self) -> Walk {
        let paths = self.paths.clone().into_iter();
        Walk { sorted: self.sorted, paths, folder: None, number: 0, size: 1 }
    }
}

impl Iterator for Walk {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let files = Vec::with_capacity(self.size);
        let mut batch = Batch { number: self.number, files, ..Batch::default() };
        while batch.files.len() < self.size && self.step(&mut batch) {}
        self.number = self.number.wrapping_add(1);
        self.size = (2 * self.size).min(MOST);
        (!batch.files.is_empty() || batch.failed).then_some(batch)
    }
}

impl Walk {
    /// Looks at the next entry, or at the next root. Returns whether there was one.
    fn step(&mut self, batch: &mut Batch) -> bool {
        let Some(folder) = &mut self.folder else {
            let Some(path) = self.paths.next() else { return false };
            self.root(path, batch);
            return true;
        };
        match folder.next() {
            None => self.folder = None,
            Some(Err(error)) => {
                let path = error.path().unwrap_or(Path::new(".")).to_owned();
                // Links are not followed, so there are no other errors than those of the system.
                let error = error.into_io_error();
                batch.fail(&path, error.map_or("recursive directory loop".to_owned(), |it| words(&it)));
            }
            Some(Ok(entry)) if entry.file_type().is_file() => batch.files.push(entry.into_path()),
            Some(Ok(_)) => {}
        }
        true
    }

    /// Takes a root: a folder to walk through, or anything else that can be read.
    fn root(&mut self, path: PathBuf, batch: &mut Batch) {
        match fs::metadata(&path) {
            Err(error) => batch.fail(&path, words(&error)),
            Ok(data) if data.is_dir() => {
                let walk = WalkDir::new(path);
                let walk = if self.sorted { walk.sort_by_file_name() } else { walk };
                self.folder = Some(walk.into_iter());
            }
            Ok(_) => batch.files.push(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{MOST, Roots};

    fn found(roots: &Roots) -> Vec<PathBuf> {
        roots.walk().flat_map(|batch| batch.files).collect()
    }

    /// Everything below these folders, in any order.
    fn all(paths: Vec<PathBuf>) -> Roots {
        Roots { paths, sorted: false }
    }

    /// A folder with these files, each with its path as its content.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("it has a parent")).expect("a folder");
            fs::write(path, file).expect("a file");
        }
        folder
    }

    #[test]
    fn every_file_is_found_once_in_batches_that_grow() {
        let names: Vec<_> = (0..300).map(|number| format!("{}/{number}", number % 7)).collect();
        let folder = folder(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let roots = all(vec![folder.path().to_owned()]);
        let sizes: Vec<_> = roots.walk().map(|batch| batch.files.len()).collect();
        assert!(sizes.starts_with(&[1, 2, 4, 8]) && sizes.iter().all(|size| *size <= MOST), "{sizes:?}");
        let found = found(&roots);
        let due: BTreeSet<_> = names.iter().map(|name| folder.path().join(name)).collect();
        assert_eq!(found.len(), 300);
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), due);
    }

    #[test]
    fn what_is_not_there_is_told_and_the_rest_is_found() {
        let folder = folder(&["a"]);
        let missing = folder.path().join("missing");
        let roots = all(vec![missing.clone(), folder.path().join("a")]);
        let batches: Vec<_> = roots.walk().collect();
        assert!(batches.iter().any(|batch| batch.failed));
        let told: Vec<_> = batches.iter().flat_map(|batch| batch.messages.clone()).collect();
        let due = format!("grep: {}: No such file or directory\n", missing.display());
        assert_eq!(String::from_utf8(told).expect("text"), due);
        assert_eq!(found(&roots), [folder.path().join("a")]);
        assert_eq!(found(&all(vec![Path::new("/nowhere").to_owned()])), [""; 0].map(PathBuf::from));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_where_they_are_named() {
        use std::os::unix::fs::symlink;
        let folder = folder(&["real/a"]);
        let path = |name: &str| folder.path().join(name);
        symlink("real/a", path("link")).expect("a link");
        symlink("..", path("real/up")).expect("a link");
        symlink("missing", path("dangling")).expect("a link");
        assert_eq!(found(&all(vec![folder.path().to_owned()])), [path("real/a")]);
        assert_eq!(found(&all(vec![path("link")])), [path("link")]);
        assert_eq!(found(&all(vec![path("real/up")])), [path("real/up/real/a")]);
        assert!(all(vec![path("dangling")]).walk().all(|batch| batch.failed));
    }
}
