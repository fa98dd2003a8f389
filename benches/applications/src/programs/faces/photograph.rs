//! The photograph and the detector's model, both from the folder of the crate `rustface`.
//!
//! The build script finds them, and they are read when the program runs. The crate's picture shows what its
//! demonstration found: there is a red rectangle around each face, with lines of one pixel. These lines are
//! replaced by what is beside them, before anything else is done. The lower part of the picture, with the
//! names of the persons, is cut off.

use std::fs;
use std::io;
use std::path::Path;

use image::{DynamicImage, GrayImage, Luma, Rgb, RgbImage};
use rustface::Model;

use super::area::Square;
use super::detect;
use crate::pictures::folder;
use pipes_benches::files::named;

/// Where the model and the photograph were when this was built, if they were found.
pub const FILES: Option<(&str, &str)> = match (option_env!("FACES_MODEL"), option_env!("FACES_PHOTOGRAPH")) {
    (Some(model), Some(photograph)) => Some((model, photograph)),
    _ => None,
};

/// The number of persons.
pub const PERSONS: usize = 29;

/// The part of the picture that shows them, from the top left. Nothing larger is searched at once.
const SHOWN: (u32, u32) = (1600, 870);

/// A face belongs to the first row that begins below these.
const ROWS: [f32; 2] = [152.0, 229.0];

/// The color of the lines.
const RED: Rgb<u8> = Rgb([255, 0, 0]);

/// Persons, and where their faces are.
#[derive(Debug)]
pub struct Photograph {
    pub pixels: GrayImage,
    /// The faces, row by row, in each from left to right.
    pub faces: Vec<Square>,
}

/// Reads the model of the detector.
pub fn model(path: &Path) -> io::Result<Model> {
    let bytes = fs::read(path).map_err(|error| named(path, "could not be read", &error))?;
    rustface::read_model(&*bytes).map_err(|error| named(path, "could not be understood", &error))
}

impl Photograph {
    /// Reads the photograph, and finds the faces in it.
    pub fn read(path: &Path, model: &Model) -> io::Result<Photograph> {
        let picture = DynamicImage::ImageRgba8(folder::picture(path)?);
        let (width, height) = SHOWN;
        let pixels = without_lines(&picture.crop_imm(0, 0, width, height).into_rgb8());
        let mut faces = detect::faces(model, &pixels);
        if faces.len() != PERSONS {
            let what = format!("{} faces were found in it, instead of {PERSONS}", faces.len());
            return Err(named(path, "is not the expected photograph", &io::Error::other(what)));
        }
        let row = |face: &Square| ROWS.iter().filter(|below| face.corner.y > **below).count();
        faces.sort_by(|one, two| row(one).cmp(&row(two)).then(one.corner.x.total_cmp(&two.corner.x)));
        Ok(Photograph { pixels, faces })
    }
}

/// The picture in gray. A red pixel becomes the mean of the nearest others on its four sides; those that are
/// farther away count less.
fn without_lines(picture: &RgbImage) -> GrayImage {
    let mut gray = DynamicImage::ImageRgb8(picture.clone()).into_luma8();
    for (x, y, _) in picture.enumerate_pixels().filter(|(.., color)| **color == RED) {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let way = (1..).map(|steps| {
                let place = x.checked_add_signed(steps * right).zip(y.checked_add_signed(steps * down));
                (steps, place.and_then(|(x, y)| picture.get_pixel_checked(x, y)))
            });
            // Up to a pixel of another color, or to the end of the picture.
            if let Some((steps, Some(color))) = way.into_iter().find(|(_, color)| *color != Some(&RED)) {
                let weight = 1.0 / f64::from(steps * steps);
                sum += weight * f64::from(color.0[0]);
                weights += weight;
            }
        }
        gray.put_pixel(x, y, Luma([(sum / weights).round() as u8]));
    }
    gray
}

#[cfg(test)]
mod tests {
    use super::super::known::known;
    use super::*;

    /// Where these are not found, the program is left out, and nothing else fails.
    #[test]
    fn the_files_are_there() {
        let (model, photograph) = FILES.expect("the build script has found the crate `rustface`");
        assert!(Path::new(model).is_file() && Path::new(photograph).is_file());
    }

    #[test]
    fn faces_are_numbered_by_rows() {
        let photograph = &known().expect("the files are there").photograph;
        assert_eq!((photograph.pixels.dimensions(), photograph.faces.len()), (SHOWN, PERSONS));
        let rows = [0..11, 11..20, 20..29].map(|row| &photograph.faces[row]);
        assert!(rows.iter().all(|row| row.is_sorted_by(|one, two| one.corner.x < two.corner.x)));
        let end = |row: &[Square]| row.iter().map(|face| face.corner.y).fold(0.0, f32::max);
        assert!(rows[1].iter().all(|face| face.corner.y > end(rows[0])));
        assert!(rows[2].iter().all(|face| face.corner.y > end(rows[1])));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let missing = Path::new("no-such-folder/file");
        let told = model(missing).map(drop).expect_err("there is no such file").to_string();
        assert!(told.starts_with("no-such-folder/file could not be read"), "{told}");
        let model = &known().expect("the files are there").model;
        let told = Photograph::read(missing, model).expect_err("there is no such file").to_string();
        assert!(told.starts_with("no-such-folder/file could not be read"), "{told}");
    }

    #[test]
    fn another_picture_is_refused() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let path = folder.path().join("gray.png");
        GrayImage::from_pixel(50, 60, Luma([90])).save(&path).expect("it can be written");
        let model = &known().expect("the files are there").model;
        let told = Photograph::read(&path, model).expect_err("there are no faces").to_string();
        assert!(told.contains("gray.png") && told.contains("0 faces were found"), "{told}");
    }

    #[test]
    fn lines_are_replaced_by_what_is_beside_them() {
        let mut picture = RgbImage::from_fn(9, 9, |x, _| Rgb([10 * x as u8; 3]));
        let due = DynamicImage::ImageRgb8(picture.clone()).into_luma8();
        (0..9).for_each(|y| picture.put_pixel(4, y, RED));
        assert_eq!(without_lines(&picture), due);
        // At the edge, there is another side.
        (0..9).for_each(|y| picture.put_pixel(8, y, RED));
        assert_eq!(without_lines(&picture).get_pixel(8, 3), &Luma([70]));
        // Nothing is known.
        assert_eq!(without_lines(&RgbImage::from_pixel(2, 2, RED)).get_pixel(0, 0), &Luma([0]));
    }
}
