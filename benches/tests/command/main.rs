//! The command: what it prints, what it refuses, and with which exit code.

mod charts;
#[cfg(unix)]
mod companion;
#[cfg(unix)]
mod fake;
mod files;
mod support;

use std::collections::BTreeSet;
use std::iter;
use std::path::PathBuf;

use support::{assert_listed, assert_refused, assert_verified, lines, run, stderr, stdout};

/// A tiny size of every program, in every place where it runs, and the contenders that must be there.
const TINY: &[(&str, &str)] = &[
    (
        "ring --nodes 5 --messages 20 --on threads",
        "pipes pipes-by-hand pipes-stream std crossbeam flume kanal tokio",
    ),
    ("ring --nodes 5 --messages 20 --on tasks", "pipes pipes-by-hand pipes-stream tokio flume kanal futures"),
    (
        "ring --nodes 5 --messages 20 --on tasks2",
        "pipes pipes-by-hand pipes-stream tokio flume kanal futures",
    ),
    ("ring --nodes 1 --messages 3", "pipes std"),
    ("ring --nodes 2 --messages 1 --on tasks", "pipes pipes-by-hand tokio"),
];

/// The executable under test.
fn executable() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_pipes-benches"))
}

#[test]
fn every_program_is_verified_everywhere() {
    assert_verified(TINY.iter());
}

#[test]
fn params_and_ops_are_those_asked_for() {
    let line = &lines("ring --nodes 5 --messages 20 --contenders std")[0];
    assert_eq!(line["params"], serde_json::json!({"nodes": 5, "messages": 20, "on": "threads"}));
    assert_eq!(line["ops"], 100);
}

#[test]
fn a_variant_of_ours_stands_in_for_ours() {
    let output = run("ring --nodes 3 --messages 10 --repeat 1 --contenders std,pipes-stream,tokio");
    let table = stdout(&output);
    assert!(table.contains("ratio to pipes-stream"), "{table}");
}

#[test]
fn contenders_are_chosen_by_name() {
    let names = |words: &str| -> BTreeSet<String> {
        lines(words).iter().map(|line| line["contender"].as_str().expect("a name").to_owned()).collect()
    };
    let small = "ring --nodes 3 --messages 2";
    assert_eq!(names(&format!("{small} --contenders std,pipes")), ["pipes", "std"].map(str::to_owned).into());
    assert_eq!(names(&format!("{small} --contenders all")), names(small));
}

#[test]
fn the_table_compares_with_ours() {
    let output = run("ring --nodes 3 --messages 10 --repeat 2 --contenders pipes,std,futures");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let table = stdout(&output);
    assert!(table.starts_with("ring --nodes 3 --messages 10 --on threads: 30 messages, 2 rounds"), "{table}");
    for head in ["contender", "median", "min", "max", "messages/s", "ns/op", "ratio to pipes"] {
        assert!(table.contains(head), "{head} is not in: {table}");
    }
    let ours = table.lines().find(|line| line.starts_with("pipes ")).expect("our row");
    assert!(ours.ends_with(" 1.00"), "{ours}");
    assert!(table.contains("left out of ring: futures (it has no blocking endpoints)"), "{table}");
    assert_eq!(stderr(&output), "");
}

#[test]
fn who_is_left_out_is_told_beside_the_json() {
    let output = run("ring --nodes 3 --messages 10 --repeat 1 --on tasks --contenders pipes,std --json");
    assert_eq!(stdout(&output).lines().count(), 1);
    assert_eq!(stderr(&output), "left out of ring: std (it has no endpoints for tasks)\n");
}

#[test]
fn bad_arguments_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("", &["ring", "stream", "list"]),
        (
            "rings",
            &[
                "`rings`",
                "stream, fanin, workqueue, broadcast, watch, select, msgsend, threadring, rpc, lateness, mandelbrot,",
                "k-nucleotide, graph500, fasta, remote-pingpong, remote-stream, remote-session, remote-rpc,",
                "remote-rpc, remote-farm, remote-graph500, remote-k-nucleotide, all or list",
            ],
        ),
        ("ring --nods 5", &["--nods"]),
        ("ring 5", &["5"]),
        ("ring --nodes", &["--nodes"]),
        ("ring --nodes 0", &["--nodes", "1..=1000000"]),
        ("ring --nodes -1", &["-1"]),
        ("ring --nodes many", &["--nodes", "many"]),
        ("ring --nodes 1000001", &["--nodes", "1000001"]),
        ("ring --nodes 10001", &["10001 nodes", "10000 threads"]),
        ("ring --nodes 1000000 --messages 1000000 --on tasks", &["10000000000 messages"]),
        ("ring --messages 0", &["--messages"]),
        ("ring --on same", &["--on", "threads, tasks, tasks2"]),
        ("ring --contenders pipes,go", &["`go`", "pipes, pipes-by-hand, pipes-stream, std, crossbeam"]),
        ("ring --contenders=", &["``"]),
        ("ring --on tasks --contenders std", &["none of the contenders", "std"]),
        ("ring --repeat 0", &["--repeat"]),
        ("ring --plot ring.gif", &["ring.gif", ".svg", ".png"]),
        ("ring --plot ring", &[".svg"]),
        ("ring --csv one.svg --plot one.svg", &["--csv and --plot", "the same place, one.svg"]),
        ("ring --csv ./one.svg --plot one.svg", &["--csv and --plot", "the same place, one.svg"]),
        ("list --slock", &["--slock"]),
        ("all --plot x.svg", &["--plot"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 2, told);
    }
}

#[test]
fn the_names_of_unknown_contenders_are_answered_without_the_hidden_one() {
    let output = run("ring --contenders go");
    assert!(!stderr(&output).contains("faulty"), "{}", stderr(&output));
}

#[test]
fn a_wrong_result_is_an_error() {
    let args = ["ring", "--nodes", "4", "--messages", "10", "--contenders", "std,faulty"];
    assert_refused(&args, 1, &["`faulty`", "wrong result", "node 0 received 10 values", "instead of 10"]);
    let json = [args.as_slice(), &["--json"]].concat();
    assert_refused(&json, 1, &["`faulty`", "wrong result"]);
}

#[test]
fn the_list_names_everything_but_the_hidden_one() {
    let output = run("list");
    assert_eq!(output.status.code(), Some(0));
    let list = stdout(&output);
    let theirs = [
        include_str!("../../channels/list.txt"),
        include_str!("../../applications/list.txt"),
        include_str!("../../applications/remote/list.txt"),
    ];
    assert_eq!(names(list), iter::once("ring").chain(theirs.into_iter().flat_map(names)).collect::<Vec<_>>());
    assert_listed(list, TINY.iter());
    assert!(list.contains("[default: 100]") && list.contains("[threads, tasks, tasks2]"), "{list}");
}

/// The names in a list.
fn names(list: &str) -> Vec<&str> {
    let heads = list.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_once(": "));
    heads.map(|(name, _)| name).collect()
}

#[test]
fn help_is_no_failure() {
    for words in ["--help", "ring --help", "list --help"] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{words}");
        assert!(stdout(&output).contains("Usage:"), "{words}");
    }
}
