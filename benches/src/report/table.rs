//! The table that is printed by default.

use pipes_charts::units::{digits, grouped};

use super::units::{rate, rounds, time};
use super::{Report, aligned};

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
    for times in &report.times {
        rows.push(vec![
            times.contender.to_owned(),
            time(times.median()),
            time(times.min()),
            time(times.max()),
            rate(report.ops as f64 / times.median()),
            digits(report.ns_per_op(times.median())),
            format!("{:.2}", times.median() / reference.median()),
        ]);
    }
    format!(
        "{}: {} {}, {}, all verified\n{}",
        report.command(),
        grouped(report.ops),
        report.unit,
        rounds(report.rounds),
        aligned(&rows)
    )
}
