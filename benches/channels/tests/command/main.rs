//! The command of the programs about channels: what it prints, what it refuses, and with which exit code.

#[path = "../../../tests/command/example.rs"]
mod example;
mod latency;
#[path = "../../../tests/command/support.rs"]
mod support;
#[path = "../../../tests/command/variants.rs"]
mod variants;

use std::collections::BTreeSet;
use std::path::PathBuf;

use support::{assert_counted, assert_refused, assert_verified, lines, run, stderr, stdout};

/// A tiny size of every program, in every place where it runs, and the contenders that must be there.
const TINY: &[(&str, &str)] = &[
    ("pingpong --rounds 20 --on threads", "pipes pipes-by-hand std crossbeam flume kanal tokio"),
    ("pingpong --rounds 20 --on tasks", "pipes pipes-by-hand tokio flume kanal futures par"),
    ("pingpong --rounds 20 --on tasks2", "pipes pipes-by-hand tokio flume kanal futures par"),
    ("pingpong --rounds 20 --on same", "pipes pipes-by-hand std crossbeam flume kanal tokio par"),
    ("pingpong --rounds 20 --on threads --latency", "pipes pipes-by-hand std crossbeam flume kanal tokio"),
    ("pingpong --rounds 20 --on tasks --latency", "pipes pipes-by-hand tokio flume kanal futures par"),
    ("pingpong --rounds 20 --on tasks2 --latency", "pipes pipes-by-hand tokio flume kanal futures par"),
    ("oneshot --rounds 20 --on same", "pipes oneshot tokio futures crossfire std"),
    ("oneshot --rounds 300 --on threads", "pipes oneshot tokio futures crossfire std"),
    ("session --rounds 20 --on same", "pipes pipes-by-hand std crossbeam tokio par"),
    ("session --rounds 20 --on tasks", "pipes pipes-by-hand tokio par"),
    ("session --rounds 20 --on threads", "pipes pipes-by-hand std crossbeam tokio"),
    ("stream --messages 600 --on threads", "pipes std crossbeam flume kanal tokio"),
    ("stream --messages 600 --on tasks", "pipes flume kanal tokio futures"),
    ("stream --messages 600 --on tasks2", "pipes flume kanal tokio futures"),
    ("stream --messages 600 --capacity 1 --on threads", "pipes std crossbeam flume kanal tokio rtrb"),
    ("stream --messages 600 --capacity 7 --on tasks", "pipes flume kanal tokio futures"),
    ("stream --messages 600 --capacity 7 --on tasks2", "pipes flume kanal tokio futures"),
    ("fanin --messages 3000 --on threads", "pipes pipes-set std crossbeam flume kanal tokio"),
    ("fanin --messages 3000 --on tasks2", "pipes pipes-set flume kanal tokio futures"),
    ("fanin --senders 7 --messages 3 --on tasks2", "pipes pipes-set tokio"),
    ("fanin --messages 3000 --capacity 1 --on threads", "pipes std crossbeam flume kanal crossfire tokio"),
    ("fanin --messages 3000 --capacity 7 --on threads", "pipes std crossbeam flume kanal crossfire tokio"),
    ("fanin --messages 3000 --capacity 1 --on tasks2", "pipes flume kanal crossfire tokio"),
    ("fanin --messages 3000 --capacity 4 --on tasks2", "pipes flume kanal crossfire tokio futures"),
    (
        "workqueue --messages 3000 --on threads",
        "pipes std crossbeam flume kanal crossfire async-channel tokio",
    ),
    ("workqueue --messages 3000 --on tasks2", "pipes flume kanal crossfire async-channel tokio"),
    (
        "workqueue --messages 300 --work 1us --on threads",
        "pipes std crossbeam flume kanal crossfire async-channel tokio",
    ),
    ("workqueue --messages 300 --work 1us --on tasks2", "pipes flume kanal crossfire async-channel tokio"),
    ("workqueue --producers 1 --consumers 4 --messages 600 --on threads", "pipes std crossbeam tokio"),
    ("workqueue --producers 1 --consumers 4 --messages 600 --on tasks2", "pipes flume tokio"),
    ("workqueue --producers 4 --consumers 1 --messages 600 --on threads", "pipes std crossbeam tokio"),
    ("workqueue --producers 3 --consumers 7 --messages 3 --on tasks2", "pipes flume tokio"),
    (
        "workqueue --messages 600 --capacity 1 --on threads",
        "pipes std crossbeam flume kanal crossfire async-channel tokio",
    ),
    ("workqueue --messages 600 --capacity 7 --on tasks2", "pipes flume kanal crossfire async-channel tokio"),
    (
        "broadcast --receivers 3 --messages 20 --capacity 7 --on threads",
        "pipes pipes-lagging async-broadcast tokio",
    ),
    (
        "broadcast --receivers 3 --messages 20 --capacity 7 --on tasks",
        "pipes pipes-lagging async-broadcast tokio",
    ),
    (
        "broadcast --receivers 1 --messages 300 --capacity 1 --on tasks2",
        "pipes pipes-lagging async-broadcast tokio",
    ),
    ("watch --receivers 3 --changes 20 --on tasks", "pipes tokio"),
    ("watch --receivers 100 --changes 20 --on tasks2", "pipes tokio"),
    (
        "select --messages 300 --arrival ready",
        "pipes crossbeam futures-selectall futures-unordered tokio-streammap tagged",
    ),
    (
        "select --messages 300 --arrival remote",
        "pipes crossbeam futures-selectall futures-unordered tokio-streammap tagged",
    ),
    ("select --endpoints 2 --messages 300 --arrival remote", "pipes pipes-async crossbeam"),
    ("select --endpoints 4096 --messages 300 --arrival ready", "pipes pipes-async crossbeam"),
    ("select --endpoints 1 --messages 3", "pipes tagged"),
    (
        "msgsend --messages 4000 --on threads",
        "pipes-set pipes-shared std crossbeam crossbeam-select flume kanal tokio tokio-selectall",
    ),
    (
        "msgsend --messages 4000 --on tasks2",
        "pipes-set pipes-shared flume kanal tokio tokio-selectall futures",
    ),
    ("msgsend --workers 1000 --messages 2000 --on tasks2", "pipes-set pipes-shared tokio"),
    ("msgsend --messages 4000 --shape set --on threads", "pipes-set crossbeam-select tokio-selectall"),
    ("msgsend --messages 4000 --shape set --on tasks2", "pipes-set tokio-selectall"),
    ("msgsend --messages 4000 --shape shared --on threads", "pipes-shared std crossbeam flume kanal tokio"),
    ("threadring --passes 600 --on threads", "pipes pipes-stream std crossbeam flume kanal tokio"),
    ("threadring --passes 1000 --on tasks", "pipes pipes-stream flume kanal tokio futures"),
    ("threadring --passes 1000 --on tasks2", "pipes pipes-stream flume kanal tokio futures"),
    ("threadring --nodes 1 --passes 3", "pipes std"),
    ("threadring --nodes 9 --passes 3 --on tasks", "pipes pipes-stream tokio"),
    ("rpc --calls 300 --on threads", "pipes pipes-oneshot std crossbeam flume kanal tokio"),
    ("rpc --calls 300 --on tasks2", "pipes pipes-oneshot flume kanal tokio futures"),
    ("rpc --clients 7 --calls 3 --on tasks2", "pipes tokio"),
    ("rpc --calls 300 --on threads --latency", "pipes pipes-oneshot std crossbeam flume kanal tokio"),
    ("rpc --calls 300 --on tasks2 --latency", "pipes pipes-oneshot flume kanal tokio futures"),
    ("rpc --clients 7 --calls 3 --on tasks2 --latency", "pipes tokio"),
    // The timer takes a millisecond, in which the fastest build does not receive this many.
    (
        "lateness --messages 400000 --after 1",
        "pipes pipes-next pipes-set flume kanal crossfire tokio futures",
    ),
];

/// The executable under test.
fn executable() -> PathBuf {
    example::executable("pipes-channels")
}

#[test]
fn every_program_is_verified_everywhere() {
    assert_verified(TINY.iter());
}

#[test]
fn a_capacity_is_a_parameter() {
    let line = &lines("stream --messages 6 --capacity 2 --contenders std")[0];
    assert_eq!(line["params"], serde_json::json!({"messages": 6, "on": "threads", "capacity": 2}));
    let line = &lines("fanin --messages 6 --capacity 2 --contenders std")[0];
    let params = serde_json::json!({"senders": 4, "messages": 6, "on": "threads", "capacity": 2});
    assert_eq!(line["params"], params);
    let line = &lines("workqueue --messages 6 --capacity 2 --work 1us --contenders std")[0];
    let params = serde_json::json!({
        "producers": 4, "consumers": 4, "work": "1us", "messages": 6, "on": "threads", "capacity": 2
    });
    assert_eq!((&line["params"], &line["ops"]), (&params, &serde_json::json!(6)));
}

/// With a capacity, only the contenders take part that can keep to it.
#[test]
fn a_capacity_has_its_own_contenders() {
    let mut seen = Vec::new();
    for capacity in ["", "--capacity 4", "--capacity 3"] {
        let lines = lines(&format!("fanin --messages 80 --on tasks2 {capacity}"));
        seen.push(lines.iter().map(|line| line["contender"].to_string()).collect::<BTreeSet<_>>());
    }
    let names = |from: usize, to: usize| seen[from].difference(&seen[to]).cloned().collect::<Vec<_>>();
    assert_eq!(
        (names(0, 1), names(1, 2)),
        (vec![r#""pipes-set""#.to_owned()], vec![r#""futures""#.to_owned()])
    );
}

#[test]
fn without_ours_the_table_compares_with_the_fastest() {
    let output = run("stream --messages 100 --capacity 10 --repeat 1 --contenders std,crossbeam,flume");
    let table = stdout(&output);
    let fastest = table.lines().nth(2).expect("a row");
    let name = fastest.split_whitespace().next().expect("a name");
    assert!(table.contains(&format!("ratio to {name}")) && fastest.ends_with(" 1.00"), "{table}");
}

#[test]
fn a_variant_of_ours_stands_in_for_ours() {
    let output = run("msgsend --messages 80 --repeat 1");
    assert!(stdout(&output).contains("ratio to pipes-set"), "{}", stdout(&output));
}

#[test]
fn a_shape_has_its_own_contenders() {
    let mut shapes = Vec::new();
    for shape in ["set", "shared"] {
        let lines = lines(&format!("msgsend --messages 80 --shape {shape}"));
        shapes.push(lines.iter().map(|line| line["contender"].to_string()).collect::<BTreeSet<_>>());
    }
    assert!(shapes[0].is_disjoint(&shapes[1]), "{shapes:?}");
    assert_eq!(lines("msgsend --messages 80").len(), shapes[0].len() + shapes[1].len());
}

#[test]
fn bad_arguments_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("pingpong --on own", &["--on", "threads, tasks, tasks2, same"]),
        ("pingpong --rounds 10000000001", &["--rounds"]),
        ("stream --capacity 0", &["--capacity"]),
        ("stream --contenders rtrb", &["rtrb", "--capacity"]),
        ("oneshot --on tasks", &["--on", "same, threads"]),
        ("fanin --senders 0", &["--senders"]),
        ("fanin --senders 10001", &["10001 senders", "10000 threads"]),
        ("fanin --on tasks", &["--on", "threads, tasks2"]),
        ("fanin --capacity 0", &["--capacity", "1..=1000000"]),
        ("fanin --capacity 9 --contenders pipes-set", &["pipes-set", "a stream for each sender"]),
        ("fanin --capacity 3 --on tasks2 --contenders futures", &["futures", "give a --capacity"]),
        ("workqueue --producers 0", &["--producers", "1..=1000000"]),
        ("workqueue --consumers 0", &["--consumers", "1..=1000000"]),
        ("workqueue --consumers -1", &["-1"]),
        ("workqueue --producers 9 --messages 8", &["9 producers", "8 messages"]),
        ("workqueue --messages 0", &["--messages", "1..=100000000"]),
        ("workqueue --messages 100000001", &["--messages", "1..=100000000"]),
        ("workqueue --work 2us", &["--work", "none, 1us"]),
        ("workqueue --capacity 0", &["--capacity", "1..=1000000"]),
        ("workqueue --on tasks", &["--on", "threads, tasks2"]),
        ("workqueue --consumers 9997", &["4 producers", "9997 consumers", "10000 threads"]),
        ("workqueue --consumers 250001 --on tasks2", &["250001 consumers", "1000000 pairs"]),
        ("workqueue --on tasks2 --contenders std", &["none of the contenders", "std"]),
        ("select --endpoints 0", &["--endpoints"]),
        ("select --arrival late", &["--arrival", "ready, remote"]),
        ("select --on threads", &["--on"]),
        ("msgsend --workers 3", &["3 workers", "1000000 messages"]),
        ("msgsend --workers 10001 --messages 10001", &["10001 workers", "10000 threads"]),
        ("msgsend --shape round", &["--shape", "both, set, shared"]),
        ("msgsend --shape set --contenders std", &["std", "--shape shared"]),
        ("msgsend --shape shared --contenders crossbeam-select", &["crossbeam-select", "--shape set"]),
        ("threadring --passes 0", &["--passes"]),
        ("threadring --nodes 10001", &["10001 nodes", "10000 threads"]),
        ("threadring --contenders kanal", &["kanal", "--passes 100000"]),
        ("pingpong --on same --latency", &["--latency", "--on same", "nothing waits"]),
        ("pingpong --latency 5", &["5"]),
        ("stream --latency", &["--latency"]),
        ("rpc --calls 0", &["--calls"]),
        ("rpc --clients 1001 --on tasks2 --latency", &["--latency", "1000 clients", "1001"]),
        ("rpc --clients 10001", &["10001 clients", "10000 threads"]),
        ("session --rounds 0", &["--rounds"]),
        ("broadcast --receivers 10001 --on threads", &["10001 receivers", "10000 threads"]),
        ("watch --on threads", &["--on"]),
        ("lateness --messages 100000001", &["--messages", "1..=100000000"]),
        ("lateness --after 0", &["--after"]),
        ("lateness --on tasks", &["--on"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 2, told);
    }
}

#[test]
fn the_time_of_a_message_is_beside_the_lateness() {
    let output = run("lateness --messages 400000 --after 1 --repeat 1 --contenders pipes,tokio");
    let table = stdout(&output);
    let mut lines = table.lines();
    let title = "lateness --after 1 --messages 400000: 1 round, all verified";
    assert_eq!(lines.next(), Some(title), "{}", stderr(&output));
    let heads: Vec<_> = lines.next().expect("the heads").split_whitespace().collect();
    assert!(heads.contains(&"median") && heads.last() == Some(&"ns_per_message"), "{table}");
    for row in lines.take(2) {
        let last = row.split_whitespace().last().expect("the time of a message");
        assert!(last.parse::<f64>().is_ok_and(|time| time > 0.0), "{table}");
    }
}

/// The timer of two seconds is long enough for a single message on any machine.
#[test]
fn a_queue_that_is_too_short_for_the_timer_is_an_error() {
    let args = ["lateness", "--messages", "1", "--after", "2000", "--contenders", "pipes"];
    assert_refused(&args, 1, &["`pipes` could not run", "more --messages are needed"]);
}

#[test]
fn the_list_that_the_command_prints_is_true() {
    example::assert_kept(concat!(env!("CARGO_MANIFEST_DIR"), "/list.txt"), TINY.iter());
}

#[test]
fn the_list_counts_lines() {
    assert_counted(stdout(&run("list --sloc")), 20);
}

#[test]
fn all_runs_every_program_in_every_variant() {
    variants::assert_all_run(TINY.iter(), &["on", "arrival", "shape"]);
}
