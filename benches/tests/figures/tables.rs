//! The tables, made from races.

use std::collections::BTreeSet;

use pipes_benches::{is_ours, time};
use pipes_charts::units::digits;
use serde_json::Value;

use crate::races::Race;

/// No rival but a bound: its endpoints share a queue and a type.
const BOUND: &str = "tagged";

/// The columns of the README's comparison.
const COMPARED: [&str; 4] = ["tokio", "crossbeam", "flume", "par"];

/// Returns the form of a table.
pub fn form(table: &str) -> &'static str {
    match table {
        "summary" => "fastest",
        "compared" => "compared",
        "latency" | "loads" => "percentiles",
        _ => "ratios",
    }
}

/// Returns the text between marks for `wanted`, which is `source`, or the form and the name of a table.
pub fn of(wanted: &str, races: &[Race]) -> Result<String, String> {
    if wanted == "source" {
        return Ok(source(races));
    }
    let (wanted_form, table) = wanted.split_once(' ').unwrap_or((wanted, ""));
    let races: Vec<_> = races.iter().filter(|race| race.is_in(table)).collect();
    if races.is_empty() || wanted_form != form(table) {
        return Err(format!("there is no table {wanted:?}"));
    }
    match wanted_form {
        "fastest" => Ok(ratios(&races, is_rival)),
        "compared" => Ok(compared(&races)),
        "percentiles" => percentiles(&races),
        _ => Ok(ratios(&races, |_| true)),
    }
}

/// Returns where, when and from what the figures are. All races have one commit, compiler and processor.
fn source(races: &[Race]) -> String {
    let days: BTreeSet<_> = races.iter().map(|race| race.head("date")).collect();
    let (first, last) = (days.first().expect("there are races"), days.last().expect("there are races"));
    let day = if first == last { (*first).to_owned() } else { format!("{first} to {last}") };
    let of = |name| races[0].head(name);
    let compiler: Vec<_> = of("compiler").split(' ').take(2).collect();
    format!("Measured {day}, commit {}, {}, processor {}.", of("commit"), compiler.join(" "), of("processor"))
}

/// A row for each race: where its processors were, our time, and the ratios of the three fastest of those
/// contenders for which `is_other` returns `true`.
fn ratios(races: &[&Race], is_other: fn(&str) -> bool) -> String {
    let mut text = "| command | processors | pipes, an op | fastest others |\n|---|---|--:|---|\n".to_owned();
    for race in races {
        let ours = ours(race);
        let is_shown = |other: &&Value| !std::ptr::eq(*other, ours) && is_other(name(other));
        let others: Vec<_> = race.contenders().iter().filter(is_shown).collect();
        text += &format!(
            "| `{}` | {} | {} | {} |\n",
            race.command(),
            placement(ours),
            our_time(ours),
            listed(&others, ours, 3)
        );
    }
    text.trim_end().to_owned()
}

/// Returns `true` for a contender of another library that is no bound.
fn is_rival(name: &str) -> bool {
    !is_ours(name) && name != BOUND
}

/// A row for each race: the ratios of a few libraries. A cell is empty if a library did not take part.
fn compared(races: &[&Race]) -> String {
    let mut text = format!(
        "| command | pipes | {} |\n|---|{}\n",
        COMPARED.join(" | "),
        "--:|".repeat(1 + COMPARED.len())
    );
    for race in races {
        let ours = ours(race);
        text += &format!("| `{}` | 1 |", race.command());
        for library in COMPARED {
            let found = race.contenders().iter().find(|other| name(other) == library);
            text += &found.map_or(" |".to_owned(), |other| format!(" {} |", ratio(other, ours)));
        }
        text.push('\n');
    }
    text.trim_end().to_owned()
}

/// A row for ours and for each of the three fastest other libraries: the percentiles of the latency.
fn percentiles(races: &[&Race]) -> Result<String, String> {
    const OF_AN_OP: [(&str, f64); 3] = [("p50_ns", 1e-9), ("p99_ns", 1e-9), ("p999_ns", 1e-9)];
    const OF_AN_ITEM: [(&str, f64); 3] =
        [("latency_p50_ms", 1e-3), ("latency_p99_ms", 1e-3), ("latency_max_ms", 1e-3)];
    let is_of_ops = races.iter().all(|race| !ours(race)["p50_ns"].is_null());
    let (keys, last) = if is_of_ops { (OF_AN_OP, "99.9 %") } else { (OF_AN_ITEM, "largest") };
    let mut text = format!("| command | contender | 50 % | 99 % | {last} |\n|---|---|--:|--:|--:|\n");
    for race in races {
        let ours = ours(race);
        let mut others: Vec<_> = race.contenders().iter().filter(|other| !is_ours(name(other))).collect();
        others.sort_by(|one, other| seconds(one).total_cmp(&seconds(other)));
        for contender in std::iter::once(ours).chain(others.into_iter().take(3)) {
            text += &format!("| `{}` | {} |", race.command(), name(contender));
            for (key, unit) in keys {
                let Some(value) = contender[key].as_f64() else {
                    return Err(format!("`{}` has no {key}", race.command()));
                };
                text += &format!(" {} |", time(value * unit));
            }
            text.push('\n');
        }
    }
    Ok(text.trim_end().to_owned())
}

/// Returns the contender whose time is 1: `pipes`, or else the fastest of ours.
fn ours(race: &Race) -> &Value {
    let find = |is: fn(&str) -> bool| race.contenders().iter().find(|contender| is(name(contender)));
    find(|name| name == "pipes").or_else(|| find(is_ours)).expect("a race has one of our contenders")
}

fn name(contender: &Value) -> &str {
    contender["contender"].as_str().expect("a contender has a name")
}

/// Returns our time, with the contender's name if it is not just `pipes`.
fn our_time(ours: &Value) -> String {
    let time = time(seconds(ours));
    match name(ours) {
        "pipes" => time,
        name => format!("{time} ({name})"),
    }
}

fn seconds(contender: &Value) -> f64 {
    contender["ns_per_op"].as_f64().expect("a contender has a time") / 1e9
}

fn ratio(contender: &Value, ours: &Value) -> String {
    digits(seconds(contender) / seconds(ours))
}

/// Returns the ratios of at most this many contenders, the fastest first.
fn listed(others: &[&Value], ours: &Value, most: usize) -> String {
    let mut others = others.to_vec();
    others.sort_by(|one, other| seconds(one).total_cmp(&seconds(other)));
    let ratios = others.iter().take(most).map(|other| format!("{} {}", name(other), ratio(other, ours)));
    ratios.collect::<Vec<_>>().join(", ")
}

/// Returns where the processors were in most rounds, or nothing if one did all the work.
fn placement(contender: &Value) -> &'static str {
    let rounds = |kind: &str| contender["placements"][kind].as_u64().unwrap_or(0);
    let most = ["near", "far", "mixed", "unknown"].into_iter().max_by_key(|kind| rounds(kind));
    most.filter(|kind| rounds(kind) > 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn others_are_sorted_and_compared_with_ours() {
        let ours = json!({ "contender": "pipes", "ns_per_op": 12.34 });
        let slow = json!({ "contender": "slow", "ns_per_op": 1234.0 });
        let fast = json!({ "contender": "fast", "ns_per_op": 6.17 });
        assert_eq!(listed(&[&slow, &fast], &ours, 3), "fast 0.50, slow 100");
        assert_eq!(listed(&[&slow, &fast], &ours, 1), "fast 0.50");
        assert_eq!((our_time(&ours), our_time(&slow)), ("12.3 ns".to_owned(), "1.23 µs (slow)".to_owned()));
    }

    #[test]
    fn the_placement_is_that_of_most_rounds() {
        let near_and_far = |near, far| json!({ "placements": { "near": near, "far": far, "mixed": 0 } });
        assert_eq!([(9, 0), (2, 7)].map(|(near, far)| placement(&near_and_far(near, far))), ["near", "far"]);
        assert_eq!(placement(&json!({})), "");
    }
}
