//! Items whose workers are lost: who gets them next, and when that is given up.

use crate::ends::error;
use crate::protocol::work;
use crate::{Session, Travels, end, farm, join, joined, start, take, words};
use pipes_remote::Via;
use pipes_remote::engine::Quic;
use pipes_remote::farm::{FarmError, PipelineExt, Workers, worker};
use pipes_remote::security::{Identity, Trust};
use pipes_remote_tests::engines::{Secured, new, showing, trusting};
use pipes_skeleton::from_iter;
use pipes_tests::{spin_while, test_in, watched};
use std::thread;
use std::time::Duration;

/// A farm over QUIC, and two workers with certificates, which are told apart.
fn two_workers<T: Travels, U: Travels>() -> (Workers<T, U>, [Via<Quic>; 2]) {
    let (own, workers) = (new(), [new(), new()]);
    let known = Trust::fingerprints(workers.iter().map(Identity::fingerprint));
    let here = Quic::free(showing(&own).clients(known));
    let farm = Workers::listen(&here).expect("the port is free");
    (farm, workers.map(|worker| Quic::at(here.address(), trusting(&own).identity(&worker))))
}

/// A worker by hand takes items and keeps them. When it leaves, they are done by another one, before those
/// that were not sent yet.
#[test_in(watched)]
fn items_of_a_worker_that_leaves() {
    let (via, farm) = farm();
    let results = from_iter(0..50).in_flight(8).remote(&farm, |number| number).in_order().into_iter();
    let held: Vec<_> = (0..3).map(|number| take(join(&via), number)).collect();
    let busy = take(join(&via), 3);
    drop(held);
    spin_while(|| farm.report().given_again() < 3);
    // Three were lost, and all three come now.
    let mut idle = busy.done(words(3)).expect("the farm waits for it");
    let mut again = Vec::new();
    for _ in 0..4 {
        let Ok(work::Idle::Item(item, busy)) = idle.recv() else { panic!("there are items") };
        let number = item.into_inner();
        again.push(number);
        idle = busy.done(words(number)).expect("the farm waits for it");
    }
    assert!((0..3).filter(|number| again.contains(number)).count() >= 2, "{again:?}");
    drop(idle);
    let honest = start(&via, 1);
    assert!(results.map(|it| it.expect("one is honest")).eq((0..50).map(words)));
    assert!(farm.report().given_again() >= 3, "{}", farm.report());
    drop(farm);
    honest.join().expect("no panic").expect("it is the end");
}

/// An item with which each worker leaves.
#[test_in(watched)]
fn an_item_that_is_lost_again_and_again() {
    let (via, farm) = farm();
    let (farm, pipeline) = (farm.tries(4), from_iter(0..3).in_flight(1));
    let results = pipeline.remote(&farm, |number| number).named("parse").into_iter();
    for _ in 0..4 {
        let busy = take(join(&via), 0);
        drop(busy);
    }
    let failure = results.last().expect("it fails").expect_err("it was lost");
    let FarmError::Lost { item: 0, tries: 4, cause } = error(&failure) else { panic!("{failure}") };
    assert!(matches!(cause, pipes::remote::Cause::Left), "{cause:?}");
    assert!(failure.to_string().contains("item 0 was lost with 4 workers"), "{failure}");
}

/// It goes to another worker, although the first one's other sessions were the last to come.
#[test_in(watched)]
fn a_lost_item_does_not_go_to_the_same_worker() {
    let (farm, [bad, good]) = two_workers::<u64, String>();
    let results = from_iter(0..3).in_flight(1).remote(&farm, |number| number).in_order().into_iter();
    let held = take(join(&bad), 0);
    let honest = join(&good);
    joined(&farm, 2);
    let others: [Session; 3] = [(); 3].map(|()| join(&bad));
    joined(&farm, 5);
    drop(held);
    let busy = take(honest, 0);
    assert_eq!(farm.report().workers().iter().map(|worker| worker.open).sum::<u64>(), 4);
    drop((others, busy.done(words(0)).expect("the farm waits for it")));
    let good = start(&good, 1);
    assert!(results.map(|result| result.expect("one is honest")).eq((0..3).map(words)));
    end(farm, [good]);
}

/// An item that was lost goes to the session that has sent a heartbeat last: the others of a machine that
/// has failed are silent for some time before they are lost, too.
#[test_in(watched)]
fn an_item_that_was_lost_does_not_go_to_the_session_that_is_idle_for_longest() {
    let (via, farm) = farm();
    let mut sessions = Vec::new();
    for number in 1..=3 {
        sessions.push(join(&via));
        joined(&farm, number);
    }
    let results = from_iter(0..1).remote(&farm, |number| number).into_iter();
    let [first, silent, alive] = <[_; 3]>::try_from(sessions).expect("there are three");
    drop(take(first, 0));
    let _alive = take(alive, 0).done(words(0)).expect("the farm waits for it");
    assert!(results.map(|result| result.expect("it is done")).eq([words(0)]));
    drop(farm);
    assert!(matches!(silent.recv(), Ok(work::Idle::Enough)));
}

/// A worker that leaves with its item comes again, while the only other one is busy: the item waits for that
/// one, or it does not wait for it without end.
#[test]
fn a_lost_item_waits_for_another_worker_for_a_while() {
    for comes_free in [true, false] {
        watched(move || {
            let (farm, [bad, good]) = two_workers::<u64, String>();
            let farm = if comes_free { farm.tries(2) } else { farm.patience(Duration::from_millis(300)) };
            let results = from_iter(0..2).in_flight(2).remote(&farm, |number| number).in_order().into_iter();
            let first = take(join(&bad), 0);
            let second = take(join(&good), 1);
            drop(first);
            spin_while(|| farm.report().given_again() < 1);
            let again = join(&bad);
            if comes_free {
                spin_while(|| farm.report().workers()[0].sessions < 2);
                let idle = second.done(words(1)).expect("the farm waits for it");
                drop((take(idle, 0).done(words(0)).expect("the farm waits for it"), again));
            } else {
                let idle = take(again, 0).done(words(0)).expect("the farm waits for it");
                drop((second.done(words(1)).expect("the farm waits for it"), idle));
            }
            assert!(results.map(|result| result.expect("both are done")).eq((0..2).map(words)));
        });
    }
}

/// A worker that takes short messages only is not the measure of all, and keeps its sessions but one.
#[test_in(watched)]
fn a_worker_with_a_small_limit() {
    let (farm, [small, good]) = two_workers::<String, usize>();
    let working = [(small.limit(1024), 3), (good, 3 + 3)].map(|(via, sessions)| {
        let working = thread::spawn(move || worker(&via, 1, |text: String| text.len()));
        joined(&farm, sessions);
        working
    });
    // The first item is too long for the worker that has waited for longest; after that, this is known.
    for lengths in [vec![2000], [2000, 10, 10, 10].repeat(10)] {
        let results = from_iter(lengths.clone()).remote(&farm, |length| "x".repeat(length)).in_order();
        assert_eq!(results.collect().expect("one takes all of them"), lengths);
        let report = farm.report();
        assert_eq!(report.workers()[0].open, 2, "{report}");
    }
    assert_eq!(end(farm, working), 41);
}
