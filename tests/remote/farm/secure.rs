//! Farms over TLS and QUIC, whose workers have certificates.

use super::protocol::work;
use crate::{LONG, words};
use pipes_remote::engine::Engine;
use pipes_remote::farm::{Remote, WorkerError, Workers, worker};
use pipes_remote::security::{Fingerprint, Identity, Security, Trust};
use pipes_remote::{ConnectError, Refusal, Via, quic, quic_free_port, tls, tls_free_port};
use pipes_skeleton::from_iter;
use pipes_tests::{spin_while, watched};
use std::thread;
use std::time::Duration;

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

/// A worker that leaves with each item, and comes again at once, while another one is busy: the item that it
/// has lost waits for the other.
#[test]
fn an_item_that_was_lost_waits_for_another_worker() {
    watched(|| {
        let (own, bad, good) = (new(), new(), new());
        let here = quic_free_port(
            Security::new()
                .identity(&own)
                .clients(Trust::fingerprints([bad.fingerprint(), good.fingerprint()])),
        )
        .expect("there is a free port");
        let farm: Workers<u64, String> = Workers::listen(&here).expect("the port is free");
        let farm = farm.tries(2);
        let trusting = Security::new().servers(Trust::fingerprint(own.fingerprint()));
        let [bad, good] =
            [bad, good].map(|identity| quic(here.address(), trusting.clone().identity(&identity)));
        let take = |session: work::Client<work::Idle<u64, String>>, number| {
            let Ok(work::Idle::Item(item, busy)) = session.recv() else { panic!("there are items") };
            assert_eq!(item.into_inner(), number);
            busy
        };
        let results = from_iter(0..2).window(2).remote(&farm, |number| number).in_order().into_iter();
        let first = take(work::connect(&bad).expect("it listens"), 0);
        let second = take(work::connect(&good).expect("it listens"), 1);
        drop(first);
        spin_while(|| farm.report().given_again() < 1);
        let again: work::Client<work::Idle<u64, String>> = work::connect(&bad).expect("it listens");
        spin_while(|| farm.report().workers()[0].sessions < 2);
        let idle = second.done(words(1)).expect("the farm waits for it");
        drop(take(idle, 0).done(words(0)).expect("the farm waits for it"));
        drop(again);
        assert!(results.map(|result| result.expect("one is good")).eq((0..2).map(words)));
    });
}

/// A worker that takes short messages only is not the measure of all, and keeps its sessions but one.
#[test]
fn a_worker_with_a_small_limit() {
    watched(|| {
        let (own, small, good) = (new(), new(), new());
        let known = Trust::fingerprints([small.fingerprint(), good.fingerprint()]);
        let here =
            quic_free_port(Security::new().identity(&own).clients(known)).expect("there is a free port");
        let farm: Workers<String, usize> = Workers::listen(&here).expect("the port is free");
        let trusting = Security::new().servers(Trust::fingerprint(own.fingerprint()));
        let [small, good] =
            [small, good].map(|identity| quic(here.address(), trusting.clone().identity(&identity)));
        let working = [(small.limit(1024), 3), (good, 3 + 3)].map(|(via, sessions)| {
            let working = thread::spawn(move || worker(&via, 1, |text: String| text.len()));
            let there = || farm.report().workers().iter().map(|worker| worker.open).sum::<u64>();
            spin_while(|| there() < sessions);
            working
        });
        // The first item is too long for the worker that has waited for longest; after that, this is known.
        for lengths in [vec![2000], [2000, 10, 10, 10].repeat(10)] {
            let results = from_iter(lengths.clone()).remote(&farm, |length| "x".repeat(length)).in_order();
            assert_eq!(results.collect().expect("one takes all of them"), lengths);
            let report = farm.report();
            assert_eq!(report.workers()[0].open, 2, "{report}");
        }
        assert!(farm.finish(LONG));
        let done = working.map(|working| working.join().expect("no panic").expect("it is the end"));
        assert_eq!(done.iter().sum::<u64>(), 41);
    });
}

/// A worker that leaves with its item comes again, and the only other one never ends with its own: then the
/// item does not wait for that one without end.
#[test]
fn an_item_that_was_lost_does_not_wait_for_ever() {
    watched(|| {
        let (own, bad, busy) = (new(), new(), new());
        let known = Trust::fingerprints([bad.fingerprint(), busy.fingerprint()]);
        let here =
            quic_free_port(Security::new().identity(&own).clients(known)).expect("there is a free port");
        let farm: Workers<u64, String> = Workers::listen(&here).expect("the port is free");
        let farm = farm.patience(Duration::from_millis(300));
        let trusting = Security::new().servers(Trust::fingerprint(own.fingerprint()));
        let [bad, busy] =
            [bad, busy].map(|identity| quic(here.address(), trusting.clone().identity(&identity)));
        let take = |via, number| {
            let session: work::Client<work::Idle<u64, String>> = work::connect(via).expect("it listens");
            let Ok(work::Idle::Item(item, busy)) = session.recv() else { panic!("there are items") };
            assert_eq!(item.into_inner(), number);
            busy
        };
        let results = from_iter(0..2).window(2).remote(&farm, |number| number).in_order().into_iter();
        let first = take(&bad, 0);
        let second = take(&busy, 1);
        drop(first);
        let idle = take(&bad, 0).done(words(0)).expect("the farm waits for it");
        drop(second.done(words(1)).expect("the farm waits for it"));
        assert!(results.map(|result| result.expect("both are done")).eq((0..2).map(words)));
        drop(idle);
    });
}
