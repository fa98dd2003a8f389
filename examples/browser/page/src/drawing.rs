//! The states of a protocol as a drawing, with the current one marked.

use crate::page::document;
use pipes::StateInfo;
use std::collections::HashMap;
use std::fmt::Write;

const WIDTH: usize = 300;
/// The distance from one state to the next one below, and where the states are.
const STEP: usize = 96;
const LEFT: usize = 90;
const BOX: (usize, usize) = (120, 36);

/// A drawing of a protocol in the page.
pub struct Drawing {
    states: &'static [StateInfo],
}

impl Drawing {
    /// Draws the states, one below the other.
    pub fn new(states: &'static [StateInfo]) -> Self {
        let height = states.len() * STEP;
        let mut svg = format!("<svg viewBox='0 0 {WIDTH} {height}' role='img'>{ARROW}");
        let places: HashMap<_, _> = states.iter().map(|state| (state.name, state.index)).collect();
        for state in states {
            let y = place(state.index);
            let mut ends = 0;
            for (number, message) in state.messages.iter().enumerate() {
                match message.next {
                    Some(next) => arrow(&mut svg, state.index, places[next], message.name, number),
                    None => {
                        let (x, y) = (LEFT + BOX.0, y + BOX.1 / 2 + 6);
                        // Whatever can be written cannot fail here.
                        let _ = write!(
                            svg,
                            "<path class='arrow' d='M{x} {y} h28'/><circle cx='{}' cy='{y}' r='5'/>\
                             <text class='message' x='{}' y='{}'>{}</text>",
                            x + 36,
                            x + 4,
                            y + 16 + 12 * ends,
                            message.name,
                        );
                        ends += 1;
                    }
                }
            }
            let _ = write!(
                svg,
                "<g id='state-{name}' class='state {sender}'><rect x='{LEFT}' y='{y}' width='{}' \
                 height='{}' rx='18'/><text x='{}' y='{}'>{name}</text></g>",
                BOX.0,
                BOX.1,
                LEFT + BOX.0 / 2,
                y + 23,
                name = state.name,
                sender = state.sender,
            );
        }
        svg.push_str("</svg>");
        document().get_element_by_id("drawing").expect("`index.html` has it").set_inner_html(&svg);
        Drawing { states }
    }

    /// Marks the state of this name, and no other one.
    pub fn mark(&self, current: Option<&str>) {
        for state in self.states {
            let drawn = document().get_element_by_id(&format!("state-{}", state.name));
            let class = if Some(state.name) == current { "current" } else { "" };
            let classes = format!("state {} {class}", state.sender);
            drawn.expect("it was drawn").set_attribute("class", &classes).expect("it takes attributes");
        }
    }
}

const ARROW: &str = "<defs><marker id='head' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' \
                     orient='auto'><path d='M0 0 L8 4 L0 8 z'/></marker></defs>";

/// Returns the top of a state.
fn place(index: usize) -> usize {
    index * STEP + 20
}

/// Draws a message that leads from one state to another one: down to the next one, along the left side to one
/// above, and along the right side to one further below.
fn arrow(svg: &mut String, from: usize, to: usize, name: &str, number: usize) {
    let middle = |index| place(index) + BOX.1 / 2;
    let (path, x, y, anchor) = if to == from + 1 {
        let x = LEFT + BOX.0 / 2 + 24 * number;
        let (begin, end) = (place(from) + BOX.1, place(to));
        (format!("M{x} {begin} V{end}"), x + 6, (begin + end) / 2 + 4, "start")
    } else if to > from {
        let (x, out) = (LEFT + BOX.0, LEFT + BOX.0 + 40 + 16 * number);
        let (begin, end) = (middle(from), middle(to));
        (format!("M{x} {begin} C{out} {begin} {out} {end} {x} {end}"), out - 6, (begin + end) / 2, "start")
    } else {
        let out = LEFT - 40 - 22 * number;
        let (begin, end) = (middle(from) - 8 + 8 * number, middle(to) + 8);
        let label = (begin + end) / 2 - 7 + 14 * number;
        (
            format!("M{LEFT} {begin} C{out} {begin} {out} {end} {LEFT} {end}"),
            LEFT - 24 - 14 * number,
            label,
            "end",
        )
    };
    let _ = write!(
        svg,
        "<path class='arrow' d='{path}'/><text class='message' text-anchor='{anchor}' x='{x}' y='{y}'>{name}</text>"
    );
}
