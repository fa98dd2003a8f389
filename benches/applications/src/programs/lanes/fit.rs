//! The lines through places where they were seen.

use nalgebra::{DMatrix, DVector};

use super::curve::Lines;
use super::trace::Place;

/// How often the places that are farthest from their line are left out.
const ROUNDS: usize = 3;

/// The least number of places by which a line is believed.
const LEAST: usize = 7;

/// The lines that are closest to these places, in the mean of the squares; `near` is how far from its line a
/// place may be, in pixels. A line with too few places is left out.
pub fn fit(places: &[Vec<Place>], near: f32) -> Option<Lines> {
    let mut kept: Vec<Vec<Place>> = places.iter().filter(|line| line.len() >= LEAST).cloned().collect();
    let mut lines = solve(&kept)?;
    for round in (0..ROUNDS).rev() {
        // At first, while some are far off, those farther away are good enough.
        let near = near * (1 << round) as f32;
        for (line, slope) in kept.iter_mut().zip(&lines.slopes) {
            line.retain(|place| (lines.column(*slope, place.d) - place.column).abs() <= near);
        }
        kept.retain(|line| line.len() >= LEAST);
        lines = solve(&kept)?;
    }
    Some(lines)
}

/// The least squares of all places: the lines have the aim and the bend in common.
fn solve(places: &[Vec<Place>]) -> Option<Lines> {
    if places.is_empty() {
        return None;
    }
    let unknowns = 2 + places.len();
    let (mut matrix, mut right) =
        (DMatrix::<f64>::zeros(unknowns, unknowns), DVector::<f64>::zeros(unknowns));
    for (line, places) in places.iter().enumerate() {
        for place in places {
            let d = f64::from(place.d);
            // What the unknowns are multiplied with; all other slopes with zero.
            let factors = [(0, 1.0), (1, 1.0 / d), (2 + line, d)];
            for (row, factor) in factors {
                right[row] += factor * f64::from(place.column);
                factors.iter().for_each(|(column, other)| matrix[(row, *column)] += factor * other);
            }
        }
    }
    // Places in a single row leave the lines undetermined.
    let solved = matrix.cholesky()?.solve(&right);
    let slopes = solved.iter().skip(2).map(|slope| *slope as f32).collect();
    Some(Lines { aim: solved[0] as f32, bend: solved[1] as f32, slopes })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of these lines.
    fn places(lines: &Lines) -> Vec<Vec<Place>> {
        let place = |slope: f32, d: u16| {
            let d = f32::from(d) + 0.5;
            Place { d, column: lines.column(slope, d) }
        };
        lines.slopes.iter().map(|slope| (20..200).step_by(5).map(|d| place(*slope, d)).collect()).collect()
    }

    fn are_close(one: &Lines, other: &Lines) -> bool {
        let slopes = one.slopes.iter().zip(&other.slopes);
        one.slopes.len() == other.slopes.len()
            && (one.aim - other.aim).abs() < 0.01
            && (one.bend - other.bend).abs() < 1.0
            && slopes.into_iter().all(|(one, other)| (one - other).abs() < 0.001)
    }

    #[test]
    fn the_lines_through_their_places_are_found_again() {
        let lines = Lines { aim: 310.0, bend: -700.0, slopes: vec![-3.7, -1.2, 1.3] };
        let found = fit(&places(&lines), 2.0).expect("there are enough places");
        assert!(are_close(&found, &lines), "{found:?}");
    }

    #[test]
    fn places_that_are_far_off_and_lines_with_few_do_not_count() {
        let lines = Lines { aim: 310.0, bend: -700.0, slopes: vec![-1.2, 1.3] };
        let mut seen = places(&lines);
        seen[0].iter_mut().step_by(9).for_each(|place| place.column += 12.0);
        seen.push(vec![Place { d: 50.0, column: 600.0 }; LEAST - 1]);
        let found = fit(&seen, 2.0).expect("there are enough places");
        assert!(are_close(&found, &lines), "{found:?}");
    }

    #[test]
    fn what_is_not_determined_is_not_found() {
        assert_eq!(fit(&[], 2.0), None);
        assert_eq!(fit(&[vec![Place { d: 50.0, column: 600.0 }; 40]], 2.0), None);
    }
}
