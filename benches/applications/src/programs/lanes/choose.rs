//! Which of the straight lines that were found belong to lanes.

use imageproc::hough::PolarLine;

use super::camera::FLATTEST;
use super::paint::Road;

/// A line of a lane, as if it were straight: at the column `aim + slope * d` in the row that is `d` below the
/// horizon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Straight {
    pub aim: f32,
    pub slope: f32,
}

/// The lines of a flat road run to the same point on the horizon, but for a bend: at most this far from it,
/// as a share of the width.
const SAME_AIM: f32 = 0.045;

/// Two lines of the same lane differ more than this in their slopes.
const SAME_SLOPE: f32 = 0.9;

/// The share of the rows with paint that a line has, at least.
const LEAST: f32 = 0.12;

/// The most lines.
const MOST: usize = 6;

/// The lines of lanes among those that were found by the Hough transform, from left to right.
pub fn choose(road: Road<'_>, found: &[PolarLine]) -> Vec<Straight> {
    // Each line is an edge of the paint; its middle is on one side of it or on the other.
    let mut seen: Vec<_> = found
        .iter()
        .filter_map(|line| straight(road, line))
        .flat_map(|edge| [-1.0, 0.0, 1.0].map(|side| beside(edge, side)))
        .map(|line| (painted(road, line), line))
        .filter(|(share, _)| *share >= LEAST)
        .collect();
    seen.sort_by(|one, other| other.0.total_cmp(&one.0));
    let near = SAME_AIM * road.camera.width as f32;
    let with = |aim: f32| seen.iter().filter(move |(_, line)| (line.aim - aim).abs() <= near);
    let support = |aim: f32| apart(with(aim)).iter().map(|(share, _)| share).sum::<f32>();
    let aims = seen.iter().map(|(_, line)| line.aim);
    let Some(aim) = aims.max_by(|one, other| support(*one).total_cmp(&support(*other))) else {
        return Vec::new();
    };
    let mut chosen: Vec<_> = apart(with(aim)).into_iter().map(|(_, line)| line).collect();
    chosen.sort_by(|one, other| one.slope.total_cmp(&other.slope));
    chosen
}

/// The line in columns that depend on rows, unless it is too flat.
fn straight(road: Road<'_>, line: &PolarLine) -> Option<Straight> {
    let (sine, cosine) = (line.angle_in_degrees as f32).to_radians().sin_cos();
    let slope = -sine / cosine;
    // Its column in the row of the horizon, which is above the first row of the road.
    let up = road.camera.horizon() - road.camera.top() as f32;
    (slope.abs() < FLATTEST).then(|| Straight { aim: line.r / cosine + slope * up, slope })
}

/// The line half the width of the paint away.
fn beside(edge: Straight, side: f32) -> Straight {
    Straight { slope: edge.slope + side * Road::half(1000.0) / 1000.0, ..edge }
}

/// The share of the rows in which a line is within the frame that have paint there.
fn painted(road: Road<'_>, line: Straight) -> f32 {
    let width = road.camera.width as f32;
    let (mut rows, mut painted) = (0.0, 0.0);
    for (row, d) in road.rows().step_by(2) {
        let column = line.aim + line.slope * d;
        if (0.0..width).contains(&column) {
            rows += 1.0;
            painted += f32::from(u8::from(road.paint(row, d, column).is_some()));
        }
    }
    // What is seen in a few rows only could be anything.
    if rows < 8.0 { 0.0 } else { painted / rows }
}

/// Of lines that begin with the best ones, those that are not next to a better one.
fn apart<'a>(lines: impl Iterator<Item = &'a (f32, Straight)>) -> Vec<(f32, Straight)> {
    let mut kept: Vec<(f32, Straight)> = Vec::new();
    for (share, line) in lines {
        let is_new = kept.iter().all(|(_, other)| (other.slope - line.slope).abs() > SAME_SLOPE);
        if is_new && kept.len() < MOST {
            kept.push((*share, *line));
        }
    }
    kept
}
