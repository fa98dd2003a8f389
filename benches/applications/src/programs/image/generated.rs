//! Pictures to filter, the same in every run.

use clap::ValueEnum;
use image::imageops::vertical_gradient;
use image::{Rgba, RgbaImage};
use imageproc::drawing::{draw_filled_circle_mut, draw_filled_rect_mut};
use imageproc::rect::Rect;
use serde::Serialize;

use crate::chance::Chance;
use crate::streams::Class;

/// The widths of a small and of a big picture. The height is two thirds of the width.
const SMALL: u32 = 640;
const BIG: u32 = 1920;

/// The least width of a picture.
pub const NARROWEST: u32 = 16;

/// The number of different pictures. If more are needed, they are used again.
const DIFFERENT: u64 = 16;

/// The sizes of the pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// 640 by 427 pixels.
    Small,
    /// 1920 by 1280 pixels.
    Big,
    /// Big and small pictures in turn. A big one is the first, so that two workers have equally much to do.
    Mixed,
}

impl Kind {
    /// The number of pictures that take as long as the class is intended to.
    pub fn count(self, class: Class) -> u64 {
        class.of(match self {
            Kind::Small => [5, 50, 500, 3000, 10_000],
            Kind::Big => [1, 6, 60, 350, 1200],
            Kind::Mixed => [2, 12, 100, 600, 2000],
        })
    }

    /// The width of this picture.
    pub fn width(self, number: u64) -> u32 {
        match self {
            Kind::Small => SMALL,
            Kind::Big => BIG,
            Kind::Mixed => [BIG, SMALL][number as usize % 2],
        }
    }
}

/// The different pictures among `count`, with widths that depend on their numbers. None is below
/// [`NARROWEST`].
pub fn generated(count: u64, width: impl Fn(u64) -> u32) -> impl Iterator<Item = RgbaImage> {
    (0..count.min(DIFFERENT)).map(move |number| picture(number, width(number)))
}

/// A picture with smooth areas, edges, noise, and places through which one can see.
fn picture(number: u64, width: u32) -> RgbaImage {
    let mut chance = Chance::row(0x1a6e, number);
    let height = (2 * width).div_ceil(3);
    let mut picture = RgbaImage::new(width, height);
    let (top, bottom) = (color(&mut chance), color(&mut chance));
    vertical_gradient(&mut picture, &top, &bottom);
    for _ in 0..12 {
        let (x, y) = (below(&mut chance, width), below(&mut chance, height));
        let size = 1 + below(&mut chance, width / 5 + 1);
        if chance.below(2) == 0 {
            let rectangle = Rect::at(x, y).of_size(size as u32, 1 + size as u32 / 2);
            draw_filled_rect_mut(&mut picture, rectangle, color(&mut chance));
        } else {
            draw_filled_circle_mut(&mut picture, (x, y), size / 2, color(&mut chance));
        }
    }
    for Rgba([red, green, blue, _]) in picture.pixels_mut() {
        let noise = chance.next().to_le_bytes();
        for (channel, noise) in [red, green, blue].into_iter().zip(noise) {
            *channel = channel.saturating_add_signed(noise as i8 / 16);
        }
    }
    picture
}

/// Any color; one in four is half transparent.
fn color(chance: &mut Chance) -> Rgba<u8> {
    let [red, green, blue, alpha, ..] = chance.next().to_le_bytes();
    Rgba([red, green, blue, if alpha < 64 { 128 } else { 255 }])
}

/// A coordinate below this limit.
fn below(chance: &mut Chance, limit: u32) -> i32 {
    chance.below(limit.into()) as i32
}

#[cfg(test)]
mod tests {
    use super::super::filters;
    use super::*;

    #[test]
    fn sizes_are_those_of_the_paper() {
        let of = |kind: Kind| [0, 1].map(|number| picture(number, kind.width(number)).dimensions());
        assert_eq!(of(Kind::Small), [(640, 427), (640, 427)]);
        assert_eq!(of(Kind::Mixed), [(1920, 1280), (640, 427)]);
        assert_eq!(Kind::Big.width(0), 1920);
    }

    #[test]
    fn pictures_differ_and_are_the_same_each_time() {
        let all = || -> Vec<_> { generated(1000, |number| NARROWEST + number as u32).collect() };
        assert_eq!(all().len() as u64, DIFFERENT);
        assert!(all() == all());
        assert_eq!(generated(3, |_| NARROWEST).count(), 3);
        assert!(picture(0, 40) != picture(1, 40));
    }

    #[test]
    fn filters_have_something_to_change() {
        let picture = picture(3, 60);
        let alphas: Vec<_> = picture.pixels().map(|pixel| pixel.0[3]).collect();
        assert!(alphas.contains(&255));
        let mut last = picture;
        for which in 0..filters::NAMES.len() {
            let before = last.clone();
            filters::apply(which, &mut last);
            assert!(last != before, "filter {which}");
            assert!(last.pixels().map(|pixel| pixel.0[3]).eq(alphas.iter().copied()), "filter {which}");
        }
    }
}
