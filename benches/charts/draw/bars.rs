//! A bar of the median time per op for each contender, with whiskers from the shortest to the longest.

use std::error::Error;

use pipes_charts::Bar;
use pipes_charts::units::{digits, grouped};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::style::{AXIS, FONT, GRID, INK, LETTER};

/// Height of a row in units of the drawing.
const ROW: u32 = 34;

const OURS: RGBColor = RGBColor(196, 86, 30);
const THEIRS: RGBColor = RGBColor(150, 170, 190);

/// The height of these rows, in units of the drawing.
pub fn height(rows: &[Bar]) -> u32 {
    ROW * rows.len() as u32
}

/// Draws the bars with this many pixels per unit.
pub fn draw<B>(rows: &[Bar], area: &DrawingArea<B, Shift>, density: u32) -> Result<(), Box<dyn Error>>
where
    B: DrawingBackend<ErrorType: 'static>,
{
    let unit = density as i32;
    let letters = (FONT, 14 * unit).into_font().color(&INK);
    let longest_name = rows.iter().map(|bar| bar.name.len()).max().unwrap_or(0) as u32;
    let end = rows.iter().map(|bar| bar.max).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .set_label_area_size(LabelAreaPosition::Left, (24 + LETTER * longest_name) * density)
        .set_label_area_size(LabelAreaPosition::Bottom, AXIS * density)
        .margin_right(LETTER * 8 * density)
        // The fastest is drawn at the top.
        .build_cartesian_2d(0.0..end * 1.02, (rows.len() as f64)..0.0)?;
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
    for (row, bar) in rows.iter().enumerate() {
        let middle = row as f64 + 0.5;
        let colour = if bar.ours { OURS } else { THEIRS };
        chart.draw_series([Rectangle::new(
            [(0.0, middle - 0.3), (bar.median, middle + 0.3)],
            colour.filled(),
        )])?;
        let line = |from, to| PathElement::new(vec![from, to], INK.stroke_width(density));
        let stop = |at| line((at, middle - 0.12), (at, middle + 0.12));
        chart.draw_series([line((bar.min, middle), (bar.max, middle)), stop(bar.min), stop(bar.max)])?;
        let label = |at, offset, text, style: &TextStyle<'static>| {
            EmptyElement::at((at, middle)) + Text::new(text, (offset, 0), style.clone())
        };
        chart.draw_series([
            label(bar.max, 8 * unit, digits(bar.median), &number),
            label(0.0, -10 * unit, bar.name.clone(), &name),
        ])?;
    }
    Ok(())
}
