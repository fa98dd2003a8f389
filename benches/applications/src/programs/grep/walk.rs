//! The source: a walk through folders, which yields batches of files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

use walkdir::{DirEntry, WalkDir};

use super::batch::Batch;
use super::destination::Destination;

/// The most files in a batch. The first batches are smaller, so that all workers begin at once.
const MOST: usize = 64;

/// What is walked through, and how.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// The files and folders, as they are named in the output; none stands for the current folder, which is
    /// not named.
    pub paths: Vec<PathBuf>,
    /// Whether what is met on the way is included even if its name begins with a dot.
    pub hidden: bool,
    /// Whether each folder is walked through in the order of the names in it.
    pub sorted: bool,
    /// The file that the matches are written to, which must not be searched.
    pub destination: Option<Destination>,
}

/// A walk. Symbolic links are followed if they are roots, and skipped if they are met on the way, like
/// everything else that is neither a regular file nor a folder.
#[derive(Debug)]
pub struct Walk {
    roots: Roots,
    /// The roots that come next.
    paths: vec::IntoIter<PathBuf>,
    /// The folder that is being walked through.
    folder: Option<walkdir::IntoIter>,
    /// The number and the size of the next batch.
    number: u32,
    size: usize,
}

impl Roots {
    /// Everything below these folders, in any order.
    pub fn all(paths: Vec<PathBuf>) -> Roots {
        Roots { paths, hidden: true, ..Roots::default() }
    }

    /// Whether there are files of several names to search, so that each match must tell where it is.
    pub fn need_names(&self) -> bool {
        self.paths.len() != 1 || self.paths[0].is_dir()
    }

    /// Begins a walk.
    pub fn walk(&self) -> Walk {
        let paths = if self.paths.is_empty() { vec![PathBuf::from(".")] } else { self.paths.clone() };
        Walk { roots: self.clone(), paths: paths.into_iter(), folder: None, number: 0, size: 1 }
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
                let path = self.shown(error.path().unwrap_or(Path::new("."))).to_owned();
                // Links are not followed, so there are no other errors than those of the system.
                let error =
                    error.into_io_error().unwrap_or_else(|| io::Error::other("recursive directory loop"));
                batch.fail(&path, &error);
            }
            Some(Ok(entry)) if entry.depth() > 0 && !self.roots.hidden && is_hidden(&entry) => {
                if entry.file_type().is_dir() {
                    folder.skip_current_dir();
                }
            }
            Some(Ok(entry)) if entry.file_type().is_file() => self.file(entry, batch),
            Some(Ok(_)) => {}
        }
        true
    }

    /// Takes a root: a folder to walk through, or anything else that can be read.
    fn root(&mut self, path: PathBuf, batch: &mut Batch) {
        match fs::metadata(&path) {
            Err(error) => batch.fail(&path, &error),
            Ok(data) if data.is_dir() => {
                let walk = WalkDir::new(path);
                let walk = if self.roots.sorted { walk.sort_by_file_name() } else { walk };
                self.folder = Some(walk.into_iter());
            }
            Ok(data) if self.roots.destination.is_some_and(|file| file.is(&data)) => batch.refuse(&path),
            Ok(_) => batch.files.push(path),
        }
    }

    /// Takes a regular file that was met on the way.
    fn file(&self, entry: DirEntry, batch: &mut Batch) {
        if self.roots.destination.is_some_and(|file| file.is_entry(&entry)) {
            batch.refuse(self.shown(entry.path()));
        } else if self.roots.paths.is_empty() {
            batch.files.push(self.shown(entry.path()).to_owned());
        } else {
            batch.files.push(entry.into_path());
        }
    }

    /// The name of a file in the output.
    fn shown<'a>(&self, path: &'a Path) -> &'a Path {
        match path.strip_prefix(".") {
            Ok(short) if self.roots.paths.is_empty() && short != Path::new("") => short,
            _ => path,
        }
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
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
        let roots = Roots::all(vec![folder.path().to_owned()]);
        let sizes: Vec<_> = roots.walk().map(|batch| batch.files.len()).collect();
        assert!(sizes.starts_with(&[1, 2, 4, 8]) && sizes.iter().all(|size| *size <= MOST), "{sizes:?}");
        let found = found(&roots);
        let due: BTreeSet<_> = names.iter().map(|name| folder.path().join(name)).collect();
        assert_eq!(found.len(), 300);
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), due);
    }

    #[test]
    fn hidden_names_are_skipped_unless_they_are_asked_for() {
        let folder = folder(&["a", ".b", ".c/d", "e/.f", "e/g"]);
        let root = folder.path();
        let with = |hidden, path: &str| {
            let roots = Roots { paths: vec![root.join(path)], hidden, sorted: true, destination: None };
            found(&roots).iter().map(|path| path.strip_prefix(root).expect("below").to_owned()).collect()
        };
        let due = |names: &[&str]| -> Vec<PathBuf> { names.iter().map(PathBuf::from).collect() };
        assert_eq!(with(false, ""), due(&["a", "e/g"]));
        assert_eq!(with(true, ""), due(&[".b", ".c/d", "a", "e/.f", "e/g"]));
        let named: Vec<PathBuf> = with(false, ".c");
        assert_eq!(named, due(&[".c/d"]));
    }

    #[test]
    fn what_is_not_there_is_told_and_the_rest_is_found() {
        let folder = folder(&["a"]);
        let missing = folder.path().join("missing");
        let roots = Roots::all(vec![missing.clone(), folder.path().join("a")]);
        let batches: Vec<_> = roots.walk().collect();
        assert!(batches.iter().any(|batch| batch.failed));
        let told: Vec<_> = batches.iter().flat_map(|batch| batch.messages.clone()).collect();
        let due = format!("grep: {}: No such file or directory\n", missing.display());
        assert_eq!(String::from_utf8(told).expect("text"), due);
        assert_eq!(found(&roots), [folder.path().join("a")]);
        assert_eq!(found(&Roots::all(vec![Path::new("/nowhere").to_owned()])), [""; 0].map(PathBuf::from));
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
        assert_eq!(found(&Roots::all(vec![folder.path().to_owned()])), [path("real/a")]);
        assert_eq!(found(&Roots::all(vec![path("link")])), [path("link")]);
        assert_eq!(found(&Roots::all(vec![path("real/up")])), [path("real/up/real/a")]);
        assert!(Roots::all(vec![path("dangling")]).walk().all(|batch| batch.failed));
    }
}
