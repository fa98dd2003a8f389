//! Finding faces, with the crate `rustface`.

use std::cell::RefCell;

use image::imageops::FilterType;
use image::{DynamicImage, GrayImage};
use rustface::{Detector, ImageData, Model, create_detector_with_model};

use super::area::Square;

/// The side of the detector's window, and so of the smallest face.
const WINDOW: u32 = 40;

/// The longest side that is searched; a larger picture is made smaller. The detector adds up squares of
/// brightnesses in 32 bits, which is enough for this many columns of its window.
pub const LONGEST: u32 = 1600;

/// The sum of the scores of all windows that agree about a face must reach this.
const SCORE: f64 = 2.0;

/// How much smaller each copy of the picture is than the one before.
const SCALE: f32 = 0.8;

/// The way in pixels from one window to the next.
const STEP: u32 = 4;

thread_local! {
    /// The detector of this thread, which has memory of its own.
    static DETECTOR: RefCell<Option<Box<dyn Detector>>> = const { RefCell::new(None) };
}

/// The faces in a picture. There is one model in a process: that of the first call in a thread stays.
pub fn faces(model: &Model, picture: &GrayImage) -> Vec<Square> {
    let (width, height) = picture.dimensions();
    if width.max(height) <= LONGEST {
        return found(model, picture);
    }
    let smaller = DynamicImage::ImageLuma8(picture.clone()).resize(LONGEST, LONGEST, FilterType::Triangle);
    let scale = width.max(height) as f32 / LONGEST as f32;
    let larger = |face: Square| Square::new(face.corner.x * scale, face.corner.y * scale, face.side * scale);
    found(model, &smaller.into_luma8()).into_iter().map(larger).collect()
}

/// The faces in a picture that is not too large.
fn found(model: &Model, picture: &GrayImage) -> Vec<Square> {
    let (width, height) = picture.dimensions();
    // The detector panics where a window is larger than a picture, and rounding must not lead there.
    let largest = width.min(height).saturating_sub(1);
    if largest < WINDOW {
        return Vec::new();
    }
    DETECTOR.with_borrow_mut(|detector| {
        let detector = detector.get_or_insert_with(|| {
            let mut detector = create_detector_with_model(model.clone());
            detector.set_score_thresh(SCORE);
            detector.set_pyramid_scale_factor(SCALE);
            detector.set_slide_window_step(STEP, STEP);
            detector
        });
        detector.set_max_face_size(largest);
        let faces = detector.detect(&ImageData::new(picture, width, height));
        let square = |face: rustface::FaceInfo| {
            let area = face.bbox();
            Square::new(area.x() as f32, area.y() as f32, area.width() as f32)
        };
        faces.into_iter().map(square).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::super::known::known;
    use super::*;
    use image::{Luma, imageops};

    #[test]
    fn pictures_of_any_size_are_searched() {
        let model = &known().expect("the files are there").model;
        for (width, height) in [(1, 1), (39, 700), (40, 40), (41, 41), (50, 41), (63, 99), (2000, 41)] {
            for noise in [0, 1, 255] {
                let pixel = |x, y| Luma([((x * 31 + y * 17) * noise % 251) as u8]);
                let faces = faces(model, &GrayImage::from_fn(width, height, pixel));
                assert!(faces.is_empty(), "{width} {height} {noise}: {faces:?}");
            }
        }
    }

    #[test]
    fn a_large_picture_is_made_smaller() {
        let known = known().expect("the files are there");
        let face = known.photograph.faces[16].with_margin(0.5);
        let [x, y, side] = [face.corner.x, face.corner.y, face.side].map(|number| number as u32);
        let part = imageops::crop_imm(&known.photograph.pixels, x, y, side, side).to_image();
        let mut large = GrayImage::new(1800, side + side / 4);
        let enlarged = DynamicImage::ImageLuma8(part).resize(200, side + side / 4, FilterType::Triangle);
        imageops::replace(&mut large, &enlarged.into_luma8(), 1000, 0);
        let faces = faces(&known.model, &large);
        let due = Square::new(1000.0, 0.0, side as f32 * 1.25).with_margin(-0.25);
        assert!(faces.len() == 1 && faces[0].overlap(&due) > 0.5, "{faces:?} {due:?}");
    }
}
