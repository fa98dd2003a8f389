//! Workers that are killed, and a farm that is; workers whose programs end at once.
//!
//! `PIPES_FARM` sets the number of items.

use crate::{LONG, words};
use pipes_remote::farm::{Remote, WorkerError, Workers, worker};
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote_tests::size;
use pipes_skeleton::from_iter;
use pipes_tests::{spin_while, watched};
use std::env;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio, exit};
use std::thread;
use std::time::{Duration, Instant};

/// What the other process is to be, and where.
const ROLE: &str = "PIPES_TEST_ROLE";

/// Only for other processes; a run without a role has nothing to do but to check that.
#[test]
fn as_the_other_process() {
    let role = env::var(ROLE).unwrap_or_default();
    match role.split_once(' ') {
        Some(("worker", address)) => {
            println!("works");
            let worked = worker(&pipes_remote::tcp(address), 2, words);
            assert!(matches!(worked, Ok(_) | Err(WorkerError::Connect(_))), "{worked:?}");
        }
        Some(("keeper", address)) => {
            let keep = |number: u64| -> String {
                println!("works on {number}");
                loop {
                    thread::park();
                }
            };
            worker(&pipes_remote::tcp(address), 6, keep).expect("it is killed before that");
        }
        Some(("brief", place)) => {
            let (address, fingerprint) = place.split_once('#').expect("that is where it is");
            let trust = Trust::fingerprint(fingerprint.parse().expect("it is one"));
            let via = pipes_remote::quic(address, Security::new().servers(trust));
            println!("works");
            worker(&via, 1, words).expect("it is the end");
            // Nothing else of this program runs, neither threads nor destructors.
            exit(0);
        }
        Some(("farm", _)) => {
            let via = pipes_remote::tcp_free_port().expect("there is a free port");
            let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
            println!("listens {}", via.address());
            let results = from_iter(0..).remote(&farm, |number: u64| number).in_order();
            results.for_each(drop).expect("it is killed before that");
        }
        _ => assert_eq!(role, "", "an unknown role"),
    }
}

/// A process that plays this role, and the first line that it says of it.
fn start(role: &str) -> (Child, String) {
    let mut child = Command::new(env::current_exe().expect("a test knows where it is"))
        .args(["killed::as_the_other_process", "--exact", "--nocapture"])
        .env(ROLE, role)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    while !line.contains("works") && !line.contains("listens ") {
        line.clear();
        assert_ne!(output.read_line(&mut line).expect("it can be read"), 0, "it has ended");
    }
    thread::spawn(move || output.read_to_end(&mut Vec::new()));
    (child, line)
}

/// Three workers, one of which is killed again and again: all results, each once, in order.
#[test]
fn workers_that_are_killed() {
    watched(|| {
        let items = size("PIPES_FARM", 10_000);
        let via = pipes_remote::tcp_free_port().expect("there is a free port");
        let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
        // An item may be under way each time that a worker is killed.
        let farm = farm.tries(1000);
        let role = format!("worker {}", via.address());
        let mut workers: Vec<_> = (0..3).map(|_| start(&role).0).collect();
        let (mut next, mut kills) = (0, 0);
        // One is killed each time that a tenth is done, and each second.
        let (each, mut last) = ((items / 10).max(1), Instant::now());
        let results = from_iter(0..items).remote(&farm, |number| number).in_order().into_iter();
        for result in results {
            assert_eq!(result.expect("there are others"), words(next));
            next += 1;
            if next % each == 0 || last.elapsed() >= Duration::from_secs(1) {
                last = Instant::now();
                let mut worker = workers.remove(0);
                worker.kill().expect("it runs");
                worker.wait().expect("it has ended");
                workers.push(start(&role).0);
                kills += 1;
            }
        }
        assert_eq!(next, items);
        assert!(kills >= items / each, "{kills}");
        let report = farm.report();
        assert_eq!(report.items(), items);
        println!(
            "{items} items, {kills} workers killed, {} items given again\n{report}",
            report.given_again()
        );
        assert!(farm.finish(LONG), "all of them know");
        for mut worker in workers {
            assert!(worker.wait().expect("it runs").success());
        }
    });
}

/// A worker's program ends as soon as it knows of the end: the farm knows that, and does not wait until it
/// takes the worker for lost.
#[test]
fn workers_whose_programs_end_at_once() {
    watched(|| {
        let identity = Identity::generate().expect("there is randomness");
        for _ in 0..20 {
            let via = pipes_remote::quic_free_port(Security::new().identity(&identity));
            let via = via.expect("there is a free port");
            let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
            let role = format!("brief {}#{}", via.address(), identity.fingerprint());
            let (mut child, _) = start(&role);
            let results = from_iter(0..10).remote(&farm, |number| number).in_order().collect();
            assert!(results.expect("there is a worker").into_iter().eq((0..10).map(words)));
            // Less than the silence after which a worker is lost.
            assert!(farm.finish(Duration::from_secs(10)), "it knows");
            assert!(child.wait().expect("it runs").success());
        }
    });
}

/// The farm's process is killed: its workers find out, and end.
#[test]
fn a_farm_that_is_killed() {
    watched(|| {
        let (mut child, line) = start("farm here");
        let (_, address) = line.trim().split_once("listens ").expect("that is what it says");
        let via = pipes_remote::tcp(address);
        let (told, tells) = std::sync::mpsc::channel();
        let working = thread::spawn(move || {
            worker(&via, 2, move |number: u64| {
                // The test may have enough.
                let _ = told.send(number);
                words(number)
            })
        });
        for _ in 0..100 {
            tells.recv().expect("there are items without end");
        }
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
        let lost = working.join().expect("it does not panic").expect_err("it was lost");
        assert!(matches!(lost, WorkerError::Lost { .. }), "{lost}");
    });
}

/// A worker with many sessions is killed while it has one item. That is one try, not one for each session.
#[test]
fn a_worker_that_is_killed_with_idle_sessions() {
    watched(|| {
        for _ in 0..5 {
            let via = pipes_remote::tcp_free_port().expect("there is a free port");
            let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
            let results = from_iter(0..5).window(1).remote(&farm, |number| number).in_order().into_iter();
            let (mut keeper, _) = start(&format!("keeper {}", via.address()));
            spin_while(|| farm.report().workers().iter().map(|worker| worker.sessions).sum::<u64>() < 8);
            keeper.kill().expect("it runs");
            keeper.wait().expect("it has ended");
            let working = thread::spawn(move || worker(&via, 1, words));
            assert!(results.map(|result| result.expect("there is another")).eq((0..5).map(words)));
            // All sessions come from this machine.
            let report = farm.report();
            assert_eq!(report.workers().len(), 1, "{report}");
            assert_eq!((report.workers()[0].sessions, report.items()), (8 + 3, 5), "{report}");
            assert!(farm.finish(LONG));
            working.join().expect("it does not panic").expect("it is the end");
        }
    });
}
