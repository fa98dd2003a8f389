//! What all drawings have in common.

use plotters::style::RGBColor;

/// Sizes in units of the drawing; in a picture, a unit is several pixels.
pub const AXIS: u32 = 48;
pub const LETTER: u32 = 9;

pub const FONT: &str = "sans-serif";
pub const INK: RGBColor = RGBColor(40, 40, 40);
pub const GRID: RGBColor = RGBColor(225, 225, 225);
