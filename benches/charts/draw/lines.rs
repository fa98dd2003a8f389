//! A line of speed-ups for each contender, over the number of workers.

use std::error::Error;

use pipes_charts::Line;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::style::{AXIS, FONT, GRID, INK, LETTER};

/// Height of the lines in units of the drawing.
pub const HEIGHT: u32 = 420;
/// The minimum distance between two names at the end of their lines.
const NAME: f64 = 18.0;

/// Colours: ours warm, the others cool.
pub const OURS: [RGBColor; 3] = [RGBColor(196, 86, 30), RGBColor(222, 158, 54), RGBColor(150, 40, 60)];
pub const THEIRS: [RGBColor; 6] = [
    RGBColor(48, 98, 148),
    RGBColor(40, 140, 130),
    RGBColor(118, 90, 160),
    RGBColor(96, 128, 60),
    RGBColor(110, 160, 200),
    RGBColor(130, 130, 130),
];

/// Draws the lines with this many pixels per unit.
pub fn draw<B>(lines: &[Line], area: &DrawingArea<B, Shift>, density: u32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    let unit = density as i32;
    let letters = (FONT, 14 * unit).into_font().color(&INK);
    let longest_name = lines.iter().map(|line| line.name.len()).max().unwrap_or(0) as u32;
    let points = || lines.iter().flat_map(|line| &line.points);
    let most_workers = points().map(|(workers, _)| *workers).max().unwrap_or(1) as f64;
    let highest = points().map(|(_, speed_up)| *speed_up).fold(1.0, f64::max) * 1.05;

    let mut chart = ChartBuilder::on(area)
        .margin_left(12 * density)
        .set_label_area_size(LabelAreaPosition::Left, 56 * density)
        .set_label_area_size(LabelAreaPosition::Bottom, AXIS * density)
        .margin_right((24 + LETTER * longest_name) * density)
        .build_cartesian_2d(1.0..most_workers, 0.0..highest)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.stroke_width(density))
        .axis_style(INK.stroke_width(density))
        .set_all_tick_mark_size(5 * density)
        .x_labels(most_workers as usize)
        .x_desc("workers")
        .y_desc("speed-up")
        .label_style(letters.clone())
        .y_label_formatter(&|speed_up| format!("{speed_up:.1}"))
        .x_label_formatter(&|workers| format!("{workers:.0}"))
        .draw()?;

    let (mut ours, mut theirs) = (OURS.iter().cycle(), THEIRS.iter().cycle());
    let mut ends = Vec::with_capacity(lines.len());
    for Line { name, ours: is_ours, points } in lines {
        let colour = if *is_ours { ours.next() } else { theirs.next() }.unwrap_or(&INK);
        let points: Vec<_> = points.iter().map(|(workers, speed_up)| (*workers as f64, *speed_up)).collect();
        chart.draw_series(points.iter().map(|at| Circle::new(*at, 4 * unit, colour.filled())))?;
        ends.extend(points.last().map(|(_, speed_up)| (*speed_up, name.clone(), *colour)));
        chart.draw_series([PathElement::new(points, colour.stroke_width(2 * density))])?;
    }

    for (height, name, colour) in spread(ends, highest, HEIGHT) {
        let style = (FONT, 14 * unit).into_font().color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
        let label = EmptyElement::at((most_workers, height)) + Text::new(name, (10 * unit, 0), style);
        chart.draw_series([label])?;
    }
    Ok(())
}

/// The heights, names and colours of names at the end of their lines. Where lines end close together, the
/// names are moved apart: first from the bottom up, each above the one before, and then from the top down.
pub fn spread(
    mut ends: Vec<(f64, String, RGBColor)>,
    highest: f64,
    height: u32,
) -> Vec<(f64, String, RGBColor)> {
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    let distance = highest * NAME / f64::from(height);
    let mut lowest = -distance;
    for end in &mut ends {
        end.0 = end.0.max(lowest + distance);
        lowest = end.0;
    }
    let mut lowest = highest + distance;
    for end in ends.iter_mut().rev() {
        end.0 = end.0.min(lowest - distance);
        lowest = end.0;
    }
    ends
}
