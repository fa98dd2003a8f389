//! The table that is printed by default.

use pipes_charts::units::{digits, grouped};
use serde_json::Value;

use super::units::{rate, rounds, time};
use super::{Report, aligned, evidence};
use crate::harness::Times;

/// What is in the place of a figure that there is not.
fn none() -> String {
    "-".to_owned()
}

/// The table, below a line that states what was measured.
pub fn text(report: &Report) -> String {
    let reference = report.reference();
    let heads = ["contender", "median", "min", "max"].map(str::to_owned);
    let mut rows = vec![Vec::from(heads)];
    rows[0].extend([
        format!("{}/s", report.unit),
        "ns/op".to_owned(),
        format!("ratio to {}", reference.contender),
    ]);
    for column in report.columns {
        rows[0].push(column.head.to_owned());
        if column.has_ratio {
            rows[0].push(format!("{} ratio", column.head));
        }
    }
    for times in &report.times {
        let mut row = vec![
            times.contender.to_owned(),
            time(times.median()),
            time(times.min()),
            time(times.max()),
            rate(report.ops as f64 / times.median()),
            digits(report.ns_per_op(times.median())),
            format!("{:.2}", times.median() / reference.median()),
        ];
        for column in report.columns {
            let of = |times: &Times| times.figures().get(column.figure).and_then(Value::as_f64);
            let value = of(times);
            row.push(value.map_or_else(none, |nanoseconds| time(nanoseconds / 1e9)));
            if column.has_ratio {
                let ratio = value.zip(of(reference).filter(|ours| *ours > 0.0));
                row.push(ratio.map_or_else(none, |(value, ours)| format!("{:.2}", value / ours)));
            }
        }
        rows.push(row);
    }
    format!(
        "{}: {} {}, {}, {}\n{}",
        report.command(),
        grouped(report.ops),
        report.unit,
        rounds(report.rounds),
        evidence([report]),
        aligned(&rows)
    )
}
