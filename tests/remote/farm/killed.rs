//! Workers that are killed, and a farm that is; workers whose programs end at once.
//!
//! `PIPES_FARM` sets the number of items.

use crate::{LONG, end, words, works};
use pipes_remote::farm::{PipelineExt, WorkerError, Workers, worker};
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote_tests::children::{Another, say};
use pipes_remote_tests::size;
use pipes_skeleton::from_iter;
use pipes_tests::{spin_while, test_in, watched};
use std::process::exit;
use std::thread;
use std::time::{Duration, Instant};

/// Another process: a worker.
pub fn works_at(address: &str) {
    say("works");
    let worked = worker(&pipes_remote::tcp(address), 2, words);
    assert!(matches!(worked, Ok(_) | Err(WorkerError::Connect(_))), "{worked:?}");
}

/// Another process: a worker that keeps its items.
pub fn keeps(address: &str) {
    let keep = |_: u64| -> String {
        say("works");
        loop {
            thread::park();
        }
    };
    worker(&pipes_remote::tcp(address), 6, keep).expect("it is killed before that");
}

/// Another process: a worker whose program ends as soon as it can.
pub fn works_briefly(place: &str) {
    let (address, fingerprint) = place.split_once('#').expect("that is where it is");
    let trust = Trust::fingerprint(fingerprint.parse().expect("it is one"));
    let via = pipes_remote::quic(address, Security::new().servers(trust));
    say("works");
    worker(&via, 1, words).expect("it is the end");
    // Nothing else of this program runs, neither threads nor destructors.
    exit(0);
}

/// Another process: a farm.
pub fn farms() {
    let via = pipes_remote::tcp_free_port().expect("there is a free port");
    let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
    say(via.address());
    let results = from_iter(0..).remote(&farm, |number: u64| number).in_order();
    results.for_each(drop).expect("it is killed before that");
}

/// A process that plays this role, and the first that it says.
fn start(role: &str) -> (Another, String) {
    let mut another = Another::start("as_another_process", role);
    let said = another.says();
    (another, said)
}

/// Three workers, one of which is killed again and again: all results, each once, in order.
#[test_in(watched)]
fn workers_that_are_killed() {
    let items = size("PIPES_FARM", 10_000);
    let via = pipes_remote::tcp_free_port().expect("there is a free port");
    let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
    // An item may be under way each time that a worker is killed.
    let farm = farm.tries(1000);
    let role = format!("works {}", via.address());
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
            workers.remove(0).kill();
            workers.push(start(&role).0);
            kills += 1;
        }
    }
    assert_eq!(next, items);
    assert!(kills >= items / each, "{kills}");
    let report = farm.report();
    assert_eq!(report.items(), items);
    println!("{items} items, {kills} workers killed, {} items given again\n{report}", report.given_again());
    assert!(farm.finish(LONG), "all of them know");
    workers.into_iter().for_each(Another::ends_well);
}

/// A worker's program ends as soon as it knows of the end: the farm knows that, and does not wait until it
/// takes the worker for lost.
#[test_in(watched)]
fn workers_whose_programs_end_at_once() {
    let identity = Identity::generate().expect("there is randomness");
    for _ in 0..20 {
        let via = pipes_remote::quic_free_port(Security::new().identity(&identity));
        let via = via.expect("there is a free port");
        let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
        let role = format!("briefly {}#{}", via.address(), identity.fingerprint());
        let (another, _) = start(&role);
        works(&farm, 0..10);
        // Less than the silence after which a worker is lost.
        assert!(farm.finish(Duration::from_secs(10)), "it knows");
        another.ends_well();
    }
}

/// The farm's process is killed: its workers find out, and end.
#[test_in(watched)]
fn a_farm_that_is_killed() {
    let (mut another, address) = start("farms");
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
    another.kill();
    let lost = working.join().expect("it does not panic").expect_err("it was lost");
    assert!(matches!(lost, WorkerError::Lost { .. }), "{lost}");
}

/// A worker with many sessions is killed while it has one item. That is one try, not one for each session.
#[test_in(watched)]
fn a_worker_that_is_killed_with_idle_sessions() {
    for _ in 0..5 {
        let via = pipes_remote::tcp_free_port().expect("there is a free port");
        let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
        let results = from_iter(0..5).in_flight(1).remote(&farm, |number| number).in_order().into_iter();
        let (mut keeper, _) = start(&format!("keeps {}", via.address()));
        spin_while(|| farm.report().workers().iter().map(|worker| worker.sessions).sum::<u64>() < 8);
        keeper.kill();
        let working = thread::spawn(move || worker(&via, 1, words));
        assert!(results.map(|result| result.expect("there is another")).eq((0..5).map(words)));
        // All sessions come from this machine.
        let report = farm.report();
        assert_eq!(report.workers().len(), 1, "{report}");
        assert_eq!((report.workers()[0].sessions, report.items()), (8 + 3, 5), "{report}");
        end(farm, [working]);
    }
}
