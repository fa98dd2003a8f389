//! The drawing of a protocol as text, for tools that draw: Mermaid and Graphviz.
//!
//! There is one diagram for both views. The server's view has the same states and the same steps as the
//! client's; only who sends is the other way round. Two diagrams, or `!login` in one and `?login` in the
//! other, would show the same graph twice, and a reader of one would have to know whose it is. So each state
//! says which side sends in it, in words and by the colour that it has in the documentation. So a
//! legend is not needed, nor are colours.
//!
//! Messages of a state that lead to the same state share one arrow, as in the drawing. In Mermaid, messages
//! that lead back to the state in which they are sent stand inside its box, after `↺`: of several loops at
//! one state, Mermaid shows the last one only, and it writes the label of a loop over what is beside it.
//!
//! The fills are mostly transparent, so that the text is legible on a light page and on a dark one.

use super::picture::{CLIENT, LONGEST, Picture, SERVER, Shape, cut};

/// How much of a state's colour covers its box, in hexadecimal.
const FILL: &str = "2e";

/// Returns the diagram for Mermaid.
pub(super) fn mermaid(picture: &Picture) -> String {
    let mut lines = vec![
        String::from("stateDiagram-v2"),
        format!("accTitle: {}", mermaid_text(&picture.title())),
        format!("classDef client fill:{CLIENT}{FILL},stroke:{CLIENT}"),
        format!("classDef server fill:{SERVER}{FILL},stroke:{SERVER}"),
    ];
    for (index, state) in picture.states.iter().enumerate() {
        let id = mermaid_id(picture, index);
        lines.push(format!("state \"{}\" as {id}", mermaid_text(&state.name)));
        lines.push(format!("{id}: {}", sends(state)));
        let loops = state.messages.iter().filter(|message| message.to == Some(index));
        lines.extend(loops.map(|message| format!("{id}: ↺ {}", mermaid_text(&label(&message.label)))));
    }
    for (class, client_sends) in [("client", true), ("server", false)] {
        let states = picture.states.iter().enumerate();
        let states = states.filter(|(_, state)| state.client_sends == client_sends);
        let ids: Vec<String> = states.map(|(index, _)| mermaid_id(picture, index)).collect();
        if !ids.is_empty() {
            lines.push(format!("class {} {class}", ids.join(",")));
        }
    }
    let target = |to: Option<usize>| to.map_or(String::from("[*]"), |to| mermaid_id(picture, to));
    if !picture.states.is_empty() {
        lines.push(format!("[*] --> {}", mermaid_id(picture, 0)));
    }
    for (index, state) in picture.states.iter().enumerate() {
        for (to, labels) in merged(state).into_iter().filter(|(to, _)| *to != Some(index)) {
            let labels: Vec<String> = labels.iter().map(|label| mermaid_text(label)).collect();
            let from = mermaid_id(picture, index);
            lines.push(format!("{from} --> {}: {}", target(to), labels.join("<br/>")));
        }
    }
    lines.join("\n    ") + "\n"
}

/// Returns the graph for Graphviz. The names of states are identifiers, so `*` is free for the start and `!`
/// for the end.
pub(super) fn dot(picture: &Picture) -> String {
    let mut lines = vec![
        format!("digraph {} {{", quoted(&picture.name)),
        String::from("node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"]"),
        String::from("edge [fontname=\"sans-serif\", fontsize=12]"),
        String::from("\"*\" [shape=point, width=0.15]"),
    ];
    for state in &picture.states {
        let (id, tint) = (quoted(&state.name), state.tint());
        let label = quoted_lines(&[state.name.clone(), sends(state).into()]);
        lines.push(format!("{id} [label={label}, color=\"{tint}\", fillcolor=\"{tint}{FILL}\"]"));
    }
    let mut arrows = picture.states.iter().flat_map(|state| &state.messages);
    if arrows.any(|message| message.to.is_none()) {
        lines.push(String::from("\"!\" [shape=doublecircle, fillcolor=black, width=0.1, label=\"\"]"));
    }
    if let Some(start) = picture.states.first() {
        lines.push(format!("\"*\" -> {}", quoted(&start.name)));
    }
    for state in &picture.states {
        for (to, labels) in merged(state) {
            let to = to.map_or("!", |to| &picture.states[to].name);
            let (from, to, label) = (quoted(&state.name), quoted(to), quoted_lines(&labels));
            lines.push(format!("{from} -> {to} [label={label}]"));
        }
    }
    lines.join("\n    ") + "\n}\n"
}

/// Returns the targets of a state's messages in the order written, each with the labels of all that lead
/// there.
fn merged(state: &Shape) -> Vec<(Option<usize>, Vec<String>)> {
    let mut merged: Vec<(Option<usize>, Vec<String>)> = Vec::new();
    for message in &state.messages {
        let label = label(&message.label);
        match merged.iter_mut().find(|(to, _)| *to == message.to) {
            Some((_, labels)) => labels.push(label),
            None => merged.push((message.to, vec![label])),
        }
    }
    merged
}

fn sends(state: &Shape) -> &'static str {
    if state.client_sends { "client sends" } else { "server sends" }
}

/// Returns a message's label. A long payload is cut, but the name is whole, so that it can be found.
fn label(message: &str) -> String {
    let name = message.chars().take_while(|c| *c != '(').count();
    cut(message, LONGEST.max(name + "(…".chars().count()))
}

/// Returns what a state is called in the lines of the diagram. The prefix tells it from Mermaid's keywords.
/// Mermaid gives no style to names beyond ASCII, nor to `r#type`, so those states have a number.
fn mermaid_id(picture: &Picture, index: usize) -> String {
    let name = &picture.states[index].name;
    let name = name.strip_prefix("r#").unwrap_or(name);
    if name.is_ascii() { format!("s_{name}") } else { format!("s{index}") }
}

/// Escapes all that has a meaning in Mermaid, or in the Markdown inside of its labels. An `_` has one only at
/// the beginning or the end of a word.
fn mermaid_text(text: &str) -> String {
    let mut escaped = String::new();
    let mut letters = text.chars().peekable();
    let mut in_word = false;
    while let Some(c) = letters.next() {
        let goes_on = letters.peek().is_some_and(|next| next.is_alphanumeric());
        match c {
            '_' if in_word && goes_on => escaped.push(c),
            c if c.is_control() => escaped.push(' '),
            c if c.is_ascii_punctuation() && !"(),.'[]=+/".contains(c) => {
                escaped.push_str(&format!("#{};", u32::from(c)));
            }
            c => escaped.push(c),
        }
        in_word = c.is_alphanumeric();
    }
    escaped
}

/// Returns the text as a string of Graphviz.
fn quoted(text: &str) -> String {
    quoted_lines(&[text.into()])
}

/// Returns lines as one string of Graphviz. In a label, `\` begins an escape and `&` an entity.
fn quoted_lines(lines: &[String]) -> String {
    let escaped = |line: &String| {
        let mut escaped = String::new();
        for c in line.chars() {
            match c {
                '"' => escaped.push_str("\\\""),
                '\\' => escaped.push_str("\\\\"),
                '&' => escaped.push_str("&amp;"),
                c if c.is_control() => escaped.push(' '),
                c => escaped.push(c),
            }
        }
        escaped
    };
    let lines: Vec<String> = lines.iter().map(escaped).collect();
    format!("\"{}\"", lines.join("\\n"))
}

#[cfg(test)]
mod tests;
