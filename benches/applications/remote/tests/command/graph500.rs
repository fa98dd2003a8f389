//! `remote-graph500`: trees that workers in several processes have found together, processes that are started
//! by hand, and processes that are killed or do not belong together.

use std::process::{Command, Output, Stdio};

use crate::hand::{Worker, ports, sockets};
use crate::support::{assert_refused, lines, run, stderr, stdout};
use pipes_remote::security::Identity;

/// Every engine, with two processes and more. With more than eight, all levels top-down are wide.
pub const TINY: &[(&str, &str)] = &[
    ("remote-graph500 --scale 9 --keys 16 --over unix", "pipes pipes-threads"),
    ("remote-graph500 --scale 8 --keys 8 --processes 3 --over tcp", "pipes pipes-threads"),
    ("remote-graph500 --scale 8 --keys 4 --over quic", "pipes pipes-threads"),
    ("remote-graph500 --scale 8 --keys 4 --over tls", "pipes pipes-threads"),
    ("remote-graph500 --scale 8 --keys 4 --over ws", "pipes pipes-threads"),
    ("remote-graph500 --scale 11 --keys 4 --processes 3 --seed 2", "pipes pipes-threads"),
    ("remote-graph500 --scale 8 --keys 2 --processes 9", "pipes pipes-threads"),
    ("remote-graph500 --scale 8 --keys 4 --processes 1", "pipes pipes-threads"),
];

/// Starts a process for each rank, with these options and peers; the first one last.
fn all(options: &str, peers: &str, many: usize) -> Vec<Worker> {
    let start = |rank| Worker::start(&format!("remote-graph500 {options} --rank {rank} --peers {peers}"));
    let mut workers: Vec<_> = (1..many).map(start).collect();
    workers.insert(0, start(0));
    workers
}

/// Asserts that all of these end well, and that the first one reports verified trees.
fn assert_found(workers: Vec<Worker>) {
    for (rank, worker) in workers.into_iter().enumerate() {
        let (code, said, complained) = worker.end();
        assert_eq!((code, &*complained), (Some(0), ""), "worker {rank}: {said}");
        let words = if rank == 0 { "all verified" } else { "has finished" };
        assert!(said.contains(words), "worker {rank}: {said}");
    }
}

#[test]
fn the_bytes_of_a_search_are_shown() {
    let lines = lines("remote-graph500 --scale 9 --keys 5 --contenders all --blocks");
    for line in lines {
        let bytes = |key: &str| line[key].as_u64();
        if line["contender"] == "pipes" {
            assert!(bytes("mean_bytes") > Some(0) && bytes("max_bytes") >= bytes("mean_bytes"), "{line}");
        } else {
            assert_eq!(bytes("mean_bytes"), None, "{line}");
        }
        assert!(line["harmonic_mean_TEPS"].as_f64() > Some(0.0), "{line}");
    }
    let table = run("remote-graph500 --scale 8 --keys 3 --repeat 1");
    assert!(stdout(&table).contains("\nmax_bytes: "), "{}", stdout(&table));
    assert_eq!(stderr(&table), "");
}

#[test]
fn processes_that_are_started_by_hand_search_together() {
    let (_folder, peers) = sockets(3);
    assert_found(all("--scale 9 --keys 6 --repeat 2", &peers, 3));
    assert_found(all("--scale 8 --keys 6 --repeat 2 --over tcp", &ports(2).join(","), 2));
}

#[test]
fn with_quic_each_has_a_certificate() {
    let folder = tempfile::tempdir().expect("there is room");
    let files: Vec<_> = (0..2).map(|rank| folder.path().join(format!("{rank}.pem"))).collect();
    // The first time, a file is made, and its fingerprint shown.
    let ports = ports(2);
    let own = |rank: usize, peers: &str| {
        let file = files[rank].display();
        format!("--scale 8 --keys 4 --repeat 1 --over quic --identity {file} --rank {rank} --peers {peers}")
    };
    let refused = |rank: usize, peers: &str, words: &[&str]| {
        let line = format!("remote-graph500 {}", own(rank, peers));
        assert_refused(&line.split_whitespace().collect::<Vec<_>>(), 2, words);
    };
    refused(0, &ports.join(","), &["ADDRESS#FINGERPRINT", "the fingerprint of", "0.pem is "]);
    refused(1, &ports.join(","), &["1.pem is "]);
    let print = |rank: usize| Identity::read(&files[rank]).expect("it was made").fingerprint();
    let peers = format!("{}#{},{}#{}", ports[0], print(0), ports[1], print(1));
    let other = format!("{}#{},{}#{}", ports[0], print(1), ports[1], print(1));
    refused(0, &other, &["0.pem", "and not that of"]);
    assert_found(
        (0..2).map(|rank| Worker::start(&format!("remote-graph500 {}", own(rank, &peers)))).collect(),
    );
}

#[test]
fn if_one_is_killed_the_others_end() {
    for over in ["unix", "tcp"] {
        let (_folder, sockets) = sockets(3);
        let peers = if over == "tcp" { ports(3).join(",") } else { sockets };
        // Far more than it has time for.
        let options = format!("--scale 9 --keys 500 --repeat 1000 --contenders pipes --over {over}");
        let mut workers = all(&options, &peers, 3);
        workers[2].says("worker 2 searches");
        workers[2].child.kill().expect("it runs");
        let killed = workers.pop().expect("there are three");
        assert_eq!(killed.end().0, None, "it has no exit code");
        workers.into_iter().for_each(|worker| worker.fails(&["worker 2 is lost: "]));
    }
}

#[test]
fn if_the_first_is_killed_the_others_end() {
    let (_folder, peers) = sockets(3);
    let mut workers = all("--scale 9 --keys 500 --repeat 1000 --contenders pipes", &peers, 3);
    workers[1].says("worker 1 searches");
    workers.remove(0).child.kill().expect("it runs");
    // The other one may have left already.
    workers.into_iter().for_each(|worker| worker.fails(&["worker 0 is lost: "]));
}

#[test]
fn one_that_does_not_come_is_missed() {
    let (_folder, peers) = sockets(2);
    for rank in 0..2 {
        let words = format!("remote-graph500 --scale 8 --patience 1 --rank {rank} --peers {peers}");
        Worker::start(&words).fails(&["worker 1 is not there: ", "worker 0 is not there: ", "in time"]);
    }
}

#[test]
fn those_with_other_graphs_are_refused() {
    let cases = [
        ("--scale 8", "--scale 9", "--scale 8 --seed 1, but worker", "--scale 9 --seed 1, but worker"),
        ("--seed 3", "--seed 4", "--scale 16 --seed 3, but worker", "--scale 16 --seed 4, but worker"),
    ];
    for (one, other, told, or_told) in cases {
        let (_folder, peers) = sockets(2);
        let workers = [(0, one), (1, other)].map(|(rank, options)| {
            Worker::start(&format!("remote-graph500 {options} --rank {rank} --peers {peers}"))
        });
        workers.into_iter().for_each(|worker| worker.fails(&[told, or_told]));
    }
    // Of three, and of two.
    let (_folder, peers) = sockets(3);
    let two: Vec<_> = peers.split(',').take(2).collect();
    let one = Worker::start(&format!("remote-graph500 --scale 8 --rank 0 --peers {peers}"));
    let other = Worker::start(&format!("remote-graph500 --scale 8 --rank 1 --peers {}", two.join(",")));
    for worker in [one, other] {
        worker.fails(&["is one of 3, but worker", "is one of 2, but worker"]);
    }
}

#[test]
fn an_address_that_is_taken_is_told() {
    let (folder, peers) = sockets(2);
    std::fs::write(folder.path().join("1"), "no socket").expect("there is room");
    let words = format!("remote-graph500 --scale 8 --patience 1 --rank 1 --peers {peers}");
    Worker::start(&words).fails(&["worker 1: cannot listen at "]);
}

#[test]
fn bad_arguments_are_refused() {
    let refused: &[(&str, &[&str])] = &[
        ("--processes 0", &["--processes", "1..=64"]),
        ("--processes 65", &["--processes", "1..=64"]),
        ("--processes many", &["--processes", "many"]),
        ("--over udp", &["udp", "tcp, unix, tls, quic, ws"]),
        ("--scale 23", &["--scale", "1..=22"]),
        ("--scale 22 --keys 1000", &["1000 trees"]),
        ("--rank 0", &["--peers"]),
        ("--peers a,b", &["--rank"]),
        ("--rank 2 --peers a,b", &["no --rank 2 among 2 --peers"]),
        ("--rank -1 --peers a,b", &["-1"]),
        ("--rank 1 --peers a,b --processes 3", &["--processes 3", "2 --peers"]),
        ("--rank 1 --peers a,a", &["an address of its own"]),
        ("--rank 0 --peers a,", &["an address of its own"]),
        ("--rank 0 --peers a,b --over quic", &["--over quic needs an --identity"]),
        ("--rank 0 --peers a,b --identity file", &["no use for an --identity"]),
        ("--identity file", &["--peers"]),
        ("--patience 0", &["--patience"]),
        ("--workers 2", &["--workers"]),
    ];
    for (words, told) in refused {
        let args: Vec<_> = ["remote-graph500"].into_iter().chain(words.split_whitespace()).collect();
        assert_refused(&args, 2, told);
    }
    let many: Vec<_> = (0..65).map(|rank| rank.to_string()).collect();
    let args = ["remote-graph500", "--rank", "1", "--peers", &many.join(",")];
    assert_refused(&args, 2, &["65 --peers are too many"]);
}

#[test]
fn a_child_without_a_command_ends() {
    // Its input has ended.
    let output: Output = Command::new(crate::executable())
        .args(["remote-graph500", "--child", "1"])
        .stdin(Stdio::null())
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    let told = "pipes-benches: worker 1: the command that started this worker has ended\n";
    assert_eq!(stderr(&output), told);
}
