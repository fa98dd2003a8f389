//! What was found, drawn into a frame.

use image::RgbImage;

use super::camera::Camera;
use super::curve::Lines;
use super::paint::Road;

const LINE: [u8; 3] = [255, 40, 30];

/// How much of the green between the two lines at the camera's sides is added to a pixel.
const TINT: u8 = 40;

/// Draws all lines, and colors the lane of the camera.
pub fn draw(camera: Camera, lines: &Lines, picture: &mut RgbImage) {
    let row_length = 3 * camera.width as usize;
    let rows = (0..).zip(picture.chunks_exact_mut(row_length)).skip(camera.top() as usize);
    for (row, pixels) in rows {
        let pixels = pixels.as_chunks_mut::<3>().0;
        let d = camera.below(row);
        let columns: Vec<f32> = lines.columns(d).collect();
        // The lane is where a straight one would be ahead of the middle of the frame.
        if let Some(right) = lines.slopes.iter().position(|slope| *slope > 0.0).filter(|right| *right > 0) {
            between(pixels, columns[right - 1], columns[right])
                .iter_mut()
                .for_each(|[_, green, _]| *green = green.saturating_add(TINT));
        }
        let half = Road::half(d);
        columns.iter().for_each(|column| between(pixels, column - half, column + half).fill(LINE));
    }
}

/// The pixels between two columns.
fn between(pixels: &mut [[u8; 3]], from: f32, to: f32) -> &mut [[u8; 3]] {
    let end = pixels.len();
    let place = |column: f32| (column.round().max(0.0) as usize).min(end);
    let (from, to) = (place(from), place(to));
    &mut pixels[from..to.max(from)]
}
