//! What a face looks like: histograms of local binary patterns.
//!
//! Method: Timo Ahonen, Abdenour Hadid and Matti Pietikäinen, "Face recognition with local binary patterns",
//! in: Computer Vision - ECCV 2004. The face is divided into cells. In each, the uniform patterns are
//! counted: those in which, around a pixel, darker and brighter neighbors change at most twice. Two faces
//! are compared by the chi-square distance of their histograms.

use std::sync::LazyLock;

use image::GrayImage;
use imageproc::local_binary_patterns::{count_transitions, local_binary_pattern};

use super::area::Square;
use super::sample::Grid;

/// The number of cells in a row and in a column, and of pixels in a row of a cell.
const CELLS: usize = 8;
const CELL: usize = 8;

/// The side of the face after it was scaled.
const SIDE: usize = CELLS * CELL;

/// The number of uniform patterns of eight neighbors, and one more for all others.
const KINDS: usize = 59;

/// The kind of each pattern.
static KIND: LazyLock<[u8; 256]> = LazyLock::new(|| {
    let mut next = 0;
    std::array::from_fn(|pattern| {
        let is_uniform = count_transitions(pattern as u8) <= 2;
        let kind = if is_uniform { next } else { KINDS as u8 - 1 };
        next += u8::from(is_uniform);
        kind
    })
});

/// The histograms of all cells, one after another.
#[derive(Clone, Debug)]
pub struct Description {
    /// How often each kind was seen in each cell, which has 64 pixels.
    counts: Vec<u8>,
    /// The places of those that were seen at all: about a fifth.
    seen: Vec<u16>,
}

impl Description {
    /// The description of a face.
    pub fn of(picture: &GrayImage, face: Square) -> Description {
        // One pixel more on each side, so that each pixel of the face has eight neighbors.
        let grid = Grid::over(face.with_margin(1.0 / SIDE as f32), SIDE as u32 + 2);
        let scaled = grid.sampled(picture, SIDE as u32 + 2, SIDE as u32 + 2);
        let mut counts = vec![0; CELLS * CELLS * KINDS];
        for y in 0..SIDE {
            for x in 0..SIDE {
                let pattern = local_binary_pattern(&scaled, x as u32 + 1, y as u32 + 1).unwrap_or_default();
                let cell = y / CELL * CELLS + x / CELL;
                counts[cell * KINDS + KIND[pattern as usize] as usize] += 1;
            }
        }
        let seen = (0..).zip(&counts).filter(|(_, count)| **count > 0).map(|(place, _)| place).collect();
        Description { counts, seen }
    }

    /// The chi-square distance to another description: 0 if they are equal, and 1 if they share no pattern.
    ///
    /// It is the sum of `(a - b)² / (a + b)`, which is `a + b - 4ab / (a + b)`, divided by the sum of all `a`
    /// and `b`. So only what was seen in both matters.
    pub fn distance(&self, other: &Description) -> f32 {
        let mut shared = 0.0;
        for place in &self.seen {
            let (one, two) = (self.counts[*place as usize] as usize, other.counts[*place as usize] as usize);
            shared += SHARED[one * COUNTS + two];
        }
        1.0 - shared / (SIDE * SIDE) as f32
    }
}

/// The number of different counts.
const COUNTS: usize = CELL * CELL + 1;

/// What two counts have in common, `2ab / (a + b)`, for all `a` and `b`.
static SHARED: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let pairs = (0..COUNTS).flat_map(|one| (0..COUNTS).map(move |two| (one as f32, two as f32)));
    pairs.map(|(one, two)| 2.0 * one * two / (one + two).max(1.0)).collect()
});

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    #[test]
    fn there_are_58_uniform_patterns() {
        let mut kinds: Vec<_> = KIND.iter().collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), KINDS);
        let other = KINDS as u8 - 1;
        assert_eq!(KIND.iter().filter(|kind| **kind == other).count(), 256 - 58);
        assert_eq!([0b0101_0000, 0b1010_1010].map(|pattern: usize| KIND[pattern]), [other; 2]);
        // All bits of these are uniform: none changes, and two change where the last bit meets the first.
        assert!([0, 255, 0b1000_0001].iter().all(|pattern: &usize| KIND[*pattern] != other));
    }

    /// A picture with this brightness, in a square of 80 pixels.
    fn description(brightness: impl Fn(u32, u32) -> u32) -> Description {
        let picture = GrayImage::from_fn(100, 90, |x, y| Luma([brightness(x, y) as u8]));
        Description::of(&picture, Square::new(7.0, 5.0, 80.0))
    }

    #[test]
    fn every_pixel_of_a_face_counts_once() {
        let description = description(|x, y| (x * 7 + y * y) % 200);
        let cells: Vec<u32> = description
            .counts
            .chunks(KINDS)
            .map(|cell| cell.iter().map(|count| u32::from(*count)).sum())
            .collect();
        assert_eq!(cells, [(CELL * CELL) as u32; CELLS * CELLS]);
    }

    #[test]
    fn light_does_not_matter_and_shape_does() {
        let [left, brighter, down] =
            [description(|x, _| 2 * x), description(|x, _| 2 * x + 40), description(|_, y| 250 - 2 * y)];
        assert_eq!((left.distance(&left), left.distance(&brighter)), (0.0, 0.0));
        assert_eq!(left.distance(&down), 1.0);
        assert_eq!(down.distance(&left), 1.0);
    }

    #[test]
    fn the_distance_is_that_of_the_definition() {
        let [one, two] = [
            description(|x, y| (x * 7 + y * y) % 200),
            description(|x, y| (x * 7 + y * y + x * y / 9) % 200),
        ];
        let terms = one.counts.iter().zip(&two.counts).filter(|(one, two)| **one + **two > 0);
        let terms = terms.map(|(one, two)| {
            let (one, two) = (f64::from(*one), f64::from(*two));
            (one - two) * (one - two) / (one + two)
        });
        let due = terms.sum::<f64>() / (2 * SIDE * SIDE) as f64;
        assert!((0.1..0.9).contains(&due) && (f64::from(one.distance(&two)) - due).abs() < 1e-4, "{due}");
    }
}
