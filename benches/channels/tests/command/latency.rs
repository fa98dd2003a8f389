//! Latencies, and where the processors were.

use std::fs;

use super::support::{lines, run, stderr, stdout};

/// Tiny runs in every place where latencies are measured.
const MEASURED: [&str; 5] = [
    "pingpong --rounds 50 --on threads",
    "pingpong --rounds 50 --on tasks",
    "pingpong --rounds 50 --on tasks2",
    "rpc --calls 200 --on threads",
    "rpc --calls 200 --on tasks2",
];

const FIGURES: [&str; 3] = ["p50_ns", "p99_ns", "p999_ns"];

fn table(words: &str) -> String {
    let output = run(&format!("{words} --repeat 2"));
    assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
    stdout(&output).to_owned()
}

#[test]
fn the_percentiles_of_every_contender_are_in_order() {
    for words in MEASURED {
        for line in lines(&format!("{words} --latency")) {
            let [p50, p99, p999] = FIGURES.map(|figure| line[figure].as_u64().expect(figure));
            assert!(0 < p50 && p50 <= p99 && p99 <= p999, "{words}: {line}");
            assert_eq!(line["params"]["latency"], true, "{words}");
        }
        for line in lines(words) {
            assert!(FIGURES.iter().all(|figure| line.get(figure).is_none()), "{words}: {line}");
            assert!(line["params"].get("latency").is_none(), "{words}: {line}");
        }
    }
}

#[test]
fn the_table_has_columns_with_units_and_a_ratio() {
    for words in MEASURED {
        let table = table(&format!("{words} --latency --contenders pipes,tokio"));
        let heads: Vec<_> =
            table.lines().nth(1).expect("there are heads").split("  ").map(str::trim).collect();
        let heads: Vec<_> = heads.into_iter().filter(|head| !head.is_empty()).collect();
        assert_eq!(heads[7..], ["p50", "p99", "p99 ratio", "p99.9"], "{table}");
        for contender in ["pipes ", "tokio "] {
            let row = table.lines().find(|line| line.starts_with(contender)).expect(contender);
            let cells: Vec<_> = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
            for latency in [cells[7], cells[8], cells[10]] {
                let (number, unit) = latency.split_once(' ').expect("a unit");
                assert!(number.parse::<f64>().is_ok_and(|number| number > 0.0), "{row}");
                assert!(["ns", "µs", "ms", "s"].contains(&unit), "{row}");
            }
            assert!(cells[9].parse::<f64>().is_ok_and(|ratio| ratio >= 0.0), "{row}");
            assert!(contender != "pipes " || cells[9] == "1.00", "{row}");
        }
        assert!(!table.contains("the run in the middle"), "the figures are in the table: {table}");
    }
    assert!(!table("pingpong --rounds 50").contains("p99"));
}

#[test]
fn the_option_is_in_the_help() {
    for program in ["pingpong", "rpc"] {
        let output = run(&format!("{program} --help"));
        assert!(stdout(&output).contains("--latency"), "{program}: {}", stdout(&output));
    }
}

/// The fields of the first row of a file of comma-separated values, with their heads.
fn fields(words: &str) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("table.csv");
    table(&format!("{words} --csv {}", file.display()));
    let text = fs::read_to_string(file).expect("it was written");
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let (heads, row) = (rows.next().expect("heads"), rows.next().expect("a row"));
    heads.into_iter().zip(row).collect()
}

#[test]
fn latencies_are_in_the_csv() {
    let fields = fields("pingpong --rounds 50 --latency --contenders pipes");
    for figure in FIGURES {
        let field = fields.iter().find(|(head, _)| head == figure);
        assert!(field.is_some_and(|(_, value)| value.parse::<u64>().is_ok()), "{figure}: {fields:?}");
    }
}

/// Where several processors are used, and there are several, each round has a placement.
#[test]
fn every_round_on_several_processors_has_a_placement() {
    let has_several = std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1);
    for (words, is_threaded) in [
        ("pingpong --rounds 50 --on threads", true),
        ("pingpong --rounds 50 --on tasks", false),
        ("pingpong --rounds 50 --on tasks2", true),
        ("pingpong --rounds 50 --on same", false),
    ] {
        let words = format!("{words} --contenders pipes,tokio");
        let line = &lines(&words)[0];
        let heading = table(&words).lines().next().expect("a heading").to_owned();
        let fields = fields(&words);
        let of_rounds = ["near", "far", "mixed", "unknown"];
        if !(is_threaded && has_several) {
            assert_eq!(line.get("placements"), None, "{line}");
            assert!(heading.ends_with("all verified"), "{heading}");
            assert!(fields.iter().all(|(head, _)| !head.starts_with("placements")), "{fields:?}");
            continue;
        }
        let placements = &line["placements"];
        let counts = of_rounds.map(|placement| placements[placement].as_u64().expect(placement));
        assert_eq!(counts.iter().sum::<u64>(), 2, "{line}");
        assert!(placements["repeated"].as_u64().is_some_and(|repeated| repeated <= 2), "{line}");
        let (_, told) = heading.split_once("all verified, processors ").expect(&heading);
        assert!(of_rounds.iter().any(|placement| told.starts_with(placement)), "{heading}");
        for placement in of_rounds {
            let head = format!("placements.{placement}");
            assert!(fields.iter().any(|(name, _)| *name == head), "{head}: {fields:?}");
        }
    }
}
