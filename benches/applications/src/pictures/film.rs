//! Frames in a file or a folder, for a person to look at.

use std::io::{self, BufWriter};
use std::path::Path;

use image::codecs::gif::{GifEncoder, Repeat};
use image::imageops::replace;
use image::{Delay, DynamicImage, Frame, RgbImage};

use super::folder;
use pipes_benches::files::{Part, named};

/// How long each frame of an animation is shown, in milliseconds. The format counts in hundredths of a
/// second, so this is not exactly a thirtieth of one.
const SHOWN: u32 = 30;

/// How much time the encoder spends on the 256 colors of each frame: as little as possible.
const SPEED: i32 = 30;

/// Returns `true` if this is the name of an animation, and not of a folder.
fn is_animation(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif"))
}

/// Fails if frames cannot be written there.
pub fn check(path: &Path) -> io::Result<()> {
    if is_animation(path) { Part::beside(path).map(drop) } else { folder::check(path) }
}

/// Fails if frames cannot be written there because the largest ones have this size: the sides of an animation
/// have 16 bits.
pub fn check_size(path: &Path, (width, height): (u32, u32)) -> io::Result<()> {
    if is_animation(path) && width.max(height) > u16::MAX.into() {
        let what = format!("{width} by {height} pixels are too many for an animation");
        return Err(named(path, "could not be written", &io::Error::other(what)));
    }
    Ok(())
}

/// Writes frames: as one animation, if the name ends with `.gif`, and otherwise as PNG files in a folder.
/// Every file is complete as soon as it has its name. One frame at a time is in memory. An animation has this
/// size; what a smaller frame does not cover is black.
pub fn write(path: &Path, size: (u32, u32), frames: impl Iterator<Item = RgbImage>) -> io::Result<()> {
    if is_animation(path) {
        return animate(path, frames.map(|frame| enlarged(frame, size)));
    }
    folder::create(path)?;
    (1..)
        .zip(frames)
        .try_for_each(|(number, frame)| folder::put(&path.join(format!("{number:05}.png")), &frame))
}

/// A frame at the top left of one that has this size.
fn enlarged(frame: RgbImage, (width, height): (u32, u32)) -> RgbImage {
    if frame.dimensions() == (width, height) {
        return frame;
    }
    let mut all = RgbImage::new(width, height);
    replace(&mut all, &frame, 0, 0);
    all
}

/// Writes an animation, which starts again when it has ended.
fn animate(path: &Path, frames: impl Iterator<Item = RgbImage>) -> io::Result<()> {
    let cannot = |error| named(path, "could not be written", &io::Error::other(error));
    let mut part = Part::beside(path)?;
    // What is buffered when the writer is dropped would be lost without an error.
    let mut writer = BufWriter::new(part.writer());
    let mut encoder = GifEncoder::new_with_speed(&mut writer, SPEED);
    encoder.set_repeat(Repeat::Infinite).map_err(cannot)?;
    for frame in frames {
        let frame = DynamicImage::ImageRgb8(frame).into_rgba8();
        let delay = Delay::from_numer_denom_ms(SHOWN, 1);
        encoder.encode_frame(Frame::from_parts(frame, 0, 0, delay)).map_err(cannot)?;
    }
    // Writes the end of the format.
    drop(encoder);
    writer.into_inner().map_err(|error| named(path, "could not be written", error.error()))?;
    part.keep()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::BufReader;

    use image::codecs::gif::GifDecoder;
    use image::{AnimationDecoder, Rgb};

    use super::*;

    /// Three frames of one color each.
    fn frames() -> impl Iterator<Item = RgbImage> {
        [[200, 0, 0], [0, 200, 0], [0, 0, 200]]
            .map(|color| RgbImage::from_pixel(8, 6, Rgb(color)))
            .into_iter()
    }

    /// The frames of an animation, with all that is seen.
    fn read(path: &Path) -> Vec<RgbImage> {
        let file = BufReader::new(File::open(path).expect("it is there"));
        let read = GifDecoder::new(file).expect("it is an animation").into_frames();
        let picture = |frame: Frame| DynamicImage::ImageRgba8(frame.into_buffer()).into_rgb8();
        read.map(|frame| picture(frame.expect("it is a frame"))).collect()
    }

    #[test]
    fn an_animation_has_all_frames() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("film.GIF");
        check(&path).expect("it can be written");
        write(&path, (8, 6), frames()).expect("it is written");
        assert_eq!(read(&path), frames().collect::<Vec<_>>());
        assert_eq!(fs::read_dir(folder.path()).expect("it can be read").count(), 1);
    }

    /// Some viewers would cut off what is outside of the first frame, and show old pixels beside a small one.
    #[test]
    fn frames_of_several_sizes_are_seen_wholly() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("film.gif");
        let of = |width, height| RgbImage::from_pixel(width, height, Rgb([200, 0, 0]));
        write(&path, (9, 7), [of(4, 3), of(9, 2), of(2, 7)].into_iter()).expect("it is written");
        let read = read(&path);
        assert_eq!(read.len(), 3);
        for (frame, (width, height)) in read.iter().zip([(4, 3), (9, 2), (2, 7)]) {
            let due = |x, y| if x < width && y < height { Rgb([200, 0, 0]) } else { Rgb([0; 3]) };
            assert_eq!(*frame, RgbImage::from_fn(9, 7, due));
        }
    }

    #[test]
    fn an_animation_that_is_too_large_is_refused() {
        let told = check_size(Path::new("film.gif"), (65_536, 1)).expect_err("it is too large").to_string();
        assert!(told.contains("film.gif could not be written: 65536 by 1"), "{told}");
        check_size(Path::new("film.gif"), (65_535, 1)).expect("it is not too large");
        check_size(Path::new("film"), (65_536, 1)).expect("this is no animation");
    }

    #[test]
    fn a_folder_has_a_picture_for_each_frame() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("film");
        check(&path).expect("it can be written");
        write(&path, (8, 6), frames()).expect("it is written");
        for (number, frame) in (1..).zip(frames()) {
            let read = image::open(path.join(format!("{number:05}.png"))).expect("it is a picture");
            assert_eq!(read.into_rgb8(), frame, "{number}");
        }
    }

    #[test]
    fn a_place_that_cannot_be_written_is_reported_first() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        for name in ["none/film.gif", "none/none/film"] {
            let told = check(&folder.path().join(name)).expect_err("the folder is missing").to_string();
            assert!(told.contains(name), "{told}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_what_is_not_there_is_reported_first() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        for name in ["film.gif", "film"] {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink("gone", &link).expect("the link can be made");
            let told = check(&link).expect_err("nothing is there").to_string();
            assert!(told.contains("it is a link to what is not there"), "{told}");
        }
    }
}
