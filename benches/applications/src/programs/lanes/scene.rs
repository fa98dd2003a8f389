//! What happens on the generated road: some seconds with the same lanes, weather and traffic, then others.

use super::camera::{Camera, HEIGHT, LANE};
use super::curve::Lines;
use crate::chance::Chance;

/// The number of frames of a scene: a second and a half.
const FRAMES: u64 = 45;

/// How far the camera moves from one frame to the next, in meters: 90 km/h.
const STEP: f32 = 25.0 / 30.0;

/// The sharpest curve is part of a circle with this radius, in meters.
const SHARPEST: f32 = 150.0;

/// The light, and what falls through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weather {
    pub night: bool,
    pub rain: bool,
}

/// Another car.
#[derive(Clone, Copy, Debug)]
pub struct Car {
    /// How far it is to the right of the camera, in meters.
    pub right: f32,
    /// How far it is ahead, in meters.
    pub ahead: f32,
    pub color: [u8; 3],
}

/// What a frame shows.
#[derive(Clone, Debug)]
pub struct View {
    pub weather: Weather,
    /// Where the lines are seen.
    pub lines: Lines,
    /// Which of the lines are broken.
    pub broken: Vec<bool>,
    /// How far the camera has come, in meters.
    pub way: f32,
    /// How many rows the horizon is too low.
    pub nod: f32,
    pub cars: Vec<Car>,
    pub asphalt: u8,
    pub paint: u8,
}

/// What this frame shows.
pub fn view(camera: Camera, frame: u64) -> View {
    let mut chance = Chance::row(0x1a7e5, frame / FRAMES);
    let mut between = |low: f32, high: f32| low + (high - low) * chance.unit() as f32;
    // From 0 to 1 within the scene.
    let time = (frame % FRAMES) as f32 / FRAMES as f32;
    let weather = Weather { night: between(0.0, 1.0) < 0.35, rain: between(0.0, 1.0) < 0.35 };
    let lanes = between(1.0, 4.0).floor();
    let lane = between(0.0, lanes).floor();
    // In one scene of four with several lanes, the car changes the lane.
    let aside = if lane + 1.0 < lanes { 1.0 } else { -1.0 };
    let changes = lanes > 1.0 && between(0.0, 1.0) < 0.25;
    let changed = if changes { aside * smooth(time) } else { 0.0 };
    // The position of the camera, in lanes from the leftmost line.
    let place = lane + 0.5 + changed + between(-0.08, 0.08);
    let (now, later) = (between(-1.0, 1.0), between(-1.0, 1.0));
    let curvature = (now + (later - now) * smooth(time)) / SHARPEST;
    let heading = between(-0.012, 0.012);
    let slopes = (0..=lanes as u32).map(|line| (line as f32 - place) * LANE / HEIGHT).collect();
    let lines = Lines {
        aim: camera.middle() + camera.focal() * heading,
        bend: curvature * camera.focal().powi(2) * HEIGHT / 2.0,
        slopes,
    };
    let broken = (0..=lanes as u32).map(|line| line > 0 && line < lanes as u32).collect();
    let cars = (0..between(0.0, 4.0) as u32).map(|_| {
        let own = between(0.0, lanes).floor() + 0.5;
        // What is in the same lane keeps its distance.
        let nearest = if (own - place).abs() < 1.0 { 14.0 } else { 7.0 };
        let (from, to) = (between(nearest, 50.0), between(nearest, 50.0));
        let color = [between(20.0, 230.0), between(20.0, 230.0), between(20.0, 230.0)].map(|part| part as u8);
        Car { right: (own - place) * LANE, ahead: from + (to - from) * time, color }
    });
    let mut cars: Vec<_> = cars.collect();
    // Those nearer hide those farther away.
    cars.sort_by(|one, other| other.ahead.total_cmp(&one.ahead));
    View {
        weather,
        lines,
        broken,
        way: frame as f32 * STEP,
        nod: 1.2 * (0.7 * frame as f32).sin(),
        cars,
        asphalt: between(55.0, 95.0) as u8,
        paint: between(170.0, 235.0) as u8,
    }
}

/// From 0 to 1, without a jolt at either end.
fn smooth(time: f32) -> f32 {
    time * time * (3.0 - 2.0 * time)
}
