//! Whether the lines that were found are those that are there.

use super::camera::Camera;
use super::curve::Lines;

/// How far from its true place a line may be, as a share of the width of a frame.
const TOLERANCE: f32 = 0.0125;

/// The rows in which lines are compared, as shares of the way from the horizon to the last row.
const ROWS: [f32; 2] = [0.35, 0.7];

/// Returns `true` if the lines in a frame are those that are there, all of them, each once, and no others:
/// each is in its place in a row in the middle distance and in a near one, if it is within the frame there.
///
/// `nod` is how many rows lower than usual the horizon is.
pub fn are_right(camera: Camera, found: &Lines, there: &Lines, nod: f32) -> bool {
    let near = TOLERANCE * camera.width as f32;
    let is_within = |column: f32| (near..camera.width as f32 - near).contains(&column);
    ROWS.into_iter().all(|share| {
        let d = share * (camera.height as f32 - camera.horizon());
        let there: Vec<f32> = there.columns(d - nod).collect();
        let found: Vec<f32> = found.columns(d).collect();
        let close =
            |one: f32, others: &[f32]| others.iter().filter(|other| (one - **other).abs() <= near).count();
        there.iter().all(|column| match close(*column, &found) {
            0 => !is_within(*column),
            number => number == 1,
        }) && found.iter().all(|column| !is_within(*column) || close(*column, &there) == 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_must_be_in_its_place_and_no_other() {
        let camera = Camera { width: 640, height: 360 };
        let there = Lines { aim: 320.0, bend: 100.0, slopes: vec![-1.2, 1.3] };
        let with = |change: fn(&mut Lines)| {
            let mut found = there.clone();
            change(&mut found);
            are_right(camera, &found, &there, 0.0)
        };
        assert!(with(|_| {}));
        assert!(with(|lines| lines.aim += 7.0));
        // What is seen nowhere does not matter.
        assert!(with(|lines| lines.slopes.push(40.0)));
        let wrong: [fn(&mut Lines); 6] = [
            |lines| lines.aim += 9.0,
            |lines| lines.bend += 1500.0,
            |lines| lines.slopes[0] -= 0.1,
            |lines| lines.slopes.truncate(1),
            |lines| lines.slopes.push(0.1),
            // One of them twice.
            |lines| lines.slopes.push(lines.slopes[0] + 0.01),
        ];
        assert!(wrong.into_iter().all(|change| !with(change)));
    }
}
