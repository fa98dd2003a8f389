//! The five filters, all in integers, so that a picture has the same bytes on every machine.
//!
//! The parameters and the kernels are those of the library `raster` that the paper's program uses: in its
//! code, though not in its documentation, a gamma above one darkens. Where it changes the alpha channel, or
//! makes gray pixels red, the filters here keep them as they are. Results are rounded to the nearest integer.

use image::{Rgba, RgbaImage};
use imageproc::filter::filter;
use imageproc::kernel::Kernel;

/// The names of the filters, in the order in which they are applied.
pub const NAMES: &[&str] = &["saturation", "emboss", "gamma", "sharpen", "grayscale"];

/// Applies the filter with this index in [`NAMES`].
pub fn apply(which: usize, picture: &mut RgbaImage) {
    match which {
        0 => each(picture, saturated),
        1 => emboss(picture),
        2 => each(picture, |color| color.map(darkened)),
        3 => sharpen(picture),
        _ => each(picture, |color| [luminance(color); 3]),
    }
}

/// Changes the color of each pixel, and keeps its alpha.
fn each(picture: &mut RgbaImage, change: impl Fn([u8; 3]) -> [u8; 3]) {
    for Rgba([red, green, blue, _]) in picture.pixels_mut() {
        [*red, *green, *blue] = change([*red, *green, *blue]);
    }
}

/// Each of the two convolutions has a closure of its own. So `filter` is compiled twice, each time with the
/// constants of a kernel, which makes it twice as fast.
fn emboss(picture: &mut RgbaImage) {
    let kernel = Kernel::new(&[-2, -1, 0, -1, 1, 1, 0, 1, 2], 3, 3);
    replace(picture, filter(picture, kernel, |sum: i16| clamped(sum)));
}

fn sharpen(picture: &mut RgbaImage) {
    let kernel = Kernel::new(&[0, -1, 0, -1, 5, -1, 0, -1, 0], 3, 3);
    replace(picture, filter(picture, kernel, |sum: i16| clamped(sum)));
}

/// Replaces the colors, and keeps alpha.
fn replace(picture: &mut RgbaImage, mut new: RgbaImage) {
    for (new, old) in new.pixels_mut().zip(picture.pixels()) {
        new.0[3] = old.0[3];
    }
    *picture = new;
}

/// The nearest channel to a sum.
fn clamped(sum: i16) -> u8 {
    sum.clamp(0, 255) as u8
}

/// In terms of HSV, saturation grows by 0.2 of what it lacks, and hue and value do not change. A gray color
/// has no hue, and stays gray.
fn saturated(color: [u8; 3]) -> [u8; 3] {
    let [red, green, blue] = color.map(u32::from);
    let value = red.max(green).max(blue);
    let range = value - red.min(green).min(blue);
    if range == 0 {
        return color;
    }
    // Saturation is the range divided by the value. All distances from the value grow by the same factor.
    let (factor, divisor) = (4 * range + value, 5 * range);
    [red, green, blue].map(|channel| {
        let distance = (value - channel) * factor;
        (value - (2 * distance + divisor) / (2 * divisor)) as u8
    })
}

/// Gamma 2.0: the square, where the lightest is 1.
fn darkened(channel: u8) -> u8 {
    let channel = u32::from(channel);
    ((channel * channel + 127) / 255) as u8
}

/// The luminance of a color.
fn luminance(color: [u8; 3]) -> u8 {
    let [red, green, blue] = color.map(u32::from);
    ((30 * red + 59 * green + 11 * blue + 50) / 100) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the named filter makes of a picture with these rows.
    fn filtered<const W: usize>(name: &str, rows: &[[[u8; 4]; W]]) -> Vec<[u8; 4]> {
        let pixels = rows.as_flattened().as_flattened().to_vec();
        let mut picture =
            RgbaImage::from_raw(W as u32, rows.len() as u32, pixels).expect("the rows are as long");
        apply(NAMES.iter().position(|known| *known == name).expect("there is this filter"), &mut picture);
        picture.pixels().map(|pixel| pixel.0).collect()
    }

    #[test]
    fn saturation_grows_and_hue_and_value_stay() {
        let row = [[200, 100, 50, 7], [90, 90, 90, 0], [0, 0, 0, 255], [255, 0, 10, 1], [254, 254, 255, 9]];
        // From 0.75 to 0.8; gray; black; saturated already; from 1/255 to 0.2 + 0.8/255.
        let due = [[200, 93, 40, 7], [90, 90, 90, 0], [0, 0, 0, 255], [255, 0, 10, 1], [203, 203, 255, 9]];
        assert_eq!(filtered("saturation", &[row]), due);
    }

    #[test]
    fn no_color_overflows() {
        for red in 0..=255 {
            for green in 0..=255 {
                for blue in [0, 1, 127, 254, 255] {
                    let color = [red, green, blue];
                    let more = saturated(color);
                    assert_eq!(more.iter().max(), color.iter().max(), "{color:?}");
                    assert!(more.iter().zip(color).all(|(new, old)| *new <= old), "{color:?}: {more:?}");
                    let (gray, range) = (luminance(color), color.iter().min()..=color.iter().max());
                    assert!(range.contains(&Some(&gray)), "{color:?}: {gray}");
                }
            }
        }
    }

    /// A picture of three by three, whose red is these numbers, green is 255, and alpha is different
    /// everywhere.
    fn nine(red: [u8; 9]) -> [[[u8; 4]; 3]; 3] {
        let pixel = |at: usize| [red[at], 255, 0, at as u8];
        [0, 3, 6].map(|row| [pixel(row), pixel(row + 1), pixel(row + 2)])
    }

    #[test]
    fn convolutions_repeat_the_edges_and_keep_alpha() {
        let numbers = [10, 20, 30, 40, 50, 60, 70, 80, 90];
        // In the middle: -20 - 20 - 40 + 50 + 60 + 80 + 180 = 290, too much.
        // On top left: -20 - 10 - 10 + 10 + 20 + 40 + 100 = 130.
        // On bottom right: -100 - 60 - 80 + 90 + 90 + 90 + 180 = 210.
        let embossed = [130, 170, 150, 250, 255, 255, 190, 230, 210];
        assert_eq!(filtered("emboss", &nine(numbers)), nine(embossed).as_flattened());
        // In the middle: 250 - 20 - 40 - 60 - 80 = 50. On top left: 50 - 10 - 10 - 20 - 40 < 0.
        // On bottom right: 450 - 60 - 80 - 90 - 90 = 130.
        let sharpened = [0, 0, 10, 30, 50, 70, 90, 110, 130];
        assert_eq!(filtered("sharpen", &nine(numbers)), nine(sharpened).as_flattened());
    }

    #[test]
    fn one_pixel_is_a_picture() {
        for name in ["emboss", "sharpen"] {
            assert_eq!(filtered(name, &[[[1, 2, 255, 4]]]), [[1, 2, 255, 4]]);
        }
    }

    #[test]
    fn gamma_squares_and_gray_is_weighted() {
        let row = [[0, 128, 255, 3], [16, 1, 200, 255]];
        // 128² / 255 = 64.25, 16² / 255 = 1.004, 200² / 255 = 156.9.
        assert_eq!(filtered("gamma", &[row]), [[0, 64, 255, 3], [1, 0, 157, 255]]);
        // 75.52 + 28.05 = 103.57; 4.8 + 0.59 + 22 = 27.39.
        assert_eq!(filtered("grayscale", &[row]), [[104, 104, 104, 3], [27, 27, 27, 255]]);
    }
}
