//! The command from outside: what it prints, what it refuses, and with which exit code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

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
    ("pingpong --rounds 20 --on threads", "pipes pipes-by-hand std crossbeam flume kanal tokio"),
    ("pingpong --rounds 20 --on tasks", "pipes pipes-by-hand tokio flume kanal futures"),
    ("pingpong --rounds 20 --on tasks2", "pipes pipes-by-hand tokio flume kanal futures"),
    ("pingpong --rounds 20 --on same", "pipes pipes-by-hand std crossbeam flume kanal tokio"),
    ("oneshot --rounds 20 --on same", "pipes oneshot tokio futures crossfire std"),
    ("oneshot --rounds 300 --on threads", "pipes oneshot tokio futures crossfire std"),
    ("session --rounds 20 --on same", "pipes pipes-by-hand std crossbeam tokio"),
    ("session --rounds 20 --on tasks", "pipes pipes-by-hand tokio"),
    ("session --rounds 20 --on threads", "pipes pipes-by-hand std crossbeam tokio"),
    ("stream --messages 600 --on threads", "pipes std crossbeam flume kanal tokio"),
    ("stream --messages 600 --on tasks", "pipes flume kanal tokio futures"),
    ("stream --messages 600 --on tasks2", "pipes flume kanal tokio futures"),
    ("stream --messages 600 --capacity 1 --on threads", "std crossbeam flume kanal tokio rtrb"),
    ("stream --messages 600 --capacity 7 --on tasks", "flume kanal tokio futures"),
    ("stream --messages 600 --capacity 7 --on tasks2", "flume kanal tokio futures"),
];

/// Runs the command with these words.
fn run(words: &str) -> Output {
    run_args(&words.split_whitespace().collect::<Vec<_>>())
}

fn run_args(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pipes-benches")).args(args).output().expect("the command starts")
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).expect("the output is text")
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).expect("the messages are text")
}

/// The objects that a run with `--json` has printed.
fn lines(words: &str) -> Vec<Value> {
    let output = run(&format!("{words} --json --repeat 2"));
    assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Asserts that nothing was done, and that one sentence which contains these words says why.
fn assert_refused(args: &[&str], code: i32, words: &[&str]) {
    let output = run_args(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
    let sentence = stderr(&output).trim_end();
    assert!(sentence.starts_with("pipes-benches: ") && sentence.lines().count() == 1, "{args:?}: {sentence}");
    for word in words {
        assert!(sentence.contains(word), "{args:?}: `{word}` is not in: {sentence}");
    }
}

/// A file that no other test writes, and that is not there yet.
fn fresh_file(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_file(&path).expect("the old file goes");
    }
    path.to_str().expect("the path is text").to_owned()
}

#[test]
fn every_program_is_verified_everywhere() {
    for (words, contenders) in TINY {
        let lines = lines(words);
        let program = words.split_whitespace().next();
        let mut seen = BTreeSet::new();
        for line in &lines {
            assert_eq!(line["program"].as_str(), program, "{words}");
            assert_eq!(line["verified"], true, "{words}");
            assert_eq!(line["repeat"], 2, "{words}");
            assert!(line["params"].is_object() && line["ops"].as_u64() > Some(0), "{words}: {line}");
            let time = |key: &str| line[key].as_f64().expect(key);
            assert!(time("min_seconds") <= time("median_seconds"), "{words}: {line}");
            assert!(time("median_seconds") <= time("max_seconds"), "{words}: {line}");
            assert!(time("ns_per_op") > 0.0, "{words}: {line}");
            seen.insert(line["contender"].as_str().expect("a name"));
        }
        assert_eq!(seen.len(), lines.len(), "{words}: a contender is there twice");
        for contender in contenders.split_whitespace() {
            assert!(seen.contains(contender), "{words}: {contender} is not among {seen:?}");
        }
        assert!(!seen.contains("faulty"), "{words}");
    }
}

#[test]
fn params_and_ops_are_those_asked_for() {
    let line = &lines("ring --nodes 5 --messages 20 --contenders std")[0];
    assert_eq!(line["params"], serde_json::json!({"nodes": 5, "messages": 20, "on": "threads"}));
    assert_eq!(line["ops"], 100);
    let line = &lines("stream --messages 6 --capacity 2 --contenders std")[0];
    assert_eq!(line["params"], serde_json::json!({"messages": 6, "on": "threads", "capacity": 2}));
}

#[test]
fn contenders_are_chosen_by_name() {
    let names = |words: &str| -> BTreeSet<String> {
        lines(words).iter().map(|line| line["contender"].as_str().expect("a name").to_owned()).collect()
    };
    let small = "pingpong --rounds 2 --on same";
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
fn without_ours_the_table_compares_with_the_fastest() {
    let output = run("stream --messages 100 --capacity 10 --repeat 1");
    let table = stdout(&output);
    assert!(table.contains("left out of stream: pipes (it has no bounded stream yet)"), "{table}");
    let fastest = table.lines().nth(2).expect("a row");
    let name = fastest.split_whitespace().next().expect("a name");
    assert!(table.contains(&format!("ratio to {name}")) && fastest.ends_with(" 1.00"), "{table}");
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
        ("rings", &["`rings`", "ring, pingpong, oneshot, session, stream, all or list"]),
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
        ("pingpong --rounds 10000000001", &["--rounds"]),
        ("stream --capacity 0", &["--capacity"]),
        ("stream --contenders rtrb", &["rtrb", "--capacity"]),
        ("oneshot --on tasks", &["--on", "same, threads"]),
        ("session --rounds 0", &["--rounds"]),
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
    for program in ["ring", "pingpong", "oneshot", "session", "stream"] {
        assert!(list.lines().any(|line| line.starts_with(&format!("{program}: "))), "{program}: {list}");
    }
    let names: BTreeSet<_> = list.split(|c: char| c.is_whitespace() || c == ',').collect();
    for (words, contenders) in TINY {
        let options = words.split_whitespace().filter(|word| word.starts_with("--"));
        for name in options.chain(contenders.split_whitespace()) {
            assert!(names.contains(name), "{name}: {list}");
        }
    }
    assert!(list.contains("[default: 100]") && list.contains("[threads, tasks, tasks2]"), "{list}");
    assert!(!list.contains("faulty") && !list.contains("lines of code"), "{list}");
}

#[test]
fn the_list_counts_lines() {
    let output = run("list --sloc");
    let counted = stdout(&output).lines().filter_map(|line| line.strip_prefix("    "));
    let mut seen = 0;
    for (name, count) in counted.filter_map(|line| line.split_once(' ')) {
        let count: usize = count.trim().parse().expect("a number of lines");
        assert!((10..1000).contains(&count), "{name}: {count}");
        seen += 1;
    }
    assert!(seen > 20, "{}", stdout(&output));
}

#[test]
fn all_runs_every_program_in_every_variant() {
    let mut variants = BTreeSet::new();
    for line in lines("all --quick") {
        assert_eq!(line["verified"], true, "{line}");
        let place = line["params"]["on"].as_str().expect("a place");
        variants.insert(format!("{} {place}", line["program"].as_str().expect("a program")));
    }
    for (words, _) in TINY.iter().filter(|(words, _)| words.contains("--on")) {
        let words: Vec<_> = words.split_whitespace().collect();
        let place = words.iter().position(|word| *word == "--on").map(|at| words[at + 1]).expect("a place");
        assert!(variants.contains(&format!("{} {place}", words[0])), "{words:?}: {variants:?}");
    }
}

#[test]
fn charts_are_drawn() {
    let small = ["pingpong", "--rounds", "3", "--repeat", "2", "--contenders", "pipes,std", "--plot"];
    let svg = fresh_file("chart.svg");
    let output = run_args(&[small.as_slice(), &[&svg]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let drawing = fs::read_to_string(svg).expect("the SVG is there");
    assert!(drawing.starts_with("<svg"), "{drawing}");
    for label in ["pipes", "std", "pingpong --rounds 3", "3 rounds", "ns/op"] {
        assert!(drawing.contains(label), "{label}: {drawing}");
    }

    let png = fresh_file("chart.png");
    let output = run_args(&[small.as_slice(), &[&png]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(fs::read(png).expect("the PNG is there").starts_with(b"\x89PNG\r\n"));
}

#[test]
fn a_chart_that_cannot_be_written_fails_after_the_table() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder").join("chart.svg");
    let path = path.to_str().expect("the path is text");
    let output = run_args(&["oneshot", "--rounds", "3", "--repeat", "1", "--plot", path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("ratio to pipes"), "{}", stdout(&output));
    let sentence = stderr(&output);
    assert!(sentence.contains(path) && sentence.lines().count() == 1, "{sentence}");
}

#[test]
fn help_is_no_failure() {
    for words in ["--help", "ring --help", "list --help"] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{words}");
        assert!(stdout(&output).contains("Usage:"), "{words}");
    }
}
