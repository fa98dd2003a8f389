//! The places where a line is seen, row by row.

use super::choose::Straight;
use super::curve::Lines;
use super::paint::Road;

/// A place of a line: how far below the horizon, and in which column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub d: f32,
    pub column: f32,
}

/// How far from the expected column a line is looked for, as a share of the width of a frame.
const AWAY: f32 = 0.011;

/// Follows a line from near to far. What was seen shifts the column that is expected next, so that a bend is
/// followed.
pub fn follow(road: Road<'_>, line: Straight) -> Vec<Place> {
    let (mut shift, mut turn) = (0.0, 0.0);
    let away = AWAY * road.camera.width as f32;
    let mut places = Vec::new();
    for (row, d) in road.rows() {
        shift += turn;
        let expected = line.aim + line.slope * d + shift;
        if let Some(column) = road.best(row, d, expected, away) {
            let missed = column - expected;
            shift += 0.3 * missed;
            turn += 0.01 * missed;
            places.push(Place { d, column });
        }
    }
    places
}

/// The places of all lines that are at most this far from where they were found to be, as a share of the
/// width of a frame.
pub fn along(road: Road<'_>, lines: &Lines, away: f32) -> Vec<Vec<Place>> {
    let away = away * road.camera.width as f32;
    let places = |slope: f32| {
        let rows = road.rows();
        let place = |(row, d)| {
            let column = road.best(row, d, lines.column(slope, d), away)?;
            Some(Place { d, column })
        };
        rows.filter_map(place).collect()
    };
    lines.slopes.iter().map(|slope| places(*slope)).collect()
}
