//! The lines of a road, as a camera sees them.

/// Lines that run side by side: in the row that is `d` below the horizon, the middle of a line is seen at
/// `aim + slope * d + bend / d`. They differ in their slopes only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The column at the horizon to which straight lines would run.
    pub aim: f32,
    /// How much they are bent, to the right if this is positive.
    pub bend: f32,
    /// The slope of each line, from left to right.
    pub slopes: Vec<f32>,
}

impl Lines {
    /// The column of a line with this slope in the row that is `d` below the horizon.
    pub fn column(&self, slope: f32, d: f32) -> f32 {
        self.aim + slope * d + self.bend / d
    }

    /// The columns of all lines in that row, from left to right.
    pub fn columns(&self, d: f32) -> impl Iterator<Item = f32> {
        self.slopes.iter().map(move |slope| self.column(*slope, d))
    }
}
