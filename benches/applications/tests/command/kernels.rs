//! What is particular to the programs about kernels and to `futures`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::files::fresh_file;
use crate::support::{assert_refused, lines, run, stderr, stdout};

/// A small size of each, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("matmul --size 20 --passes 3", "pipes pipes-shared pipes-skeleton sequential threads crossbeam rayon"),
    (
        "matmul --size 3 --passes 2 --workers 7",
        "pipes pipes-shared pipes-skeleton sequential threads crossbeam rayon",
    ),
    (
        "matmul --size 1 --passes 1 --workers 1",
        "pipes pipes-shared pipes-skeleton sequential threads crossbeam rayon",
    ),
    (
        "dot --size 1000 --passes 3",
        "pipes pipes-shared pipes-skeleton sequential threads threads-once threads-held crossbeam rayon",
    ),
    (
        "dot --size 5 --passes 2 --workers 7",
        "pipes pipes-shared pipes-skeleton threads threads-once threads-held crossbeam",
    ),
    (
        "dot --size 1 --passes 1 --workers 1",
        "pipes pipes-shared pipes-skeleton threads threads-once threads-held crossbeam",
    ),
    (
        "blackscholes --size 1001 --passes 2",
        "pipes pipes-shared pipes-skeleton sequential threads crossbeam rayon",
    ),
    (
        "blackscholes --size 4 --passes 2 --workers 3",
        "pipes pipes-shared pipes-skeleton sequential threads crossbeam rayon",
    ),
    ("futures --size 5000 --maps 3", "pipes pipes-lent pipes-skeleton sequential threads threads-each rayon"),
    (
        "futures --size 100000 --maps 2 --workers 7",
        "pipes pipes-lent pipes-skeleton threads threads-each rayon",
    ),
    (
        "futures --size 1024 --maps 2 --workers 1",
        "pipes pipes-lent pipes-skeleton threads threads-each rayon",
    ),
    ("futures --size 1 --maps 1", "pipes pipes-lent pipes-skeleton threads threads-each rayon"),
];

/// Whether there was a C compiler when this was built.
const TWINS: bool = option_env!("TWIN_DOT").is_some();

#[test]
fn the_twins_in_c_take_part_where_there_is_a_compiler() {
    let twins: &[(&str, &[&str])] = &[
        ("matmul --size 5 --passes 2 --workers 9", &["c", "pthreads"]),
        ("dot --size 99 --passes 2 --workers 3", &["c", "c-lanes", "pthreads", "pthreads-lanes"]),
        ("blackscholes --size 1500 --passes 2", &["c", "pthreads"]),
    ];
    for (words, twins) in twins {
        let output = run(&format!("{words} --repeat 1"));
        assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
        for twin in *twins {
            let ran = stdout(&output).lines().any(|line| line.split_whitespace().next() == Some(twin));
            let left_out = stdout(&output).contains(&format!(": {twin} (there was no C compiler"));
            assert_eq!((ran, left_out), (TWINS, !TWINS), "{words}: {twin}: {}", stdout(&output));
        }
    }
}

#[test]
fn bad_arguments_of_kernels_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("matmul --size 0", &["--size", "1..=8192"]),
        ("matmul --size 8193", &["--size", "8193"]),
        ("matmul --workers 0", &["--workers", "1..=256"]),
        ("matmul --workers 257", &["--workers", "257"]),
        ("matmul --passes 0", &["--passes"]),
        ("matmul --curve --workers 3", &["--curve", "--workers"]),
        ("matmul --on threads", &["--on"]),
        ("dot --size many", &["--size", "many"]),
        ("dot --size 134217729", &["--size", "134217729"]),
        ("dot --contenders threads-twice", &["`threads-twice`", "threads-once, threads-held"]),
        ("dot --curve --contenders go", &["`go`"]),
        ("blackscholes --size 0", &["--size"]),
        ("blackscholes --passes -1", &["-1"]),
        ("futures --size 0", &["--size"]),
        ("futures --size 67108865", &["--size", "67108865"]),
        ("futures --maps 0", &["--maps"]),
        ("futures --workers 0", &["--workers"]),
        ("futures --curve", &["--curve"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 2, told);
    }
}

#[test]
fn a_part_that_was_left_out_is_an_error() {
    let cases: &[(&str, &[&str])] = &[
        // What another contender has written before does not count as the faulty one's result.
        (
            "matmul --size 6 --contenders sequential,faulty",
            &["`faulty`", "the element in row 3 and column 0 is 4294967295 instead of 0"],
        ),
        (
            "dot --size 16 --passes 3 --contenders faulty",
            &["`faulty`", "all passes add up to 420 instead of 3720"],
        ),
        ("blackscholes --size 10 --contenders threads,faulty", &["option 5 is priced at NaN instead of "]),
        ("futures --size 8 --contenders faulty", &["place 0 holds what is made of 4 instead of 0"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 1, told);
    }
}

#[test]
fn a_curve_compares_all_with_the_sequential_program() {
    let output = run("dot --size 100 --passes 2 --curve --repeat 1 --contenders pipes,threads");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table: Vec<_> = stdout(&output).lines().collect();
    let heading =
        "dot --size 100 --passes 2 --curve: speed-up over `sequential`, medians of 1 round, all verified";
    // With several processors, their placement follows.
    let rest = table[0].strip_prefix(heading);
    assert!(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(", processors ")), "{}", table[0]);
    let heads: Vec<_> = table[1].split("  ").map(str::trim).filter(|head| !head.is_empty()).collect();
    assert_eq!(heads, ["contender", "1 worker", "2 workers", "4 workers", "8 workers"]);
    let names: BTreeSet<_> = table[2..4].iter().filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(names, ["pipes", "threads"].into());
    for row in &table[2..4] {
        let speed_ups = row.split_whitespace().skip(1).map(|cell| cell.parse::<f64>().expect(row));
        assert_eq!(speed_ups.filter(|speed_up| *speed_up >= 0.0).count(), 4, "{row}");
    }
}

#[test]
fn a_curve_as_json_has_all_its_races() {
    let points: Vec<(String, u64)> = lines("matmul --size 9 --passes 2 --curve --contenders rayon")
        .iter()
        .map(|line: &Value| {
            assert_eq!(line["verified"], true, "{line}");
            let name = line["contender"].as_str().expect("a name").to_owned();
            (name, line["params"]["workers"].as_u64().expect("a number"))
        })
        .collect();
    for workers in [1, 2, 4, 8] {
        for name in ["rayon", "sequential"] {
            assert!(points.contains(&(name.to_owned(), workers)), "{name} with {workers}: {points:?}");
        }
    }
    assert_eq!(points.len(), 8, "{points:?}");
}

#[cfg(unix)]
#[test]
fn curves_are_drawn() {
    let small = "blackscholes --size 10 --passes 2 --curve --repeat 1 --contenders pipes,crossbeam";
    let chart = crate::fake::Target::new("curve").drawn(small, &fresh_file("curve.svg"));
    assert_eq!(chart["title"], "blackscholes --size 10 --passes 2 --curve");
    assert_eq!(chart["explanation"], "speed-up over `sequential`, medians of 1 round");
    let lines = chart["drawing"]["Lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 2, "{lines:?}");
    for line in lines {
        assert_eq!(line["ours"], line["name"] == "pipes", "{line}");
        let points = line["points"].as_array().expect("points");
        let workers: Vec<_> = points.iter().map(|point| point[0].as_u64().expect("workers")).collect();
        assert_eq!(workers, [1, 2, 4, 8], "{line}");
        assert!(points.iter().all(|point| point[1].as_f64() > Some(0.0)), "{line}");
    }
}
