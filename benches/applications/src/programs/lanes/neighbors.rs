//! Lines beside those that were found: they are seen in few rows, so no straight line showed them.

use super::camera::{FLATTEST, HEIGHT, LANE};
use super::curve::Lines;
use super::paint::Road;
use super::trace::along;

/// The share of the rows with paint that such a line has, at least.
const LEAST: f32 = 0.1;

/// The least number of its places.
const PLACES: usize = 7;

/// How far a line may be from where it is expected, as a share of the width of a frame.
const AWAY: f32 = 0.008;

/// How many lines are looked for beside the outermost ones.
const BESIDE: u32 = 2;

/// Lanes are not narrower than this share of the usual ones.
const NARROW: f32 = 0.6;

/// Adds the lines that are as far from their neighbors as those that were found are from each other.
pub fn add(road: Road<'_>, lines: &mut Lines) {
    let usual = LANE / HEIGHT;
    let mut slopes = lines.slopes.clone();
    slopes.sort_by(f32::total_cmp);
    // What was found twice is a single line.
    slopes.dedup_by(|one, other| *one - *other < NARROW * usual);
    let gaps = slopes.windows(2).map(|pair| pair[1] - pair[0]);
    // With a single line, the camera is taken for the usual one. A line may be missing between two others.
    let gap = gaps.min_by(f32::total_cmp).unwrap_or(usual);
    let gap = gap / (gap / usual).round().max(1.0);
    let mut all = Vec::new();
    let mut expect = |from: f32, steps: u32, step: f32| {
        let between = (1..=steps).map(|number| from + step * number as f32);
        all.extend(between.filter(|slope| slope.abs() < FLATTEST && is_there(road, lines, *slope)));
    };
    for pair in slopes.windows(2) {
        let steps = ((pair[1] - pair[0]) / gap).round().max(1.0);
        expect(pair[0], steps as u32 - 1, (pair[1] - pair[0]) / steps);
    }
    if let (Some(first), Some(last)) = (slopes.first(), slopes.last()) {
        expect(*first, BESIDE, -gap);
        expect(*last, BESIDE, gap);
    }
    slopes.extend(all);
    slopes.sort_by(f32::total_cmp);
    lines.slopes = slopes;
}

/// Returns `true` if a line with this slope is seen.
fn is_there(road: Road<'_>, lines: &Lines, slope: f32) -> bool {
    let width = road.camera.width as f32;
    let one = Lines { slopes: vec![slope], ..lines.clone() };
    let rows = road.rows().filter(|(_, d)| (0.0..width).contains(&one.column(slope, *d))).count();
    let places: usize = along(road, &one, AWAY).iter().map(Vec::len).sum();
    places >= PLACES && places as f32 >= LEAST * rows as f32
}
