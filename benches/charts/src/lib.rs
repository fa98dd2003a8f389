//! What a chart shows. The executable of this package draws it: it reads a [`Chart`] as JSON from stdin, and
//! writes a file of the [`Format`] that its only argument names to stdout.

pub mod units;

use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A heading, and a drawing below it.
#[derive(Debug, Deserialize, Serialize)]
pub struct Chart {
    /// What was measured.
    pub title: String,
    /// What is shown.
    pub explanation: String,
    /// The drawing.
    pub drawing: Drawing,
}

/// What is drawn.
#[derive(Debug, Deserialize, Serialize)]
pub enum Drawing {
    /// A bar for each contender, from the top down.
    Bars(Vec<Bar>),
    /// A line for each contender.
    Lines(Vec<Line>),
    /// Panels below each other.
    Panels(Vec<Panel>),
}

/// A curve for each contender, with axes that have names.
#[derive(Debug, Deserialize, Serialize)]
pub struct Panel {
    /// What the horizontal axis shows.
    pub across: String,
    /// What the vertical axis shows, which begins at zero.
    pub up: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A curve of a contender.
#[derive(Debug, Deserialize, Serialize)]
pub struct Curve {
    /// The contender's name.
    pub name: String,
    /// Whether it is one of ours.
    pub ours: bool,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// The median time per op of a contender, in nanoseconds, and its range.
#[derive(Debug, Deserialize, Serialize)]
pub struct Bar {
    /// The contender's name.
    pub name: String,
    /// Whether it is one of ours.
    pub ours: bool,
    /// The shortest time.
    pub min: f64,
    /// The bar's length.
    pub median: f64,
    /// The longest time.
    pub max: f64,
}

/// The speed-ups of a contender.
#[derive(Debug, Deserialize, Serialize)]
pub struct Line {
    /// The contender's name.
    pub name: String,
    /// Whether it is one of ours.
    pub ours: bool,
    /// Numbers of workers, in ascending order, and the speed-up with each.
    pub points: Vec<(u64, f64)>,
}

/// The format of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// Shapes, and text in the viewer's font.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// The format of a file with this name, if it is known by its extension.
    pub fn of(path: &Path) -> Option<Format> {
        path.extension()?.to_str()?.to_ascii_lowercase().parse().ok()
    }

    /// The extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Png => "png",
        }
    }
}

impl FromStr for Format {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Format, Self::Err> {
        let known = [Format::Svg, Format::Png].into_iter().find(|format| format.name() == name);
        known.ok_or("the formats are svg and png")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_known_by_its_extension() {
        let formats = ["a.svg", "b/c.PNG", "d.gif", "svg", ".png"].map(|path| Format::of(Path::new(path)));
        assert_eq!(formats, [Some(Format::Svg), Some(Format::Png), None, None, None]);
    }
}
