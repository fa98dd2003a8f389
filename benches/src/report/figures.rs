//! The figures that a program reports of its runs besides their times and the columns of the table, in lines
//! below it.

use serde_json::Value;

use super::Report;

/// A block for the contender that others are compared with, or for every contender. Empty if there are no
/// figures.
pub fn text(report: &Report) -> String {
    let reference = report.reference().contender;
    let told = report.times.iter().filter(|times| report.all_figures || times.contender == reference);
    let mut text = String::new();
    for times in told {
        let is_column = |name: &str| report.columns.iter().any(|column| column.figure == name);
        let mut figures = times.figures().iter().filter(|(name, _)| !is_column(name)).peekable();
        if figures.peek().is_none() {
            continue;
        }
        text += &format!("{}, the run in the middle:\n", times.contender);
        for (name, value) in figures {
            let value = value.as_f64().filter(|_| value.is_f64()).map_or_else(|| plain(value), short);
            text += &format!("{name}: {value}\n");
        }
        text.push('\n');
    }
    text
}

/// A number with a fraction, to seven digits.
fn short(number: f64) -> String {
    if (1e-3..1e7).contains(&number.abs()) { format!("{number:.6}") } else { format!("{number:.6e}") }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
