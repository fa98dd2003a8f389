//! What looks like paint: as wide as a painted line is at that distance, and lighter than the road on both of
//! its sides.

use image::GrayImage;

use super::camera::{Camera, HEIGHT, PAINT};

/// The part of a frame in which lines are looked for, in gray.
#[derive(Clone, Copy, Debug)]
pub struct Road<'a> {
    pub camera: Camera,
    pub gray: &'a GrayImage,
}

/// How much lighter than the road paint is, at least.
const CONTRAST: f32 = 9.0;

impl Road<'_> {
    /// How far below the horizon the rows are, from the last to the first: from near to far.
    pub fn rows(&self) -> impl Iterator<Item = (u32, f32)> {
        let (camera, top) = (self.camera, self.camera.top());
        (0..self.gray.height()).rev().map(move |row| (row, camera.below(top + row)))
    }

    /// Half the width of a painted line `d` rows below the horizon, at least one pixel and a half.
    pub fn half(d: f32) -> f32 {
        (PAINT / HEIGHT * d / 2.0).max(0.75)
    }

    /// By how much this place, as wide as a painted line, is lighter than both places beside it; or nothing
    /// if the frame ends there, or if it is not light enough.
    pub fn paint(&self, row: u32, d: f32, column: f32) -> Option<f32> {
        let half = Road::half(d);
        let wide = (2.0 * half).round().max(1.0) as usize;
        let first = column - half;
        if first < wide as f32 + 1.0 {
            return None;
        }
        let first = first.round() as usize;
        let start = self.gray.width() as usize * row as usize;
        let pixels = &self.gray.as_raw()[start..start + self.gray.width() as usize];
        // A pixel between the paint and the road belongs to neither.
        let mean = |from: usize| {
            let pixels = pixels.get(from..from + wide)?;
            Some(pixels.iter().map(|pixel| u32::from(*pixel)).sum::<u32>() as f32 / wide as f32)
        };
        let beside = mean(first - wide - 1)?.max(mean(first + wide + 1)?);
        Some(mean(first)? - beside).filter(|contrast| *contrast >= CONTRAST)
    }

    /// The column of the best paint near a column, at most this far away.
    pub fn best(&self, row: u32, d: f32, column: f32, away: f32) -> Option<f32> {
        let steps = away.round() as i32;
        let places = (-steps..=steps).map(|step| column + step as f32);
        let found = places.filter_map(|place| Some((self.paint(row, d, place)?, place)));
        let best = found.max_by(|one, other| one.0.total_cmp(&other.0))?;
        // Paint that is seen in several places next to each other is in the middle of them.
        let near = |step: i32| self.paint(row, d, best.1 + step as f32).unwrap_or(0.0);
        let (left, right) = (near(-1), near(1));
        Some(best.1 + (right - left) / (2.0 * (left + best.0 + right)).max(1.0))
    }
}
