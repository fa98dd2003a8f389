//! The drawing of a sequence chart.
//!
//! Each thread is a line from above to below, under a box with its name. A message is an arrow from the row
//! in which it was sent to the row in which it was received, so it falls the more the longer it was on its
//! way. Notes stand beside the first and the last thread at the outer side, where no arrow is, and otherwise
//! on the line of their thread.
//!
//! The drawing has the colour of the page around it, and tints that are mostly transparent. As a document of
//! its own, it is dark or light as the reader's system is.

use super::recording::Recording;
use super::sequence::{Chart, Item};

/// The space at the edges, between two texts beside each other, and beside a text in its box.
const MARGIN: usize = 8;
/// The height of the box with the name of a thread.
const HEADER: usize = 28;
/// The distance of two rows.
const ROW: usize = 34;
/// The height of a note.
const NOTE: usize = 22;
/// The distance of a thread's line to the note beside it.
const ASIDE: usize = 8;
/// The least distance of two lines.
const COLUMN: usize = 160;
/// The distance from the middle of a line of text down to its baseline.
const BASELINE: usize = 4;
/// The width of a character of a name, and of any other text, rounded up.
const LETTER: usize = 8;
const SMALL: usize = 7;
/// The most characters of a text. Longer ones are cut, and can be read when the pointer is over them.
const LONGEST: usize = 44;

/// The colour of the boxes of threads.
const THREAD: &str = "#3b82f6";
/// The colour of notes.
const REMARK: &str = "#f59e0b";

impl Recording {
    /// Returns the steps as a picture in the format SVG: what [`to_mermaid`](Self::to_mermaid) shows, with
    /// each arrow from where the message was sent to where it was received.
    ///
    /// A step is below what comes before it in its thread, and a receive below its send. Nothing else is said
    /// of times, so two recordings in which the threads do the same have the same picture.
    ///
    /// It can be a file of its own, or stand in a page in HTML or Markdown.
    ///
    /// ```no_run
    /// # let recorder = pipes::inspect::record(100).expect("there is no other recorder");
    /// std::fs::write("recording.svg", recorder.recording().to_svg())?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        let chart = self.chart();
        let layout = Layout::of(&chart);
        let Layout { lines, width, height } = &layout;
        let threads = chart.columns.join(", ");
        let title = match &*threads {
            "" => "No steps".to_owned(),
            threads => escaped(&format!("What the threads {threads} did")),
        };
        let mut parts = vec![format!(
            "<svg xmlns='http://www.w3.org/2000/svg' role='img' width='{width}' height='{height}' \
             viewBox='0 0 {width} {height}' style='max-width:100%;height:auto' \
             font-family='Source Code Pro,monospace' font-size='11' fill='currentColor'>\n\
             <style>svg:root{{color:#1f2328;color-scheme:light dark}}\
             @media(prefers-color-scheme:dark){{svg:root{{color:#f0f6fc}}}}</style>\n\
             <title>{title}</title>"
        )];
        parts.extend(chart.columns.iter().zip(lines).map(|(name, x)| thread(name, *x, *height)));
        parts.extend(chart.items.iter().map(|item| match item.to {
            Some(to) => arrow(item, to, lines),
            None => note(item, lines),
        }));
        parts.push("</svg>\n".to_owned());
        parts.join("\n")
    }
}

/// Where the parts of a drawing are.
struct Layout {
    /// The line of each thread.
    lines: Vec<usize>,
    width: usize,
    height: usize,
}

impl Layout {
    fn of(chart: &Chart) -> Self {
        let columns = chart.columns.len();
        // What each column needs at either side of its line.
        let names = chart.columns.iter().map(|name| (width(name, LETTER) / 2 + MARGIN).max(MARGIN));
        let mut left: Vec<usize> = names.collect();
        let mut right = left.clone();
        let mut rows = 0;
        for item in &chart.items {
            rows = rows.max(item.row).max(item.to.map_or(0, |(row, _)| row));
            let column = item.column;
            let text = width(&item.text, SMALL) + 2 * MARGIN;
            match (item.to, side(column, columns)) {
                (Some((_, to)), _) if to == column => right[column] = right[column].max(text + ASIDE + ROW),
                (Some(_), _) => {}
                (None, Aside::Left) => left[column] = left[column].max(text + ASIDE),
                (None, Aside::Right) => right[column] = right[column].max(text + ASIDE),
                (None, Aside::Middle) => {
                    left[column] = left[column].max(text / 2);
                    right[column] = right[column].max(text / 2);
                }
            }
        }
        let mut gaps: Vec<usize> =
            (1..columns).map(|it| (right[it - 1] + MARGIN + left[it]).max(COLUMN)).collect();
        for item in &chart.items {
            let Some((_, to)) = item.to else { continue };
            let (from, to) = (item.column.min(to), item.column.max(to));
            let room: usize = gaps[from..to].iter().sum();
            let needed = width(&item.text, SMALL) + 4 * MARGIN;
            if let Some(last) = gaps[from..to].last_mut() {
                *last += needed.saturating_sub(room);
            }
        }
        let mut lines: Vec<usize> = left.first().map(|left| MARGIN + left).into_iter().collect();
        for gap in gaps {
            lines.push(lines[lines.len() - 1] + gap);
        }
        let end = lines.last().zip(right.last()).map_or(0, |(line, right)| line + right);
        Layout { lines, width: end + MARGIN, height: y(rows + 1) }
    }
}

/// Where a note stands.
enum Aside {
    Left,
    Middle,
    Right,
}

fn side(column: usize, columns: usize) -> Aside {
    match column {
        _ if column + 1 == columns => Aside::Right,
        0 => Aside::Left,
        _ => Aside::Middle,
    }
}

/// Returns the height at which a row is. The first one is 1.
fn y(row: usize) -> usize {
    MARGIN + HEADER + row * ROW
}

/// Draws the box and the line of a thread.
fn thread(name: &str, x: usize, height: usize) -> String {
    let wide = width(name, LETTER) + 2 * MARGIN;
    let (left, top, bottom) = (x - wide / 2, MARGIN, MARGIN + HEADER);
    let (end, baseline) = (height - MARGIN, MARGIN + HEADER / 2 + BASELINE);
    format!(
        "<path d='M{x} {bottom}V{end}' stroke='currentColor' opacity='.4'/>\n\
         <rect x='{left}' y='{top}' width='{wide}' height='{HEADER}' rx='6' \
         fill='{THREAD}' fill-opacity='.15' stroke='{THREAD}'/>\n\
         <text x='{x}' y='{baseline}' font-size='13' font-weight='bold' text-anchor='middle'>{}</text>",
        text(name)
    )
}

/// Draws a note.
fn note(item: &Item, lines: &[usize]) -> String {
    let x = lines[item.column];
    let wide = width(&item.text, SMALL) + 2 * MARGIN;
    let y = y(item.row);
    let dot = format!("<circle cx='{x}' cy='{y}' r='3' fill='{REMARK}'/>\n");
    let (left, dot) = match side(item.column, lines.len()) {
        Aside::Left => (x - ASIDE - wide, dot),
        Aside::Middle => (x - wide / 2, String::new()),
        Aside::Right => (x + ASIDE, dot),
    };
    let (middle, top, baseline) = (left + wide / 2, y - NOTE / 2, y + BASELINE);
    format!(
        "{dot}<rect x='{left}' y='{top}' width='{wide}' height='{NOTE}' rx='4' \
         fill='{REMARK}' fill-opacity='.15' stroke='{REMARK}'/>\n\
         <text x='{middle}' y='{baseline}' text-anchor='middle'>{}</text>",
        text(&item.text)
    )
}

/// Draws the arrow of a message, and its name along the arrow.
fn arrow(item: &Item, (row, column): (usize, usize), lines: &[usize]) -> String {
    let (from, to) = ((lines[item.column], y(item.row)), (lines[column], y(row)));
    let name = text(&item.text);
    if item.column == column {
        let (x, begin, end) = (from.0, from.1, to.1);
        let (turn, beside, tip) = (x + ROW, x + ROW + ASIDE, x + 1);
        let baseline = begin.midpoint(end) + BASELINE;
        return format!(
            "<path d='M{x} {begin}C{turn} {begin} {turn} {end} {tip} {end}' fill='none' \
             stroke='currentColor' stroke-width='1.5'/>\n\
             <path d='M{tip} {end}l9-4v8z'/>\n\
             <text x='{beside}' y='{baseline}'>{name}</text>"
        );
    }
    let (across, down) = (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
    // Of the arrow, and of a text that is read from left to right.
    let (angle, slope) = (down.atan2(across).to_degrees(), (down / across).atan().to_degrees());
    let (x, y) = (from.0.midpoint(to.0), from.1.midpoint(to.1));
    format!(
        "<path d='M{} {}L{} {}' stroke='currentColor' stroke-width='1.5'/>\n\
         <path transform='translate({} {})rotate({angle:.1})' d='M0 0l-9-4v8z'/>\n\
         <text transform='translate({x} {y})rotate({slope:.1})' y='-5' text-anchor='middle'>{name}</text>",
        from.0, from.1, to.0, to.1, to.0, to.1
    )
}

/// Returns the text for an element, cut, and as a whole behind it.
fn text(text: &str) -> String {
    let cut = cut(text);
    let whole = if cut == text { String::new() } else { format!("<title>{}</title>", escaped(text)) };
    whole + &escaped(&cut)
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Returns the width of a text after it is cut. Characters beyond ASCII count as double width, because they
/// may have it.
fn width(text: &str, letter: usize) -> usize {
    cut(text).chars().map(|it| if it.is_ascii() { letter } else { 2 * letter }).sum()
}

/// Returns the text as XML, on one line. A few characters may not be in XML.
fn escaped(text: &str) -> String {
    let mut xml = String::new();
    for letter in text.chars() {
        match letter {
            '<' => xml += "&lt;",
            '>' => xml += "&gt;",
            '&' => xml += "&amp;",
            '\'' => xml += "&apos;",
            '"' => xml += "&quot;",
            '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            letter if letter.is_control() => xml.push(' '),
            letter => xml.push(letter),
        }
    }
    xml
}
