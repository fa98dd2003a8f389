//! Farms over TLS and QUIC, whose workers have certificates.

use crate::{LONG, words, works};
use pipes_remote::engine::{Quic, Tls};
use pipes_remote::farm::{WorkerError, Workers, worker};
use pipes_remote::security::{Fingerprint, Identity, Trust};
use pipes_remote::{ConnectError, Refusal};
use pipes_remote_tests::engines::{Secured, new, showing, trusting};
use pipes_tests::watched;
use std::thread;

/// Two workers have certificates that the farm admits, one has another, one has none, and one is eager. The
/// report has a line for each certificate.
fn run<E: Secured>() {
    let (own, workers, stranger) = (new(), [new(), new()], new());
    let known: Vec<Fingerprint> = workers.iter().chain([&stranger]).map(Identity::fingerprint).collect();
    let bad = stranger.fingerprint();
    let here = E::free(showing(&own).clients(Trust::fingerprints(known)));
    let here = here.admit(move |peer| peer.certificate() != Some(bad));
    let farm: Workers<u64, String> = Workers::listen(&here).expect("the port is free");
    let trusting = trusting(&own);
    let there = E::at(here.address(), trusting.clone());
    let none = worker(&there.eager(), 1, words);
    match none {
        Err(WorkerError::Connect(ConnectError::Refused { reason: Refusal::Untrusted, .. })) => {}
        other => panic!("{other:?}"),
    }
    let there = E::at(here.address(), trusting.clone().identity(&stranger));
    match worker(&there.eager(), 1, words) {
        Err(WorkerError::Connect(ConnectError::Refused { reason: Refusal::NotAdmitted, .. })) => {}
        other => panic!("{other:?}"),
    }
    let working = workers.map(|identity| {
        let there = E::at(here.address(), trusting.clone().identity(&identity)).eager();
        thread::spawn(move || worker(&there, 2, words))
    });
    works(&farm, 0..200);
    works(&farm, 0..200);
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
    watched(run::<Tls>);
}

#[test]
fn over_quic() {
    watched(run::<Quic>);
}
