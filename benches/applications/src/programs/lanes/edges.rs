//! The edges in a frame, and the straight lines that they form.

use image::GrayImage;
use imageproc::edges::canny;
use imageproc::hough::{LineDetectionOptions, PolarLine, detect_lines};

/// How strong an edge must be, and one that continues a strong one, as shares of what is lighter than the
/// road.
const STRONG: f32 = 0.6;
const WEAK: f32 = 0.35;

/// What is less than this lighter than the road is noise.
const LEAST: u32 = 25;

/// The share of the pixels that are lighter than what counts as light.
const LIGHT: f32 = 0.01;

/// The edges in a part of a frame. How strong they must be depends on its contrast, so that a line is found
/// at night, too.
pub fn edges(gray: &GrayImage) -> GrayImage {
    let mut counts = [0_u32; 256];
    gray.iter().for_each(|pixel| counts[usize::from(*pixel)] += 1);
    let pixels = (gray.width() * gray.height()) as f32;
    let above = |share: f32| {
        let mut left = (share * pixels) as u32;
        let is_reached = |(_, count): &(usize, &u32)| {
            let is_reached = **count > left;
            left = left.saturating_sub(**count);
            is_reached
        };
        counts.iter().enumerate().rev().find(is_reached).map_or(0, |(level, _)| level as u32)
    };
    let contrast = (above(LIGHT) - above(0.5)).max(LEAST) as f32;
    canny(gray, WEAK * contrast, STRONG * contrast)
}

/// The straight lines that many edges lie on.
pub fn straight_lines(edges: &GrayImage) -> Vec<PolarLine> {
    // A line in a quarter of the rows.
    let vote_threshold = (edges.height() / 6).max(8);
    detect_lines(edges, LineDetectionOptions { vote_threshold, suppression_radius: 4 })
}
