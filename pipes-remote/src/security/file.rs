//! Files that are created once and never overwritten.

use super::identity::named;
use ring::rand::SystemRandom;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Gives a file a second name, which must be new. This is [`fs::hard_link`], except in tests.
pub(super) type Link = fn(&Path, &Path) -> io::Result<()>;

pub(super) const LINK: Link = |file, name| fs::hard_link(file, name);

/// Creates a file with this content. On Unix, only its owner may read it.
///
/// The content is written to a file with another name, which then gets its final name. Some file systems
/// cannot do this, such as FAT or those of Android. There, the file has its name before it is complete.
///
/// # Errors
///
/// The file exists, or cannot be written.
pub(super) fn create(file: &Path, content: &[u8], link: Link) -> io::Result<()> {
    // The file is in the same folder, so that it can be linked. No other thread or program writes to a file
    // of this name, not even one with the same process number in another container.
    let unique = ring::rand::generate::<[u8; 8]>(&SystemRandom::new());
    let unique = unique.map_err(|_| io::Error::other("the system gives no random numbers"))?;
    let mut part = file.as_os_str().to_owned();
    part.push(format!(".{:016x}.part", u64::from_be_bytes(unique.expose())));
    let part = Path::new(&part);
    write(part, file, content)?;
    let linked = link(part, file);
    // If this fails, the file with the other name stays.
    let _ = fs::remove_file(part);
    match linked {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(named(file, &error)),
        Err(_) => write(file, file, content),
    }
}

/// Creates a file with this content. Removes it if it cannot be completed. Errors name the file `name`.
fn write(file: &Path, name: &Path, content: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let failed = |step, error: io::Error| {
        named(name, &io::Error::new(error.kind(), format!("it cannot be {step}: {error}")))
    };
    let mut created = options.open(file).map_err(|error| failed("created", error))?;
    created.write_all(content).and_then(|()| created.sync_all()).map_err(|error| {
        let _ = fs::remove_file(file);
        failed("written", error)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::folder::Folder;

    impl Folder {
        /// Returns the names of the files in the folder.
        pub(in crate::security) fn files(&self) -> Vec<String> {
            let files = fs::read_dir(&self.0).expect("it is there");
            files.map(|it| it.expect("it is there").file_name().to_string_lossy().into_owned()).collect()
        }
    }

    /// A function that fails as on FAT.
    pub(in crate::security) const NO_LINK: Link = |_, _| Err(io::Error::from_raw_os_error(1));

    #[test]
    fn a_file_is_created_once_and_for_its_owner() {
        let folder = Folder::new("created-once");
        for (name, link) in [("linked", LINK), ("written", NO_LINK)] {
            let file = folder.0.join(name);
            create(&file, b"first", link).expect("it is new");
            for again in [LINK, NO_LINK] {
                let error = create(&file, b"second", again).expect_err("it exists");
                assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
                assert!(error.to_string().contains(name), "{error}");
            }
            assert_eq!(fs::read(&file).expect("it is there"), b"first");
            #[cfg(unix)]
            {
                let metadata = fs::metadata(&file).expect("it is there");
                let rights = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions());
                assert_eq!(rights & 0o777, 0o600);
            }
        }
        assert_eq!(folder.files().len(), 2, "{:?}", folder.files());
    }

    #[test]
    fn errors_name_the_file_and_the_step() {
        let folder = Folder::new("steps");
        let file = folder.0.join("no").join("such");
        for link in [LINK, NO_LINK] {
            let error = create(&file, b"", link).expect_err("there is no such folder").to_string();
            assert!(error.starts_with(&format!("{}: it cannot be created: ", file.display())), "{error}");
            let error = create(Path::new(""), b"", link).expect_err("it is no path").to_string();
            assert!(error.starts_with("an empty path: it cannot be created: "), "{error}");
        }
        fs::create_dir(folder.0.join("taken")).expect("there is room");
        let error = create(&folder.0.join("taken"), b"", NO_LINK).expect_err("it is a folder");
        assert!(error.to_string().contains("taken: it cannot be created"), "{error}");
        assert_eq!(folder.files(), ["taken"]);
    }
}
