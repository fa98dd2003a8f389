//! Farms over TLS and QUIC, whose workers have certificates.

use crate::{LONG, words};
use pipes::skeleton::from_iter;
use pipes_remote::engine::Engine;
use pipes_remote::farm::{Remote, WorkerError, Workers, worker};
use pipes_remote::security::{Fingerprint, Identity, Security, Trust};
use pipes_remote::{ConnectError, Refusal, Via, quic, quic_free_port, tls, tls_free_port};
use pipes_tests::watched;
use std::thread;

fn new() -> Identity {
    Identity::generate().expect("there are random numbers")
}

/// Two workers have certificates that the farm admits, one has another, one has none, and one is eager. The
/// report has a line for each certificate.
fn run<E: Engine>(free: fn(Security) -> Via<E>, at: fn(String, Security) -> Via<E>) {
    let (own, workers, stranger) = (new(), [new(), new()], new());
    let known: Vec<Fingerprint> = workers.iter().chain([&stranger]).map(Identity::fingerprint).collect();
    let bad = stranger.fingerprint();
    let here = free(Security::new().identity(&own).clients(Trust::fingerprints(known)));
    let here = here.admit(move |peer| peer.fingerprint() != Some(bad));
    let farm: Workers<u64, String> = Workers::listen(&here).expect("the port is free");
    let trusting = Security::new().servers(Trust::fingerprint(own.fingerprint()));

    let there = at(here.address(), trusting.clone());
    let none = worker(&there.eager(), 1, words);
    assert!(matches!(none, Err(WorkerError::Connect(ConnectError::Unreachable { .. }))), "{none:?}");
    let there = at(here.address(), trusting.clone().identity(&stranger));
    match worker(&there.eager(), 1, words) {
        Err(WorkerError::Connect(ConnectError::Refused { reason: Refusal::NotAdmitted, .. })) => {}
        other => panic!("{other:?}"),
    }
    let working = workers.map(|identity| {
        let there = at(here.address(), trusting.clone().identity(&identity)).eager();
        thread::spawn(move || worker(&there, 2, words))
    });
    for _ in 0..2 {
        let results = from_iter(0..200).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there are workers").into_iter().eq((0..200).map(words)));
    }
    let report = farm.report();
    assert!((1..=2).contains(&report.workers().len()), "{report}");
    assert!(report.workers().iter().all(|worker| worker.peer.starts_with("certificate ")), "{report}");
    assert!(farm.finish(LONG));
    let done = working.map(|worker| match worker.join().expect("no panic") {
        // It may have come when all was over.
        Err(WorkerError::Connect(_)) => 0,
        other => other.expect("it is the end"),
    });
    assert_eq!(done.iter().sum::<u64>(), 400);
}

#[test]
fn over_tls() {
    watched(|| run(|security| tls_free_port(security).expect("there is a free port"), tls));
}

#[test]
fn over_quic() {
    watched(|| run(|security| quic_free_port(security).expect("there is a free port"), quic));
}
