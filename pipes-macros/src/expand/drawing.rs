//! The drawing of a protocol for its page in the documentation.
//!
//! The states stand in one column, in the order written. A state is a box: a header with its name and its
//! sender, and below it one row for each message. A step leaves its row to the right, turns into a vertical
//! *lane*, and comes back to the header of the state that it leads to. The end of the session is a ringed dot
//! beside the row.
//!
//! All steps to one state merge in one lane and arrive as one arrow, so there is a line for each target and
//! not for each message. Two lines share a lane only if they do not touch. Short lines take the lanes next to
//! the boxes, and longer lines run around them. No two rows or headers are at the same height, so horizontal
//! parts of two lines never overlap: lines only cross. Where lines join, the corner is round in the direction
//! of travel.
//!
//! The drawing must look right on a page of any colour. So it uses the page's own colour and two tints that
//! are mostly transparent. It has no ids and no style rules, because those would affect the rest of the page.

use super::picture::{self, Arrow, LONGEST, Picture, Shape};

/// The margin around the drawing: room for half a stroke.
const MARGIN: usize = 2;
/// The space above the first box, where the start marker stands.
const START: usize = 32;
const HEADER: usize = 28;
const ROW: usize = 22;
/// The space between a box's header and its rows, and below the last row.
const PAD: usize = 6;
/// The space between two boxes.
const GAP: usize = 18;
/// The space between the sides of a box and its text, and between two texts at the same height.
const INSET: usize = 12;
/// The space between the boxes and the first lane, where end markers and arrowheads stand.
const GUTTER: usize = 32;
/// The distance between two lanes.
const LANE: usize = 12;
/// The radius of a line's corners. A header and the nearest row are further apart than two of them.
const BEND: usize = 8;
/// The radius of a box's corners.
const CORNER: usize = 6;
/// The distance from the middle of a line of text down to its baseline.
const BASELINE: usize = 4;
/// The width of a 13-pixel character in a monospace font, rounded up.
const LETTER: usize = 8;
/// The width of an 11-pixel character, rounded up.
const SMALL: usize = 7;
/// If a step leads further away than this, about half a screen, its row also shows the name of the next
/// state.
const FAR: usize = 500;

/// The positions of all parts of a drawing.
struct Layout {
    /// The upper edge of each box.
    tops: Vec<usize>,
    /// The right edge of the boxes.
    right: usize,
    lines: Vec<Line>,
    width: usize,
    height: usize,
}

/// The merged steps to one state.
struct Line {
    /// The middle of the header where the line ends.
    header: usize,
    /// The middle of each row where the line begins.
    rows: Vec<usize>,
    /// The line's extent in its lane, from `low` to `high`.
    low: usize,
    high: usize,
    lane: usize,
}

impl Layout {
    /// Computes vertical positions first and horizontal ones second: the width of the boxes depends on which
    /// steps lead far.
    fn of(picture: &Picture) -> Self {
        let (mut tops, mut bottom) = (Vec::new(), START - GAP);
        for state in &picture.states {
            tops.push(bottom + GAP);
            bottom += GAP + box_height(state);
        }
        let headers = picture.states.iter().map(|state| two_texts(&state.name, sender(state)));
        let rows = steps(picture, &tops)
            .map(|(y, message)| two_texts(&message.label, far_name(picture, &tops, y, message)));
        let right = MARGIN + headers.chain(rows).max().unwrap_or(0);
        let lines = in_lanes(merged(picture, &tops));
        let last = lines.iter().map(|line| line.lane).max().unwrap_or(0);
        Self { tops, right, lines, width: lane_x(right, last) + MARGIN, height: bottom + MARGIN }
    }
}

fn box_height(state: &Shape) -> usize {
    HEADER + PAD + state.messages.len() * ROW + PAD
}

/// Returns the horizontal position of a lane, numbered from the boxes.
fn lane_x(right: usize, lane: usize) -> usize {
    right + GUTTER + lane * LANE
}

/// Returns all messages, each with the middle of its row.
fn steps<'a>(picture: &'a Picture, tops: &'a [usize]) -> impl Iterator<Item = (usize, &'a Arrow)> {
    picture.states.iter().zip(tops).flat_map(|(state, top)| {
        let first = top + HEADER + PAD + ROW / 2;
        state.messages.iter().enumerate().map(move |(row, message)| (first + row * ROW, message))
    })
}

/// Returns the line to each state that steps lead to. A step to a state that is not in the picture has no
/// line.
fn merged(picture: &Picture, tops: &[usize]) -> Vec<Line> {
    let headers = tops.iter().map(|top| top + HEADER / 2);
    let line = |header| Line { header, rows: Vec::new(), low: header, high: header, lane: 0 };
    let mut lines: Vec<_> = headers.map(line).collect();
    for (y, message) in steps(picture, tops) {
        if let Some(line) = message.to.and_then(|to| lines.get_mut(to)) {
            line.rows.push(y);
            line.low = line.low.min(y);
            line.high = line.high.max(y);
        }
    }
    lines.retain(|line| !line.rows.is_empty());
    lines
}

/// Gives each line, the shortest first, the first lane that is free all along it.
fn in_lanes(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by_key(|line| line.high - line.low);
    let mut lanes: Vec<Vec<(usize, usize)>> = Vec::new();
    for line in &mut lines {
        let free = |lane: &Vec<_>| lane.iter().all(|&(low, high)| high < line.low || line.high < low);
        line.lane = lanes.iter().position(free).unwrap_or(lanes.len());
        lanes.resize(lanes.len().max(line.lane + 1), Vec::new());
        lanes[line.lane].push((line.low, line.high));
    }
    lines
}

/// Returns the drawing as HTML, without blank lines, because Markdown would end the HTML at a blank line.
pub(crate) fn draw(picture: &Picture) -> String {
    let layout = Layout::of(picture);
    let Layout { tops, right, lines, width, height } = &layout;
    let mut parts = vec![opening(&picture.title(), *width, *height)];
    parts.extend(picture.states.iter().zip(tops).map(|(state, top)| state_box(state, *top, *right)));
    parts.extend(steps(picture, tops).map(|(y, message)| row(picture, &layout, y, message)));
    // A group is made transparent as a whole: crossings are no darker than the rest.
    let stroke = "stroke='currentColor' stroke-width='1.5' stroke-linejoin='round'";
    parts.push(format!("<g opacity='.75' fill='none' {stroke}>"));
    parts.extend(tops.first().map(|top| start_marker(*top)));
    parts.extend(lines.iter().map(|line| merged_line(*right, line)));
    let ends = steps(picture, tops).filter(|(_, message)| message.to.is_none());
    parts.extend(ends.map(|(y, _)| end_marker(*right, y)));
    parts.push("</g>\n</svg>\n</div>".into());
    parts.join("\n")
}

/// Returns the opening tags. A wide drawing shrinks with the page as long as it is legible; on a narrower
/// page it scrolls.
fn opening(title: &str, width: usize, height: usize) -> String {
    let (least, title) = (width * 7 / 10, escaped(title));
    format!(
        "<div class='protocol' style='overflow-x:auto;margin-bottom:1em'>\n\
         <svg xmlns='http://www.w3.org/2000/svg' role='img' width='{width}' height='{height}' \
         viewBox='0 0 {width} {height}' style='max-width:100%;min-width:{least}px;height:auto' \
         font-family='Source Code Pro,monospace' font-size='13' fill='currentColor'>\n\
         <title>{title}</title>"
    )
}

/// Draws a state's box and the texts in its header.
fn state_box(state: &Shape, top: usize, right: usize) -> String {
    let tint = state.tint();
    let (width, height, lower) = (right - MARGIN, box_height(state), top + HEADER);
    let (side, upper, c) = (HEADER - CORNER, width - 2 * CORNER, CORNER);
    let (x, middle) = (MARGIN + INSET, top + HEADER / 2);
    let (y, full, name) = (middle + BASELINE, escaped(&state.name), escaped(&cut(&state.name)));
    let sender = small_text(right - INSET, middle, sender(state));
    format!(
        "<rect x='{MARGIN}' y='{top}' width='{width}' height='{height}' rx='{c}' \
         fill='{tint}' fill-opacity='.08' stroke='{tint}'/>\n\
         <path d='M{MARGIN} {lower}v-{side}q0-{c} {c}-{c}h{upper}q{c} 0 {c} {c}v{side}z' \
         fill='{tint}' fill-opacity='.25'/>\n\
         <text x='{x}' y='{y}' font-weight='bold'><title>{full}</title>{name}</text>{sender}"
    )
}

/// Draws a message's label, and a dotted line that leads from it to the edge of the box.
fn row(picture: &Picture, layout: &Layout, y: usize, message: &Arrow) -> String {
    let (x, baseline) = (MARGIN + INSET, y + BASELINE);
    let (full, label) = (escaped(&message.label), escaped(&cut(&message.label)));
    let target = escaped(message.to.map_or("end of the session", |to| name_of(picture, to)));
    let mut row = format!("<text x='{x}' y='{baseline}'><title>{full} → {target}</title>{label}</text>");
    let (from, mut to) = (x + text_width(&message.label, LETTER) + INSET / 2, layout.right);
    let far = far_name(picture, &layout.tops, y, message);
    if !far.is_empty() {
        row += &small_text(layout.right - INSET, y, far);
        to -= INSET + text_width(far, SMALL) + INSET / 2;
    }
    if from + INSET < to {
        row += &format!(
            "<path d='M{from} {y}H{to}' stroke='currentColor' opacity='.4' stroke-dasharray='1 3'/>"
        );
    }
    row
}

/// Draws text that ends at `x`.
fn small_text(x: usize, middle: usize, text: &str) -> String {
    let (y, text) = (middle + BASELINE, escaped(&cut(text)));
    format!("<text x='{x}' y='{y}' font-size='11' text-anchor='end' opacity='.8'>{text}</text>")
}

/// Draws a dot over the first box, and an arrow down to it.
fn start_marker(top: usize) -> String {
    let (x, tip) = (MARGIN + INSET + 6, top - 2);
    format!(
        "<circle cx='{x}' cy='7' r='4' fill='currentColor'/>\
         <path d='M{x} 7V{tip}l-4-7h8l-4 7' fill='currentColor'/>"
    )
}

/// Draws a dot in a ring.
fn end_marker(right: usize, y: usize) -> String {
    let x = right + 14;
    format!(
        "<path d='M{right} {y}h8'/><circle cx='{x}' cy='{y}' r='6'/>\
         <circle cx='{x}' cy='{y}' r='2' fill='currentColor'/>"
    )
}

/// Draws all steps to one state, and their arrowhead. Only the first and the last row draw a line all the way
/// to the header. The others draw theirs only to the lane, because one stroke over another would look
/// thicker.
fn merged_line(right: usize, line: &Line) -> String {
    let (header, lane, tip) = (line.header, lane_x(right, line.lane), right + 2);
    let turn = lane - BEND;
    let mut path = format!("M{turn} {header}H{tip}");
    for &y in &line.rows {
        let (joint, last) = if y < header { (y + BEND, header - BEND) } else { (y - BEND, header + BEND) };
        path += &format!("M{right} {y}H{turn}Q{lane} {y} {lane} {joint}");
        if y == line.low || y == line.high {
            path += &format!("V{last}Q{lane} {header} {turn} {header}");
        }
    }
    format!("<path d='{path}'/><path d='M{tip} {header}l7-4v8z' fill='currentColor'/>")
}

fn sender(state: &Shape) -> &'static str {
    if state.client_sends { "client sends →" } else { "← server sends" }
}

fn name_of(picture: &Picture, state: usize) -> &str {
    picture.states.get(state).map_or("", |state| &state.name)
}

/// Returns the name of the state that a step leads to if the state is far away; otherwise empty.
fn far_name<'a>(picture: &'a Picture, tops: &[usize], y: usize, message: &Arrow) -> &'a str {
    let far = message.to.filter(|&to| tops.get(to).is_some_and(|top| top.abs_diff(y) > FAR));
    far.map_or("", |to| name_of(picture, to))
}

/// Returns the width of a text after it is cut. Characters beyond ASCII count as double width, because they
/// may have it.
fn text_width(text: &str, letter: usize) -> usize {
    cut(text).chars().map(|c| if c.is_ascii() { letter } else { 2 * letter }).sum()
}

/// Returns the width that a box needs for two texts at the same height.
fn two_texts(text: &str, note: &str) -> usize {
    INSET + text_width(text, LETTER) + INSET + text_width(note, SMALL) + INSET
}

/// Returns the text, or if it is too long its beginning and an ellipsis.
fn cut(text: &str) -> String {
    picture::cut(text, LONGEST)
}

/// Returns the text as XML, on one line.
fn escaped(text: &str) -> String {
    let mut xml = String::new();
    for c in text.chars() {
        match c {
            '<' => xml += "&lt;",
            '>' => xml += "&gt;",
            '&' => xml += "&amp;",
            '"' => xml += "&quot;",
            c if c.is_control() => xml.push(' '),
            c => xml.push(c),
        }
    }
    xml
}

#[cfg(test)]
mod tests;
