//! A chart: a heading, a drawing below it, and the file that it is written to.

use std::error::Error;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

use crate::failure::Failure;
use crate::files::Part;

/// Sizes in units of the drawing; in a picture, a unit is several pixels.
const WIDTH: u32 = 900;
const HEADING: u32 = 64;
pub const AXIS: u32 = 48;
pub const LETTER: u32 = 9;

/// Pixels per unit of a PNG, chosen to keep labels sharp on high-density screens.
const DENSITY: u32 = 2;

pub const FONT: &str = "sans-serif";
pub const INK: RGBColor = RGBColor(40, 40, 40);
pub const GRID: RGBColor = RGBColor(225, 225, 225);

/// What can be drawn below a heading.
pub trait Drawing {
    /// What was measured.
    fn title(&self) -> String;
    /// What is shown.
    fn explanation(&self) -> String;
    /// Its height in units of the drawing, without the heading.
    fn height(&self) -> u32;
    /// Draws it with this many pixels per unit.
    fn draw<B>(&self, area: &DrawingArea<B, Shift>, density: u32) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend<ErrorType: 'static>;
}

/// Whether this contender is one of ours, which are called `pipes`, or `pipes-` followed by what is special about them.
pub fn is_ours(contender: &str) -> bool {
    contender.split('-').next() == Some("pipes")
}

/// Where a chart goes, and in which format.
#[derive(Clone, Debug)]
pub struct Chart {
    path: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, Debug)]
enum Format {
    Svg,
    Png,
}

impl FromStr for Chart {
    type Err = &'static str;

    fn from_str(path: &str) -> Result<Chart, Self::Err> {
        let format = match Path::new(path).extension().and_then(OsStr::to_str) {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            _ => return Err("a chart is drawn to a file ending in .svg or .png"),
        };
        Ok(Chart { path: path.into(), format })
    }
}

impl Chart {
    /// Checks that a file can be created there; call it before the race.
    pub fn check(&self) -> Result<(), Failure> {
        self.part().map(drop)
    }

    /// Draws this and writes the file.
    pub fn draw(&self, drawing: &impl Drawing) -> Result<(), Failure> {
        let drawn = match self.format {
            Format::Svg => svg(drawing),
            Format::Png => picture(drawing),
        };
        let bytes = drawn
            .map_err(|error| Failure::Run(format!("{} could not be drawn: {error}", self.path.display())))?;
        let mut part = self.part()?;
        part.write(&bytes).and_then(|()| part.keep()).map_err(|error| cannot(&error))
    }

    fn part(&self) -> Result<Part, Failure> {
        Part::beside(&self.path).map_err(|error| cannot(&error))
    }
}

fn cannot(error: &io::Error) -> Failure {
    Failure::io("no chart", error)
}

/// The bytes of an SVG file, which uses the viewer's font.
fn svg(drawing: &impl Drawing) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut svg = String::new();
    draw(drawing, SVGBackend::with_string(&mut svg, (WIDTH, height(drawing))), 1)?;
    Ok(svg.into_bytes())
}

/// The bytes of a PNG file, which uses the font that is compiled in.
fn picture(drawing: &impl Drawing) -> Result<Vec<u8>, Box<dyn Error>> {
    let (width, height) = (WIDTH * DENSITY, height(drawing) * DENSITY);
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    draw(drawing, BitMapBackend::with_buffer(&mut pixels, (width, height)), DENSITY)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

fn height(drawing: &impl Drawing) -> u32 {
    HEADING + drawing.height()
}

/// Draws with this many pixels per unit.
fn draw<B>(drawing: &impl Drawing, backend: B, density: u32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    register_font(FONT, FontStyle::Normal, epaint_default_fonts::HACK_REGULAR)
        .map_err(|_| "the font that is compiled in cannot be read")?;
    let root = backend.into_drawing_area();
    root.fill(&WHITE)?;
    let (heading, below) = root.split_vertically(HEADING * density);
    draw_heading(drawing, &heading, density as i32)?;
    drawing.draw(&below, density)?;
    root.present()?;
    Ok(())
}

fn draw_heading<B>(
    drawing: &impl Drawing,
    area: &DrawingArea<B, Shift>,
    unit: i32,
) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    let line = |text, top, size| {
        Text::new(text, (16 * unit, top * unit), (FONT, size * unit).into_font().color(&INK))
    };
    area.draw(&line(drawing.title(), 14, 17))?;
    area.draw(&line(drawing.explanation(), 38, 14))?;
    Ok(())
}
