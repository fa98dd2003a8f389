//! The command of the programs between processes: every contender is verified, in one process and in two.

#[path = "../../../../tests/command/example.rs"]
mod example;
mod graph500;
mod hand;
mod k_nucleotide;
#[path = "../../../../tests/command/support.rs"]
mod support;
#[path = "../../../../tests/command/variants.rs"]
mod variants;

use std::path::PathBuf;

use support::{assert_counted, assert_refused, assert_verified, lines, run, stderr, stdout};

/// A tiny size of every program, in every place where it runs, and the contenders that must be there.
const TINY: &[(&str, &str)] = &[
    ("remote-pingpong --rounds 20 --over tcp --on tasks", "pipes raw floor remoc tarpc"),
    ("remote-pingpong --rounds 20 --over unix --on tasks", "pipes raw floor remoc tarpc"),
    ("remote-pingpong --rounds 20 --over tcp --on threads", "pipes raw"),
    ("remote-pingpong --rounds 20 --over unix --on threads", "pipes raw"),
    ("remote-pingpong --rounds 20 --over unix --on tasks --processes", "pipes raw floor remoc tarpc"),
    ("remote-pingpong --rounds 20 --over tcp --on threads --processes", "pipes raw"),
    ("remote-stream --messages 3000 --over tcp --on tasks", "pipes pipes-wide raw floor remoc remoc-mpsc"),
    ("remote-stream --messages 3000 --over unix --on threads", "pipes pipes-wide"),
    ("remote-stream --messages 3000 --over unix --on tasks --processes", "pipes raw floor remoc remoc-mpsc"),
    ("remote-session --sessions 5 --over tcp --on tasks", "pipes raw remoc tarpc"),
    ("remote-session --sessions 5 --over unix --on tasks", "pipes raw remoc tarpc"),
    ("remote-session --sessions 5 --over unix --on threads", "pipes raw"),
    ("remote-session --sessions 5 --over tcp --on tasks --processes", "pipes raw remoc tarpc"),
    ("remote-pingpong --rounds 20 --over tls --on tasks", "pipes raw floor remoc tarpc"),
    ("remote-pingpong --rounds 20 --over quic --on tasks", "pipes raw floor remoc tarpc irpc"),
    ("remote-pingpong --rounds 20 --over quic --on threads", "pipes"),
    ("remote-pingpong --rounds 20 --over quic --on tasks --processes", "pipes raw floor remoc tarpc irpc"),
    ("remote-stream --messages 3000 --over tls --on tasks", "pipes raw floor remoc remoc-mpsc"),
    ("remote-stream --messages 3000 --over quic --on tasks", "pipes raw floor remoc remoc-mpsc"),
    ("remote-pingpong --rounds 20 --over ws --on tasks", "pipes raw floor remoc tarpc"),
    ("remote-pingpong --rounds 20 --over ws --on threads", "pipes"),
    ("remote-pingpong --rounds 20 --over ws --on tasks --processes", "pipes raw floor remoc tarpc"),
    ("remote-stream --messages 3000 --over ws --on tasks", "pipes raw floor remoc remoc-mpsc"),
    ("remote-session --sessions 5 --over ws --on tasks", "pipes raw remoc tarpc"),
    ("remote-session --sessions 5 --over tls --on tasks", "pipes raw remoc tarpc"),
    ("remote-session --sessions 5 --over quic --on tasks", "pipes raw remoc tarpc irpc"),
    ("remote-session --sessions 5 --over quic --on tasks --processes", "pipes raw remoc tarpc irpc"),
    ("remote-session --over tcp --on tasks --break", "pipes raw"),
    ("remote-session --over unix --on tasks --break", "pipes raw"),
    ("remote-rpc --calls 30 --over tcp --on tasks", "pipes raw tarpc tonic remoc"),
    ("remote-rpc --calls 30 --over unix --on tasks --clients 3", "pipes raw tarpc tonic remoc"),
    ("remote-rpc --calls 30 --over tls --on tasks", "pipes raw tarpc tonic remoc"),
    ("remote-rpc --calls 30 --over quic --on tasks", "pipes raw tarpc irpc tonic remoc"),
    ("remote-rpc --calls 30 --over ws --on tasks", "pipes raw tarpc tonic remoc"),
    ("remote-rpc --calls 300 --over ws --on tasks --attacked", "pipes"),
    ("remote-rpc --calls 5 --over quic --on tasks --clients 64", "pipes raw tarpc irpc tonic remoc"),
    ("remote-rpc --calls 30 --over tcp --on threads", "pipes raw"),
    ("remote-rpc --calls 30 --over unix --on threads --processes", "pipes raw"),
    ("remote-rpc --calls 30 --over quic --on threads", "pipes"),
    ("remote-rpc --calls 30 --over tcp --on tasks --processes", "pipes raw tarpc tonic remoc"),
    ("remote-rpc --calls 30 --over quic --on tasks --processes", "pipes raw tarpc irpc tonic remoc"),
    ("remote-rpc --calls 30 --over quic --on tasks --clients 9 --stalled 2", "pipes"),
    ("remote-rpc --calls 30 --over tcp --on tasks --stalled 1 --processes", "pipes"),
    ("remote-rpc --calls 300 --over quic --on tasks --attacked", "pipes"),
    ("remote-rpc --calls 300 --over unix --on tasks --attacked 2000 --processes", "pipes"),
    (
        "remote-farm --items 200 --over unix --work none",
        "pipes pipes-lists local sequential tarpc tarpc-wide",
    ),
    ("remote-farm --items 200 --over tcp --work 1us", "pipes pipes-lists local sequential tarpc tarpc-wide"),
    ("remote-farm --items 200 --over tls --workers 1", "pipes pipes-lists local sequential tarpc tarpc-wide"),
    (
        "remote-farm --items 200 --over quic --workers 3",
        "pipes pipes-lists local sequential tarpc tarpc-wide",
    ),
    ("remote-farm --items 200 --over ws --workers 1", "pipes pipes-lists local sequential tarpc tarpc-wide"),
    ("remote-farm --items 100 --over unix --work 1ms --kill", "pipes"),
    ("remote-farm --items 3 --over tls --workers 1 --kill", "pipes"),
];

/// All of them.
fn programs() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    TINY.iter().chain(graph500::TINY).chain(k_nucleotide::TINY)
}

/// The executable under test.
fn executable() -> PathBuf {
    example::executable("pipes-remote-programs")
}

#[test]
fn every_program_is_verified_everywhere() {
    assert_verified(programs());
}

#[test]
fn the_socket_is_a_parameter() {
    let line = &lines("remote-pingpong --rounds 6 --over unix --contenders raw")[0];
    assert_eq!(line["params"], serde_json::json!({"rounds": 6, "over": "unix", "on": "tasks"}));
}

#[test]
fn an_attack_is_reported() {
    let line = &lines("remote-rpc --calls 50 --over unix --on tasks --attacked 2000")[0];
    assert_eq!(line["params"]["attacked"], 2000, "{line}");
    assert!(line["hostile_streams"].as_u64() > Some(0), "{line}");
}

#[test]
fn workers_that_are_killed_are_counted() {
    let line = &lines("remote-farm --items 300 --work 1ms --kill")[0];
    assert_eq!(line["params"]["kill"], true, "{line}");
    assert!(line["killed"].as_u64() > Some(0) && line["given_again"].is_u64(), "{line}");
}

#[test]
fn what_the_workers_have_done_is_told() {
    let output = run("remote-farm --items 50 --workers 1 --repeat 1 --contenders pipes --watch");
    let told = stderr(&output);
    // The stage, and below it what its workers have done.
    let lines: Vec<_> = told.lines().skip_while(|line| !line.contains("─► work ")).map(str::trim).collect();
    assert!(lines.len() > 2 && lines[0].contains(" 50 items"), "{told}");
    assert!(lines[1].starts_with("worker ") && lines[1].ends_with("round trip"), "{told}");
    assert!(lines[2].starts_with("process "), "{told}");
    assert!(stdout(&output).contains("all verified"), "{}", stdout(&output));
}

#[test]
fn bad_arguments_are_refused() {
    assert_refused(&["remote-stream", "--over", "udp"], 2, &["udp", "tcp, unix, tls, quic, ws"]);
    assert_refused(&["remote-session", "--over", "quic", "--break"], 2, &["--break is for sockets"]);
    assert_refused(&["remote-stream", "--messages", "0"], 2, &["--messages"]);
    assert_refused(&["remote-session", "--contenders", "floor"], 2, &["floor"]);
    assert_refused(&["remote-rpc", "--clients", "0"], 2, &["--clients"]);
    assert_refused(&["remote-farm", "--workers", "0"], 2, &["--workers"]);
    assert_refused(&["remote-farm", "--over", "quic", "--kill"], 2, &["--kill is for sockets"]);
    assert_refused(&["remote-farm", "--work", "1s"], 2, &["none, 1us, 10us, 1ms"]);
    for option in ["--stalled=1", "--attacked"] {
        assert_refused(&["remote-rpc", "--on", "threads", option], 2, &["are for tasks"]);
    }
}

#[test]
fn the_list_that_the_command_prints_is_true() {
    example::assert_kept(concat!(env!("CARGO_MANIFEST_DIR"), "/list.txt"), programs());
}

#[test]
fn the_list_counts_lines() {
    assert_counted(stdout(&run("list --sloc")), 6);
}

#[test]
fn all_runs_every_program_in_every_variant() {
    variants::assert_all_run(programs(), &["on", "over"]);
}

#[test]
fn nothing_is_said_beside_the_table() {
    assert_eq!(stderr(&run("remote-pingpong --rounds 5 --repeat 1 --contenders pipes,raw,floor")), "");
}
