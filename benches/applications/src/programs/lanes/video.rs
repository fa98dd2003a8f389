//! The generated frames: a road with painted lines, other cars, night and rain.

use std::sync::LazyLock;

use image::RgbImage;

use super::camera::{Camera, HEIGHT, PAINT};
use super::scene::{Car, View, Weather, view};
use crate::chance::Chance;

/// A pixel.
type Color = [u8; 3];

/// How much of the ground beside the outer lines is asphalt, in meters.
const SHOULDER: f32 = 0.8;

/// A broken line is painted for three of nine meters.
const PAINTED: f32 = 3.0;
const PERIOD: f32 = 9.0;

const GRASS: Color = [62, 98, 48];

/// How wide, how high and how far above the ground a car is, in meters.
const BODY: [f32; 3] = [1.8, 1.3, 0.2];

/// Draws a frame, and returns what it shows.
pub fn frame(camera: Camera, number: u64) -> (RgbImage, View) {
    let view = view(camera, number);
    let mut picture = RgbImage::new(camera.width, camera.height);
    for (row, pixels) in (0..).zip(picture.chunks_exact_mut(3 * camera.width as usize)) {
        draw_row(camera, &view, row, pixels.as_chunks_mut().0);
    }
    for car in &view.cars {
        draw_car(camera, &view, car, &mut picture);
    }
    let mut chance = Chance::row(0x5eed, number);
    if view.weather.night {
        darken(camera, &mut picture);
        view.cars.iter().for_each(|car| draw_lights(camera, &view, car, &mut picture));
    }
    if view.weather.rain {
        rain(camera, &mut chance, &mut picture);
    }
    add_noise(camera, view.weather, &mut chance, &mut picture);
    (picture, view)
}

/// Draws a row of sky or ground.
fn draw_row(camera: Camera, view: &View, row: u32, pixels: &mut [Color]) {
    let d = camera.below(row) - view.nod;
    if d < 1.0 {
        let share = row as f32 / camera.horizon();
        pixels
            .fill([110.0 + 90.0 * share, 150.0 + 60.0 * share, 215.0 + 20.0 * share].map(|part| part as u8));
        return;
    }
    pixels.fill(GRASS);
    let lines = &view.lines;
    let (first, last) = (lines.slopes[0], lines.slopes[lines.slopes.len() - 1]);
    let shoulder = SHOULDER / HEIGHT;
    let (left, right) = (lines.column(first - shoulder, d), lines.column(last + shoulder, d));
    span(pixels, left, right, [view.asphalt; 3]);
    let ahead = camera.focal() * HEIGHT / d;
    let is_painted = (ahead + view.way).rem_euclid(PERIOD) < PAINTED;
    let half = PAINT / HEIGHT * d / 2.0;
    for (column, broken) in lines.columns(d).zip(&view.broken) {
        if is_painted || !broken {
            span(pixels, column - half, column + half, [view.paint, view.paint, view.paint - 10]);
        }
    }
}

/// Colors a part of a row. A pixel that is partly in it gets part of the color.
fn span(pixels: &mut [Color], from: f32, to: f32, color: Color) {
    let first = from.floor().max(0.0) as usize;
    let last = (to.ceil().max(0.0) as usize).min(pixels.len());
    for (column, pixel) in (first..last).zip(pixels.get_mut(first..last).unwrap_or_default()) {
        let share = (to.min(column as f32 + 1.0) - from.max(column as f32)).clamp(0.0, 1.0);
        for (part, new) in pixel.iter_mut().zip(color) {
            *part = (f32::from(*part) + share * (f32::from(new) - f32::from(*part))) as u8;
        }
    }
}

/// Colors a rectangle of the road's cross-section at a car: `right` and `up` in meters.
fn block(
    camera: Camera,
    view: &View,
    car: &Car,
    [right, up]: [[f32; 2]; 2],
    color: Color,
    picture: &mut RgbImage,
) {
    let d = camera.focal() * HEIGHT / car.ahead;
    let [left, right] = right.map(|right| view.lines.column((car.right + right) / HEIGHT, d));
    let [bottom, top] = up.map(|up| camera.horizon() + view.nod + d * (1.0 - up / HEIGHT));
    let rows = top.max(0.0) as u32..(bottom.max(0.0) as u32).min(camera.height);
    let width = 3 * camera.width as usize;
    for row in rows {
        let pixels = &mut picture.as_flat_samples_mut().samples[row as usize * width..][..width];
        span(pixels.as_chunks_mut().0, left, right, color);
    }
}

/// Draws the back of a car: body, window, wheels.
fn draw_car(camera: Camera, view: &View, car: &Car, picture: &mut RgbImage) {
    let [wide, high, above] = BODY;
    let half = wide / 2.0;
    let mut part = |right, up, color| block(camera, view, car, [right, up], color, picture);
    part([-half, half], [above, above + 0.6 * high], car.color);
    part([0.15 - half, half - 0.15], [above + 0.6 * high, above + high], [40, 46, 52]);
    for side in [-1.0, 1.0] {
        part([side * (half - 0.15) - 0.12, side * (half - 0.15) + 0.12], [0.0, above], [15; 3]);
    }
}

/// Draws the lights at the back of a car.
fn draw_lights(camera: Camera, view: &View, car: &Car, picture: &mut RgbImage) {
    for side in [-0.75, 0.75] {
        block(camera, view, car, [[side - 0.1, side + 0.1], [0.7, 0.85]], [230, 30, 20], picture);
    }
}

/// Leaves only what the headlights reach, and a little of everything else.
fn darken(camera: Camera, picture: &mut RgbImage) {
    // In 256ths, as all shares here.
    let aside = |column: u32| {
        let aside = (column as f32 - camera.middle()) / camera.width as f32;
        (256.0 * (1.0 - 1.2 * aside * aside)) as u16
    };
    let aside: Vec<u16> = (0..camera.width).flat_map(|column| [aside(column); 3]).collect();
    for (row, parts) in (0..).zip(picture.chunks_exact_mut(aside.len())) {
        let d = camera.below(row);
        let reach = if d < 1.0 { 0.0 } else { (-camera.focal() * HEIGHT / d / 30.0).exp() };
        let lit = (190.0 * reach) as u16;
        for (part, aside) in parts.iter_mut().zip(&aside) {
            let light = 40 + ((lit * aside) >> 8);
            *part = ((u16::from(*part) * light) >> 8) as u8;
        }
    }
}

/// Draws streaks of rain.
fn rain(camera: Camera, chance: &mut Chance, picture: &mut RgbImage) {
    for _ in 0..camera.width / 2 {
        let (column, row) =
            (chance.below(camera.width.into()) as u32, chance.below(camera.height.into()) as u32);
        let length = 6 + chance.below(14) as u32;
        for step in 0..length {
            if let Some(pixel) = picture.get_pixel_mut_checked(column + step / 4, row + step) {
                pixel.0 = pixel.0.map(|part| part.saturating_add(45));
            }
        }
    }
}

/// Numbers around zero, the farther from it the rarer.
static NOISE: LazyLock<Vec<i8>> = LazyLock::new(|| {
    let mut chance = Chance::new(0x0153);
    let number = |byte: u8| (byte & 15) as i8 + (byte >> 4) as i8 - 15;
    (0..1 << 13).flat_map(|_| chance.next().to_le_bytes().map(number)).collect()
});

/// Makes each pixel a little lighter or darker, as a camera does, more so in bad light.
fn add_noise(camera: Camera, weather: Weather, chance: &mut Chance, picture: &mut RgbImage) {
    let less = if weather.night || weather.rain { 0 } else { 1 };
    let length = 3 * camera.width as usize;
    for parts in picture.chunks_exact_mut(length) {
        let from = chance.below((NOISE.len() - length) as u64) as usize;
        for (part, noise) in parts.iter_mut().zip(&NOISE[from..]) {
            *part = part.saturating_add_signed(noise >> less);
        }
    }
}
