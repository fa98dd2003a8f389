//! The whole drawing: a heading, what is below it, and the bytes of a file.

use std::error::Error;

use pipes_charts::{Chart, Drawing, Format};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

use crate::style::{AXIS, FONT, INK};
use crate::{bars, lines, panels};

/// Sizes in units of the drawing.
const WIDTH: u32 = 900;
const HEADING: u32 = 64;

/// Pixels per unit of a PNG, chosen to keep labels sharp on high-density screens.
const DENSITY: u32 = 2;

/// The bytes of a file in this format.
pub fn file(chart: &Chart, format: Format) -> Result<Vec<u8>, Box<dyn Error>> {
    match format {
        Format::Svg => svg(chart),
        Format::Png => picture(chart),
    }
}

/// The bytes of an SVG file, which uses the viewer's font.
fn svg(chart: &Chart) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut svg = String::new();
    draw(chart, SVGBackend::with_string(&mut svg, (WIDTH, height(chart))), 1)?;
    Ok(svg.into_bytes())
}

/// The bytes of a PNG file, which uses the font that is compiled in.
fn picture(chart: &Chart) -> Result<Vec<u8>, Box<dyn Error>> {
    let (width, height) = (WIDTH * DENSITY, height(chart) * DENSITY);
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    draw(chart, BitMapBackend::with_buffer(&mut pixels, (width, height)), DENSITY)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

/// The height in units.
fn height(chart: &Chart) -> u32 {
    let below = match &chart.drawing {
        Drawing::Bars(rows) => bars::height(rows),
        Drawing::Lines(_) => lines::HEIGHT,
        Drawing::Panels(panels) => panels::height(panels),
    };
    HEADING + below + AXIS
}

/// Draws with this many pixels per unit.
fn draw<B>(chart: &Chart, backend: B, density: u32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    register_font(FONT, FontStyle::Normal, epaint_default_fonts::HACK_REGULAR)
        .map_err(|_| "the font that is compiled in cannot be read")?;
    let root = backend.into_drawing_area();
    root.fill(&WHITE)?;
    let (heading, below) = root.split_vertically(HEADING * density);
    draw_heading(chart, &heading, density as i32)?;
    match &chart.drawing {
        Drawing::Bars(rows) => bars::draw(rows, &below, density)?,
        Drawing::Lines(lines) => lines::draw(lines, &below, density)?,
        Drawing::Panels(panels) => panels::draw(panels, &below, density)?,
    }
    root.present()?;
    Ok(())
}

fn draw_heading<B>(chart: &Chart, area: &DrawingArea<B, Shift>, unit: i32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    let line = |text, top, size| {
        Text::new(text, (16 * unit, top * unit), (FONT, size * unit).into_font().color(&INK))
    };
    area.draw(&line(chart.title.as_str(), 14, 17))?;
    area.draw(&line(chart.explanation.as_str(), 38, 14))?;
    Ok(())
}
