//! `remote-k-nucleotide`: windows that workers in several processes have counted, workers that are started by
//! hand, and workers that are killed.

use crate::hand::{Worker, ports, sockets};
use crate::support::{assert_refused, lines, run, stderr, stdout};

/// Every engine, with chunks of different sizes: a line, several lines, and the whole text.
pub const TINY: &[(&str, &str)] = &[
    ("remote-k-nucleotide --n 1000 --chunk 700 --over unix", "pipes pipes-threads sequential"),
    (
        "remote-k-nucleotide --n 1000 --chunk 1 --over tcp --processes 3 --workers 2",
        "pipes pipes-threads sequential",
    ),
    ("remote-k-nucleotide --n 9000 --chunk 7000 --over tls", "pipes pipes-threads sequential"),
    ("remote-k-nucleotide --n 9000 --chunk 7000 --over quic", "pipes pipes-threads sequential"),
    ("remote-k-nucleotide --n 9000 --chunk 7000 --over ws", "pipes pipes-threads sequential"),
    ("remote-k-nucleotide --n 2 --processes 1", "pipes pipes-threads sequential"),
];

/// Starts a command that listens here, with these options.
fn farm(options: &str, address: &str) -> Worker {
    Worker::start(&format!("remote-k-nucleotide --contenders pipes --listen {address} {options}"))
}

/// Starts as many workers as that command says, and as it says. All of them are there when this returns.
fn team(farm: &mut Worker, many: usize) -> Vec<Worker> {
    let told = farm.complaint();
    let head = format!("workers to start: {many}, each with: k-nucleotide ");
    let words = told.strip_prefix(&head).unwrap_or_else(|| panic!("`{told}` instead of `{head}`"));
    let workers = (0..many).map(|_| Worker::start(&format!("remote-k-nucleotide {words}"))).collect();
    assert_eq!(farm.complaint(), "all workers are there\n");
    workers
}

/// Asserts that a command has counted, and said nothing else than that.
fn assert_verified(farm: Worker) {
    let (code, said, complained) = farm.end();
    assert_eq!((code, &*complained), (Some(0), ""), "{said}");
    assert!(said.contains("all verified"), "{said}");
}

#[test]
fn the_bytes_are_shown() {
    let lines = lines("remote-k-nucleotide --n 1000 --chunk 700 --contenders all");
    for line in lines {
        let bytes = |key: &str| line[key].as_u64();
        if line["contender"] == "pipes" {
            // A letter has two bits, and each chunk a head.
            assert!((1_250..2_500).contains(&bytes("sent_bytes").expect("they are shown")), "{line}");
            assert!(bytes("received_bytes") > bytes("sent_bytes"), "{line}");
        } else {
            assert_eq!(bytes("sent_bytes"), None, "{line}");
        }
        assert_eq!(line["params"]["n"], 1000, "{line}");
    }
}

#[test]
fn what_the_workers_have_done_is_told() {
    let words = "--n 1000 --chunk 700 --repeat 1 --contenders pipes --processes 1 --watch";
    let output = run(&format!("remote-k-nucleotide {words}"));
    let told = stderr(&output);
    assert!(told.starts_with("worker ") && told.contains("round trip\nprocess "), "{told}");
    assert!(stdout(&output).contains("\nreceived_bytes: "), "{}", stdout(&output));
}

#[test]
fn a_text_is_read_from_a_file() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("text.fa");
    let path = path.to_str().expect("it is text");
    std::fs::write(path, ">THREE\nggtattttaatttatagtggtatt\n").expect("it can be written");
    let words = format!("remote-k-nucleotide --input {path} --chunk 5 --contenders pipes");
    let line = &lines(&words)[0];
    assert_eq!((line["ops"].as_u64(), line["verified"].as_bool()), (Some(24), Some(true)), "{line}");
    std::fs::write(path, ">THREE\nggtattttaatttatagtggtatn\n").expect("it can be written");
    let told = ["could not be made ready: ", "text.fa, line 2, column 24: `n` is none of the letters"];
    assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 1, &told);
}

#[test]
fn workers_that_are_started_by_hand_count_together() {
    for over in ["tcp", "quic"] {
        let options = format!("--over {over} --n 1000 --chunk 700 --repeat 2 --workers 2 --processes 2");
        let mut farm = farm(&options, &ports(1)[0]);
        let workers = team(&mut farm, 2);
        assert_verified(farm);
        for worker in workers {
            let (code, said, complained) = worker.end();
            assert_eq!((code, &*complained), (Some(0), ""), "{said}");
            assert!(said.ends_with(" chunks were counted\n"), "{said}");
        }
    }
}

#[test]
fn what_one_that_is_killed_had_is_counted_by_the_others() {
    let (_folder, address) = sockets(1);
    let mut farm = farm("--n 20000 --chunk 7000 --repeat 3 --processes 3", &address);
    let mut workers = team(&mut farm, 3);
    workers[1].child.kill().expect("it runs");
    assert_verified(farm);
    assert_eq!(workers.remove(1).end().0, None, "it has no exit code");
    workers.into_iter().for_each(|worker| assert_eq!(worker.end().0, Some(0)));
}

#[test]
fn without_any_worker_the_command_ends() {
    let (_folder, address) = sockets(1);
    // Far more than it has time for.
    let mut farm = farm("--n 100000 --chunk 7000 --repeat 1000 --processes 2 --patience 1", &address);
    for mut worker in team(&mut farm, 2) {
        worker.child.kill().expect("it runs");
    }
    farm.fails(&["`pipes`"]);
}

#[test]
fn if_the_command_is_killed_its_workers_end() {
    let (_folder, address) = sockets(1);
    let mut farm = farm("--n 100000 --chunk 7000 --repeat 1000 --processes 2", &address);
    let workers = team(&mut farm, 2);
    farm.child.kill().expect("it runs");
    workers.into_iter().for_each(|worker| worker.fails(&["a worker: "]));
}

#[test]
fn those_that_are_not_there_are_missed() {
    let (_folder, address) = sockets(1);
    let mut alone = farm("--n 1 --patience 1", &address);
    assert!(alone.complaint().starts_with("workers to start: 2, "));
    alone.fails(&["the workers have not joined"]);
    for over in ["unix", "tcp"] {
        let nowhere = if over == "tcp" { ports(1).remove(0) } else { address.clone() };
        let worker = format!("remote-k-nucleotide --work-for {nowhere} --over {over}");
        Worker::start(&worker).fails(&["a worker: "]);
    }
    let args = ["remote-k-nucleotide", "--work-for", "here", "--over", "quic"];
    assert_refused(&args, 1, &["a worker: ", "fingerprint"]);
}

#[test]
fn bad_arguments_are_refused() {
    let refused: &[(&str, &[&str])] = &[
        ("--processes 0", &["--processes", "1..=64"]),
        ("--processes 65", &["--processes", "1..=64"]),
        ("--workers 65", &["--workers", "1..=64"]),
        ("--chunk 0", &["--chunk", "1..=4194304"]),
        ("--chunk 4194305", &["--chunk", "4194305"]),
        ("--n 400000001", &["400000001"]),
        ("--n 5 --input x", &["--n", "--input"]),
        ("--over udp", &["udp", "tcp, unix, tls, quic, ws"]),
        ("--listen a --work-for b", &["--listen", "--work-for"]),
        ("--shape 2012", &["--shape"]),
        ("--patience 0", &["--patience"]),
    ];
    for (words, told) in refused {
        let args: Vec<_> = ["remote-k-nucleotide"].into_iter().chain(words.split_whitespace()).collect();
        assert_refused(&args, 2, told);
    }
}
