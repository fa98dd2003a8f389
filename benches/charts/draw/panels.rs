//! Panels below each other, each with a curve for every contender.

use std::error::Error;

use pipes_charts::units::digits;
use pipes_charts::{Curve, Panel};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::lines::{OURS, THEIRS, spread};
use crate::style::{AXIS, FONT, GRID, INK, LETTER};

/// Height of a panel in units of the drawing.
const HEIGHT: u32 = 300;

/// From this many points on, the points of a curve are not marked.
const MANY: usize = 24;

/// The height of these panels, in units of the drawing.
pub fn height(panels: &[Panel]) -> u32 {
    HEIGHT * panels.len() as u32
}

/// Draws the panels with this many pixels per unit.
pub fn draw<B>(panels: &[Panel], area: &DrawingArea<B, Shift>, density: u32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    let areas = area.split_evenly((panels.len().max(1), 1));
    panels.iter().zip(&areas).try_for_each(|(panel, area)| panel_in(panel, area, density))
}

fn panel_in<B>(panel: &Panel, area: &DrawingArea<B, Shift>, density: u32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    let unit = density as i32;
    let letters = (FONT, 14 * unit).into_font().color(&INK);
    let longest_name = panel.curves.iter().map(|curve| curve.name.len()).max().unwrap_or(0) as u32;
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let left = points().map(|(x, _)| *x).fold(f64::INFINITY, f64::min).min(f64::MAX);
    let right = points().map(|(x, _)| *x).fold(left, f64::max);
    // A single value would be an axis without length.
    let (left, right) = if left < right { (left, right) } else { (left.min(1e9) - 0.5, left.min(1e9) + 0.5) };
    let highest = points().map(|(_, y)| *y).fold(f64::MIN_POSITIVE, f64::max) * 1.05;

    // Where there are few values, each has a label.
    let mut values: Vec<_> = points().map(|(x, _)| *x).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();

    let mut chart = ChartBuilder::on(area)
        .margin_left(12 * density)
        .margin_top(10 * density)
        .set_label_area_size(LabelAreaPosition::Left, 84 * density)
        .set_label_area_size(LabelAreaPosition::Bottom, AXIS * density)
        .margin_right((24 + LETTER * longest_name) * density)
        .build_cartesian_2d(left..right, 0.0..highest)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.stroke_width(density))
        .axis_style(INK.stroke_width(density))
        .set_all_tick_mark_size(5 * density)
        .x_desc(panel.across.as_str())
        .y_desc(panel.up.as_str())
        .x_labels(values.len().min(10))
        .y_labels(6)
        .label_style(letters)
        .y_label_formatter(&|value| short(*value))
        .x_label_formatter(&|value| short(*value))
        .draw()?;

    let (mut ours, mut theirs) = (OURS.iter().cycle(), THEIRS.iter().cycle());
    let mut ends = Vec::with_capacity(panel.curves.len());
    for Curve { name, ours: is_ours, points } in &panel.curves {
        let colour = if *is_ours { ours.next() } else { theirs.next() }.unwrap_or(&INK);
        if points.len() < MANY {
            chart.draw_series(points.iter().map(|at| Circle::new(*at, 4 * unit, colour.filled())))?;
        }
        ends.extend(points.last().map(|(_, y)| (*y, name.clone(), *colour)));
        chart.draw_series([PathElement::new(points.clone(), colour.stroke_width(2 * density))])?;
    }
    for (height, name, colour) in spread(ends, highest, HEIGHT - AXIS) {
        let style = (FONT, 14 * unit).into_font().color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
        let label = EmptyElement::at((right, height)) + Text::new(name, (10 * unit, 0), style);
        chart.draw_series([label])?;
    }
    Ok(())
}

/// A number on an axis, with few letters.
fn short(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{} M", digits(v / 1e6)),
        v if v >= 1e4 => format!("{} k", digits(v / 1e3)),
        v if v.fract() == 0.0 => format!("{v:.0}"),
        v => digits(v),
    }
}
