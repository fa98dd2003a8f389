//! Pictures in folders: those to read, and those that come out.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Cursor, ErrorKind};
use std::path::{Path, PathBuf};

use image::{ImageBuffer, ImageFormat, PixelWithColorType, RgbaImage};

use super::decode::{FORMATS, decode};
use pipes_benches::console::note;
use pipes_benches::files::{Part, named, shown};

/// The most bytes that a file may have.
const MOST: u64 = 1 << 29;

/// What was read from a file, and the name of the file.
pub type Named<T> = (OsString, T);

/// Reads all pictures directly in a folder, in the order of their names. Each one that cannot be read is
/// reported at once; their number is returned, too.
pub fn read(folder: &Path) -> io::Result<(Vec<Named<RgbaImage>>, usize)> {
    read_each(folder, |picture| picture)
}

/// Reads all pictures in a folder as [`read`] does, and keeps only what is made of each. One picture at a
/// time is in memory.
pub fn read_each<T>(folder: &Path, make: impl Fn(RgbaImage) -> T) -> io::Result<(Vec<Named<T>>, usize)> {
    let (mut pictures, mut bad) = (Vec::new(), 0);
    for path in files(folder)? {
        match picture(&path) {
            Ok(picture) => pictures.push((path.file_name().unwrap_or_default().to_owned(), make(picture))),
            Err(error) => {
                note(&format!("{error}\n"));
                bad += 1;
            }
        }
    }
    if !pictures.is_empty() {
        return Ok((pictures, bad));
    }
    let what = if bad == 0 { "has no pictures" } else { "has no pictures that can be read" };
    Err(io::Error::new(ErrorKind::NotFound, format!("{} {what}", shown(folder))))
}

/// Fails if some files could not be used, and says how many of all.
pub fn regret(bad: usize, good: usize) -> Result<(), String> {
    match bad {
        0 => Ok(()),
        _ => Err(format!("{bad} of {} pictures could not be used", bad + good)),
    }
}

/// The files in a folder that have a picture's extension, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let cannot = |error: io::Error| named(folder, "could not be read", &error);
    let entries = fs::read_dir(folder).map_err(cannot)?;
    let paths: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(cannot)?;
    paths.retain(|path| is_picture(path) && !path.is_dir());
    paths.sort();
    Ok(paths)
}

/// Returns `true` if the extension is that of a format that can be decoded.
fn is_picture(path: &Path) -> bool {
    path.extension().and_then(ImageFormat::from_extension).is_some_and(|format| FORMATS.contains(&format))
}

/// Reads a picture.
pub fn picture(path: &Path) -> io::Result<RgbaImage> {
    let cannot = |error: io::Error| named(path, "could not be read", &error);
    let file = fs::metadata(path).map_err(cannot)?;
    if !file.is_file() {
        return Err(cannot(io::Error::other("it is no regular file")));
    }
    if file.len() > MOST {
        return Err(cannot(io::Error::other(format!("it has more than {MOST} bytes"))));
    }
    let bytes = fs::read(path).map_err(cannot)?;
    decode(&bytes).map_err(|problem| named(path, "could not be decoded", &io::Error::other(problem)))
}

/// Reports whether pictures can be written into a folder, which may be a new one in a folder that is there.
pub fn check(folder: &Path) -> io::Result<()> {
    let is_new = fs::metadata(folder).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    if is_new && fs::symlink_metadata(folder).is_ok() {
        let dangling = io::Error::new(ErrorKind::NotFound, "it is a link to what is not there");
        return Err(named(folder, "could not be written to", &dangling));
    }
    let parent = folder.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let probe = if is_new { parent } else { folder };
    // Only the kind of the error is reported, because its text contains the name of the temporary file.
    match tempfile::tempfile_in(probe) {
        Ok(_) => Ok(()),
        Err(error) => Err(named(folder, "could not be written to", &error.kind().into())),
    }
}

/// Writes pictures into a folder as PNG, each under the name that it had.
pub fn write<'a>(
    folder: &Path,
    pictures: impl Iterator<Item = (&'a OsStr, &'a RgbaImage)>,
) -> io::Result<()> {
    create(folder)?;
    let mut taken = HashSet::new();
    for (name, picture) in pictures {
        put(&folder.join(output_name(name, &mut taken)), picture)?;
    }
    Ok(())
}

/// Creates a folder, unless it is there.
pub fn create(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(named(folder, "could not be created", &error))
        }
        _ => Ok(()),
    }
}

/// Writes a picture as PNG. The file is complete as soon as it has its name.
pub fn put<P>(path: &Path, picture: &ImageBuffer<P, Vec<u8>>) -> io::Result<()>
where
    P: PixelWithColorType<Subpixel = u8>,
{
    let mut encoded = Cursor::new(Vec::new());
    picture
        .write_to(&mut encoded, ImageFormat::Png)
        .map_err(|error| named(path, "could not be encoded", &io::Error::other(error)))?;
    let mut part = Part::beside(path)?;
    part.write(encoded.get_ref())?;
    part.keep()
}

/// A name for what came out of a file: its name with the extension `png`; if that is taken, its whole name
/// before that, and then with a number.
fn output_name(name: &OsStr, taken: &mut HashSet<String>) -> OsString {
    let stem = Path::new(name).file_stem().unwrap_or(name);
    let first = [stem, name].map(OsStr::to_owned).into_iter();
    let numbered = (2..).map(|number| {
        let mut numbered = name.to_owned();
        numbered.push(format!("-{number}"));
        numbered
    });
    let mut candidates = first.chain(numbered).map(|mut candidate| {
        candidate.push(".png");
        candidate
    });
    // Some file systems take letters of either case, or names that are no text, for the same.
    let is_free = |candidate: &OsString| taken.insert(candidate.to_string_lossy().to_lowercase());
    candidates.find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_picture_takes_the_name_of_another() {
        let mut taken = HashSet::new();
        let names = ["a.jpg", "a.jpg.png", "A.png", "a.png", "b.c.bmp", ".png", "a.png"];
        let written = names.map(|name| output_name(OsStr::new(name), &mut taken));
        let due = ["a.png", "a.jpg.png", "A.png.png", "a.png-2.png", "b.c.png", ".png.png", "a.png-3.png"];
        assert_eq!(written, due);
    }

    #[test]
    fn a_file_that_has_vanished_is_told() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        fs::write(folder.path().join("there.png"), "").expect("the file can be written");
        let listed = files(folder.path()).expect("the folder can be read");
        fs::remove_file(&listed[0]).expect("the file can be deleted");
        let told = picture(&listed[0]).expect_err("it has vanished").to_string();
        assert!(told.contains("there.png could not be read"), "{told}");
    }

    #[test]
    fn what_has_no_extension_of_a_picture_is_passed_over() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        for name in ["b.PNG", "a.jpeg", "notes.txt", "movie.gif", "png"] {
            fs::write(folder.path().join(name), "").expect("the file can be written");
        }
        fs::create_dir(folder.path().join("folder.png")).expect("the folder can be made");
        let listed = files(folder.path()).expect("the folder can be read");
        assert_eq!(listed, ["a.jpeg", "b.PNG"].map(|name| folder.path().join(name)));
    }
}
