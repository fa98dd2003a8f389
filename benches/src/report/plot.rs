//! The file that a chart is written to. The chart is drawn by a separate package, which is built when a chart
//! is first requested.

use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use pipes_charts::{Chart, Format};

use crate::companion::{Built, Companion};
use crate::failure::Failure;
use crate::files::Part;

/// The package that draws charts.
const CHARTS: Companion = Companion {
    name: "pipes-charts",
    manifest: concat!(env!("CARGO_MANIFEST_DIR"), "/charts/Cargo.toml"),
    subject: "what draws charts",
};

/// Where a chart goes, and in which format.
#[derive(Clone, Debug)]
pub struct Plot {
    path: PathBuf,
    format: Format,
}

/// A plot whose file can be created, and the executable that draws it.
#[derive(Debug)]
pub struct Plotter<'a> {
    plot: &'a Plot,
    executable: Built,
}

impl FromStr for Plot {
    type Err = &'static str;

    fn from_str(path: &str) -> Result<Plot, Self::Err> {
        let format =
            Format::of(Path::new(path)).ok_or("a chart is drawn to a file ending in .svg or .png")?;
        Ok(Plot { path: path.into(), format })
    }
}

impl Plot {
    /// Checks that the file can be created, and builds the package that draws. To be called before the race.
    pub fn plotter(&self) -> Result<Plotter<'_>, Failure> {
        self.part()?;
        Ok(Plotter { plot: self, executable: CHARTS.built()? })
    }

    fn part(&self) -> Result<Part, Failure> {
        Part::beside(&self.path).map_err(|error| cannot(&error))
    }
}

impl Plotter<'_> {
    /// Draws a chart, and writes the file.
    pub fn draw(&self, chart: &Chart) -> Result<(), Failure> {
        let Plot { path, format } = self.plot;
        let description = serde_json::to_vec(chart).map_err(|error| Failure::json(&error))?;
        let drawn = self.executable.answer(&[format.name()], &description);
        let bytes = drawn
            .map_err(|problem| Failure::Run(format!("{} could not be drawn: {problem}", path.display())))?;
        let mut part = self.plot.part()?;
        part.write(&bytes).and_then(|()| part.keep()).map_err(|error| cannot(&error))
    }
}

fn cannot(error: &io::Error) -> Failure {
    Failure::io("no chart", error)
}
