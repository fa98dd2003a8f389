//! Where the points of a flat road are seen.
//!
//! A camera looks along the road. What is on the ground is seen below the horizon, the lower the nearer: `d`
//! rows below it at a distance of `focal * HEIGHT / d`. So a line on the road that is parallel to the camera
//! is seen as a straight line to a point on the horizon, and a curve of the road bends it by a term in `1/d`.

/// How high above the road the camera is, in meters.
pub const HEIGHT: f32 = 1.4;

/// How wide a painted line is, in meters.
pub const PAINT: f32 = 0.15;

/// The distance between two painted lines, in meters.
pub const LANE: f32 = 3.5;

/// The largest slope of a line that is seen in enough rows, in columns a row.
pub const FLATTEST: f32 = 7.0;

/// The share of a frame's rows that is above the horizon. The camera of the generated road nods a little, so
/// its horizon is not exactly there.
const SKY: f32 = 0.42;

/// The part of the rows below the horizon that is too far away to see a line.
const FAR: f32 = 0.1;

/// The rows of frames of one size.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    pub width: u32,
    pub height: u32,
}

impl Camera {
    /// The row of the horizon.
    pub fn horizon(self) -> f32 {
        SKY * self.height as f32
    }

    /// The first row in which lines are looked for.
    pub fn top(self) -> u32 {
        (self.horizon() + FAR * (self.height as f32 - self.horizon())).ceil() as u32
    }

    /// How far a row's middle is below the horizon.
    pub fn below(self, row: u32) -> f32 {
        row as f32 + 0.5 - self.horizon()
    }

    /// The focal length, in pixels: the camera sees 65 degrees from left to right.
    pub fn focal(self) -> f32 {
        0.78 * self.width as f32
    }

    /// The middle of the columns.
    pub fn middle(self) -> f32 {
        self.width as f32 / 2.0
    }
}
