//! The chart: a bar of the median time per op for each contender, whiskers from the shortest to the longest.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Report;
use super::units::{digits, grouped, rounds};
use crate::failure::Failure;

/// Sizes in units of the drawing, of which a picture has several pixels each.
const WIDTH: u32 = 900;
const HEADING: u32 = 64;
const ROW: u32 = 34;
const AXIS: u32 = 48;
const LETTER: u32 = 9;

/// Pixels per unit of a PNG, so that labels stay sharp on dense screens.
const DENSITY: u32 = 2;

const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(225, 225, 225);
const OURS: RGBColor = RGBColor(196, 86, 30);
const THEIRS: RGBColor = RGBColor(150, 170, 190);

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
    /// Draws the report and writes the file.
    pub fn draw(&self, report: &Report) -> Result<(), Failure> {
        let drawn = match self.format {
            Format::Svg => svg(report),
            Format::Png => picture(report),
        };
        drawn.and_then(|bytes| Ok(fs::write(&self.path, bytes)?)).map_err(|error| {
            Failure::Run(format!("the chart {} could not be written: {error}", self.path.display()))
        })
    }
}

/// The bytes of an SVG file, whose letters are the viewer's.
fn svg(report: &Report) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut svg = String::new();
    draw(report, SVGBackend::with_string(&mut svg, (WIDTH, height(report))), 1)?;
    Ok(svg.into_bytes())
}

/// The bytes of a PNG file, whose letters are those of the font that is compiled in.
fn picture(report: &Report) -> Result<Vec<u8>, Box<dyn Error>> {
    let (width, height) = (WIDTH * DENSITY, height(report) * DENSITY);
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    draw(report, BitMapBackend::with_buffer(&mut pixels, (width, height)), DENSITY)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

fn height(report: &Report) -> u32 {
    HEADING + ROW * report.times.len() as u32 + AXIS
}

/// Draws with so many pixels per unit.
fn draw<B>(report: &Report, backend: B, density: u32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    register_font(FONT, FontStyle::Normal, epaint_default_fonts::HACK_REGULAR)
        .map_err(|_| "the font that is compiled in cannot be read")?;
    let root = backend.into_drawing_area();
    root.fill(&WHITE)?;
    let (heading, bars) = root.split_vertically(HEADING * density);
    draw_heading(report, &heading, density as i32)?;
    draw_bars(report, &bars, density)?;
    root.present()?;
    Ok(())
}

fn draw_heading<B>(report: &Report, area: &DrawingArea<B, Shift>, unit: i32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    let explanation = format!(
        "{} {}, median of {}, whiskers from shortest to longest",
        grouped(report.ops),
        report.unit,
        rounds(report.rounds)
    );
    area.draw(&Text::new(
        report.command(),
        (16 * unit, 14 * unit),
        (FONT, 17 * unit).into_font().color(&INK),
    ))?;
    area.draw(&Text::new(explanation, (16 * unit, 38 * unit), (FONT, 14 * unit).into_font().color(&INK)))?;
    Ok(())
}

fn draw_bars<B>(report: &Report, area: &DrawingArea<B, Shift>, density: u32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    let unit = density as i32;
    let letters = (FONT, 14 * unit).into_font().color(&INK);
    let longest_name = report.times.iter().map(|times| times.contender.len()).max().unwrap_or(0) as u32;
    let end = report.times.iter().map(|times| report.ns_per_op(times.max())).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .set_label_area_size(LabelAreaPosition::Left, (24 + LETTER * longest_name) * density)
        .set_label_area_size(LabelAreaPosition::Bottom, AXIS * density)
        .margin_right(LETTER * 8 * density)
        // The fastest is drawn at the top.
        .build_cartesian_2d(0.0..end * 1.02, (report.times.len() as f64)..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.stroke_width(density))
        .axis_style(INK.stroke_width(density))
        .set_all_tick_mark_size(5 * density)
        .y_labels(0)
        .x_desc("ns/op")
        .x_label_style(letters.clone())
        .x_label_formatter(&|ns| if ns.fract() == 0.0 { grouped(*ns as u64) } else { format!("{ns:.1}") })
        .draw()?;

    let name = letters.clone().pos(Pos::new(HPos::Right, VPos::Center));
    let number = letters.pos(Pos::new(HPos::Left, VPos::Center));
    for (row, times) in report.times.iter().enumerate() {
        let [min, median, max] = [times.min(), times.median(), times.max()].map(|s| report.ns_per_op(s));
        let middle = row as f64 + 0.5;
        let colour = if times.contender.starts_with("pipes") { OURS } else { THEIRS };
        chart
            .draw_series([Rectangle::new([(0.0, middle - 0.3), (median, middle + 0.3)], colour.filled())])?;
        let line = |from, to| PathElement::new(vec![from, to], INK.stroke_width(density));
        let stop = |at| line((at, middle - 0.12), (at, middle + 0.12));
        chart.draw_series([line((min, middle), (max, middle)), stop(min), stop(max)])?;
        let label = |at, offset, text, style: &TextStyle<'static>| {
            EmptyElement::at((at, middle)) + Text::new(text, (offset, 0), style.clone())
        };
        chart.draw_series([
            label(max, 8 * unit, digits(median), &number),
            label(0.0, -10 * unit, times.contender.to_owned(), &name),
        ])?;
    }
    Ok(())
}
