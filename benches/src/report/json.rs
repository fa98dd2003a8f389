//! The results as JSON, one object per contender.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Report;
use crate::failure::Failure;
use crate::harness::Placements;

/// The contents of one line.
#[derive(Serialize)]
struct Line<'a> {
    program: &'a str,
    contender: &'a str,
    params: &'a Value,
    ops: u64,
    repeat: u64,
    median_seconds: f64,
    min_seconds: f64,
    max_seconds: f64,
    mean_seconds: f64,
    /// Nothing if there is a single run.
    deviation_seconds: Option<f64>,
    confidence_seconds: Option<f64>,
    ns_per_op: f64,
    /// Nothing if only one processor was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    placements: Option<Placements>,
    /// Always `true`, because a race with a wrong result has no report.
    verified: bool,
    /// What the program reports in addition.
    #[serde(flatten)]
    figures: &'a Map<String, Value>,
}

/// A line per contender, fastest median first.
pub fn lines(report: &Report) -> Result<String, Failure> {
    let mut text = String::new();
    for times in &report.times {
        let line = Line {
            program: report.program,
            contender: times.contender,
            params: &report.params,
            ops: report.ops,
            repeat: report.rounds,
            median_seconds: times.median(),
            min_seconds: times.min(),
            max_seconds: times.max(),
            mean_seconds: times.mean(),
            deviation_seconds: times.deviation(),
            confidence_seconds: times.confidence(),
            ns_per_op: report.ns_per_op(times.median()),
            placements: report.placements,
            verified: true,
            figures: times.figures(),
        };
        text += &serde_json::to_string(&line).map_err(|error| Failure::json(&error))?;
        text.push('\n');
    }
    Ok(text)
}
