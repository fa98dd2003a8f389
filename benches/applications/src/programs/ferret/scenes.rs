//! Generated pictures in families, the same in every run.
//!
//! A family is a scene: shapes in front of a background. Its members show the scene from elsewhere, in other
//! light, with noise, and now and then without a shape or with one more. All families have the same few
//! colors, so that one color does not give them away.

use image::{Rgb, RgbImage};

use crate::chance::Chance;

type Color = [u8; 3];

/// The colors of all scenes.
const COLORS: [Color; 12] = [
    [196, 52, 48],
    [226, 140, 44],
    [232, 206, 70],
    [92, 158, 60],
    [38, 110, 84],
    [70, 170, 190],
    [48, 88, 176],
    [112, 70, 160],
    [206, 112, 160],
    [120, 80, 52],
    [222, 214, 196],
    [44, 46, 58],
];

/// A scene, in parts of its side.
#[derive(Debug)]
struct Scene {
    /// The colors at the top and at the bottom, between which it changes smoothly.
    background: [Color; 2],
    shapes: Vec<Shape>,
}

/// A shape in a scene.
#[derive(Clone, Debug)]
struct Shape {
    outline: Outline,
    color: Color,
    /// Where its middle is.
    place: [f32; 2],
    /// Half of its width and of its height.
    size: [f32; 2],
    /// The width of its stripes, if it has some.
    stripes: Option<f32>,
}

#[derive(Clone, Copy, Debug)]
enum Outline {
    Ellipse,
    Box,
    Triangle,
}

/// A member of a family: a square picture with this side, of at least one pixel.
pub fn picture(family: u64, member: u64, side: u32) -> RgbImage {
    let scene = Scene::of(family);
    let mut chance = Chance::row(1 << 32 | family, member);
    let shift = [0; 2].map(|_| around(&mut chance, 0.07));
    let zoom = 1.0 + around(&mut chance, 0.14);
    let light = [0; 3].map(|_| around(&mut chance, 16.0));
    let noise = 3 + chance.below(8) as i16;
    let missing = chance.below(4 * scene.shapes.len() as u64) as usize;
    let more = (chance.below(3) == 0).then(|| Shape::any(&mut chance));

    let mut picture = scene.backdrop(side, light);
    let kept = scene.shapes.into_iter().enumerate().filter(|(number, _)| *number != missing);
    for mut shape in kept.map(|(_, shape)| shape).chain(more) {
        for (axis, shift) in shift.into_iter().enumerate() {
            let place = 0.5 + zoom * (shape.place[axis] - 0.5);
            shape.place[axis] = place + shift + around(&mut chance, 0.03);
            shape.size[axis] *= zoom * (1.0 + around(&mut chance, 0.12));
        }
        let own = around(&mut chance, 8.0);
        shape.color = lit(shape.color, light.map(|light| light + own));
        shape.draw(&mut picture);
    }
    for pixel in picture.pixels_mut() {
        let bytes = chance.next().to_le_bytes();
        for (channel, byte) in pixel.0.iter_mut().zip(bytes) {
            *channel = channel.saturating_add_signed((i16::from(byte as i8) * noise / 128) as i8);
        }
    }
    picture
}

impl Scene {
    /// The scene of a family.
    fn of(family: u64) -> Scene {
        let mut chance = Chance::row(0xfa1, family);
        let background = [0; 2].map(|_| any_color(&mut chance));
        let shapes = (0..4 + chance.below(4)).map(|_| Shape::any(&mut chance)).collect();
        Scene { background, shapes }
    }

    /// The background in this light.
    fn backdrop(&self, side: u32, light: [f32; 3]) -> RgbImage {
        let [top, bottom] = self.background.map(|color| lit(color, light).map(f32::from));
        let mut picture = RgbImage::new(side, side);
        for (y, row) in (0..).zip(picture.rows_mut()) {
            let part = y as f32 / side as f32;
            let color =
                Rgb([0, 1, 2].map(|channel| (top[channel] + part * (bottom[channel] - top[channel])) as u8));
            row.for_each(|pixel| *pixel = color);
        }
        picture
    }
}

impl Shape {
    /// Any shape.
    fn any(chance: &mut Chance) -> Shape {
        let outline = [Outline::Ellipse, Outline::Box, Outline::Triangle][chance.below(3) as usize];
        let color = any_color(chance);
        let place = [0; 2].map(|_| 0.5 + around(chance, 0.4));
        let size = [0; 2].map(|_| 0.17 + around(chance, 0.1));
        let stripes = (chance.below(3) == 0).then(|| 0.05 + around(chance, 0.02));
        Shape { outline, color, place, size, stripes }
    }

    /// Draws the shape, as far as it is in the picture.
    fn draw(&self, picture: &mut RgbImage) {
        let side = picture.width() as f32;
        let dark = lit(self.color, [-24.0; 3]);
        let [columns, rows] = [0, 1].map(|axis| {
            let ends = [self.place[axis] - self.size[axis], self.place[axis] + self.size[axis]];
            let [first, end] = ends.map(|end| (side * end).clamp(0.0, side) as u32);
            first..end
        });
        for y in rows {
            let at_y = (y as f32 + 0.5) / side - self.place[1];
            // Stripes go across.
            let is_dark = self.stripes.is_some_and(|width| (at_y / width).floor() as i32 & 1 == 1);
            let color = Rgb(if is_dark { dark } else { self.color });
            for x in columns.clone() {
                let at_x = (x as f32 + 0.5) / side - self.place[0];
                if self.outline.contains([at_x / self.size[0], at_y / self.size[1]]) {
                    picture.put_pixel(x, y, color);
                }
            }
        }
    }
}

impl Outline {
    /// Returns `true` if a point is inside, if all of it is between -1 and 1.
    fn contains(self, [x, y]: [f32; 2]) -> bool {
        match self {
            Outline::Ellipse => x * x + y * y <= 1.0,
            Outline::Box => true,
            Outline::Triangle => 2.0 * x.abs() <= 1.0 + y,
        }
    }
}

/// A number that is as likely above zero as below, up to this limit.
fn around(chance: &mut Chance, limit: f32) -> f32 {
    limit * (2.0 * chance.unit() as f32 - 1.0)
}

fn any_color(chance: &mut Chance) -> Color {
    COLORS[chance.below(COLORS.len() as u64) as usize]
}

/// A color in this light.
fn lit(color: Color, light: [f32; 3]) -> Color {
    [0, 1, 2].map(|channel| (f32::from(color[channel]) + light[channel]).clamp(0.0, 255.0) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_differ_and_are_the_same_each_time() {
        assert!(picture(3, 5, 24) == picture(3, 5, 24));
        assert!(picture(3, 5, 24) != picture(3, 6, 24));
        assert!(picture(3, 5, 24) != picture(4, 5, 24));
        assert_eq!(picture(0, 0, 1).dimensions(), (1, 1));
    }

    #[test]
    fn shapes_are_drawn_where_they_are() {
        let [color, black] = [[9, 8, 7], [0; 3]];
        let drawn = |outline, place| {
            let mut picture = RgbImage::new(16, 16);
            Shape { outline, color, place, size: [0.25, 0.375], stripes: None }.draw(&mut picture);
            picture
        };
        let middle = drawn(Outline::Box, [0.5, 0.5]);
        assert!(middle.enumerate_pixels().all(|(x, y, pixel)| {
            pixel.0 == if (4..12).contains(&x) && (2..14).contains(&y) { color } else { black }
        }));
        let triangle = drawn(Outline::Triangle, [0.5, 0.5]);
        assert_eq!([triangle[(5, 2)].0, triangle[(5, 13)].0, triangle[(7, 3)].0], [black, color, color]);
        let ellipse = drawn(Outline::Ellipse, [1.0, 1.0]);
        assert_eq!([ellipse[(15, 15)].0, ellipse[(12, 10)].0, ellipse[(0, 0)].0], [color, black, black]);
    }
}
