//! Sessions that are dropped with their items, or before them, and what the farm believes of its workers.

use super::protocol::work;
use crate::ends::error;
use crate::{LONG, farm, start, words};
use pipes_remote::Via;
use pipes_remote::engine::Memory;
use pipes_remote::farm::{FarmError, Remote, WorkerError, Workers, worker};
use pipes_skeleton::{Cancel, from_iter};
use pipes_tests::{spin_while, watched};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

type Session = work::Client<work::Idle<u64, String>>;
type Held = work::Client<work::Busy<u64, String>>;

fn join(via: &Via<Memory>) -> Session {
    work::connect(via).expect("it listens")
}

/// Takes the next item and keeps it.
fn hold(session: Session, number: u64) -> Held {
    let Ok(work::Idle::Item(item, busy)) = session.recv() else { panic!("there are items") };
    assert_eq!(item.into_inner(), number);
    busy
}

/// Waits until the farm has had this many sessions.
pub fn joined(farm: &Workers<u64, String>, sessions: u64) {
    spin_while(|| farm.report().workers().iter().map(|worker| worker.sessions).sum::<u64>() < sessions);
}

/// A pipeline drops a session with its item. That is no worker any more.
#[test]
fn a_session_that_is_dropped_with_its_item_does_not_count() {
    watched(|| {
        let (via, farm) = farm();
        let (farm, cancel) = (farm.patience(Duration::from_millis(300)), Cancel::new());
        let first =
            from_iter(0..3).window(1).remote(&farm, |number| number).cancelled_by(&cancel).into_iter();
        let held = hold(join(&via), 0);
        cancel.cancel();
        drop(first);
        drop(held);
        let failure = from_iter(0..3).remote(&farm, |number| number).named("parse").collect();
        let failure = failure.expect_err("there is no worker");
        assert!(matches!(error(&failure), FarmError::NoWorker { .. }), "{failure}");
    });
}

/// Items are worked on while their stage is busy with the next one; and a session that is idle outlives the
/// pipeline that it had an item of.
#[test]
fn a_busy_stage_holds_up_no_item() {
    watched(|| {
        let (via, farm) = farm();
        let (begins, begun) = mpsc::channel();
        let (go, goes) = mpsc::channel::<()>();
        let prepare = move |number: u64| {
            if number == 1 {
                begins.send(()).expect("the test goes on");
                let _ = goes.recv();
                panic!("one");
            }
            number
        };
        let first = from_iter(0..2).remote(&farm, prepare).named("parse").into_iter();
        // The first item waits for a session, and its stage is busy with the second.
        begun.recv().expect("the stage goes on");
        let session = hold(join(&via), 0).done(words(0)).expect("the farm waits for it");
        // Until the result is there, the session belongs to the pipeline, and ends with it.
        spin_while(|| farm.report().items() < 1);
        drop(go);
        let failure = first.last().expect("it fails").expect_err("it panics");
        assert_eq!((failure.stage(), failure.panic_message()), ("parse", Some("one")));
        let second = from_iter(7..8).remote(&farm, |number| number).into_iter();
        let _session = hold(session, 7).done(words(7)).expect("the farm waits for it");
        assert!(second.map(|result| result.expect("there is a worker")).eq([words(7)]));
    });
}

/// A farm is dropped, and a pipeline still has items: it fails, whether there was a worker or not.
#[test]
fn items_that_wait_when_the_farm_is_dropped() {
    watched(|| {
        let (_, farm) = farm();
        let results = from_iter(0..10).remote(&farm, |number| number).named("parse").into_iter();
        drop(farm);
        let failure = results.last().expect("it fails").expect_err("there is no farm");
        assert!(matches!(error(&failure), FarmError::Closed), "{failure}");
        assert!(failure.to_string().contains("the farm is closed"), "{failure}");
    });
    watched(|| {
        let (via, farm) = farm();
        let results = from_iter(0..10).window(1).remote(&farm, |number| number).named("parse").into_iter();
        let held = hold(join(&via), 0);
        drop(farm);
        // Its worker is lost. There will be no other.
        drop(held);
        let failure = results.last().expect("it fails").expect_err("there is no farm");
        assert!(matches!(error(&failure), FarmError::Closed), "{failure}");
    });
}

/// An item that is done is a result, also if the farm was dropped before; then its worker hears of the end.
#[test]
fn an_item_that_is_done_after_the_farm_was_dropped() {
    watched(|| {
        let (via, farm) = farm();
        let results = from_iter(0..1).remote(&farm, |number| number).into_iter();
        let held = hold(join(&via), 0);
        drop(farm);
        let session = held.done(words(0)).expect("the farm waits for it");
        assert!(matches!(session.recv(), Ok(work::Idle::Enough)));
        assert!(results.map(|result| result.expect("it is done")).eq([words(0)]));
    });
}

/// To finish takes as long as workers have items, and the time has a limit.
#[test]
fn a_farm_finishes_when_its_workers_are_done() {
    watched(|| {
        let (via, farm) = farm();
        let results = from_iter(0..1).remote(&farm, |number| number).into_iter();
        let held = hold(join(&via), 0);
        assert!(!farm.finish(Duration::from_millis(20)), "a worker has an item");
        let session = held.done(words(0)).expect("the farm waits for it");
        assert!(matches!(session.recv(), Ok(work::Idle::Enough)));
        assert!(results.map(|result| result.expect("it is done")).eq([words(0)]));
    });
    watched(|| {
        let (via, farm) = farm();
        let results = from_iter(0..1).remote(&farm, |number| number).into_iter();
        let held = hold(join(&via), 0);
        let finishes = thread::spawn(move || farm.finish(LONG));
        let session = held.done(words(0)).expect("the farm waits for it");
        assert!(matches!(session.recv(), Ok(work::Idle::Enough)));
        assert!(finishes.join().expect("it does not panic"), "all of them know");
        assert!(results.map(|result| result.expect("it is done")).eq([words(0)]));
        let late = worker(&via, 1, words).expect_err("there is no farm");
        assert!(matches!(late, WorkerError::Connect(_)), "{late}");
    });
}

/// A worker that gets some of its sessions only works with those, and loses no item.
#[test]
fn a_worker_that_is_refused_half_way() {
    watched(|| {
        let via = pipes_remote::memory().sessions(4);
        let farm: Workers<u64, String> = Workers::listen(&via).expect("it is free");
        // It needs three, and so does the second one.
        let first = start(&via, 1);
        joined(&farm, 3);
        let second = start(&via, 1);
        joined(&farm, 4);
        let third = worker(&via, 1, words).expect_err("there is no room");
        assert!(matches!(third, WorkerError::Connect(_)), "{third}");
        let results = from_iter(0..100).remote(&farm, |number| number).in_order().collect();
        assert!(results.expect("there is a worker").into_iter().eq((0..100).map(words)));
        assert_eq!(farm.report().given_again(), 0, "{}", farm.report());
        assert!(farm.finish(LONG));
        let done = [first, second].map(|worker| worker.join().expect("no panic").expect("it is the end"));
        assert_eq!(done.iter().sum::<u64>(), 100);
    });
}

/// An item that was lost goes to the session that has sent a heartbeat last: the others of a machine that
/// has failed are silent for some time before they are lost, too.
#[test]
fn an_item_that_was_lost_does_not_go_to_the_session_that_is_idle_for_longest() {
    watched(|| {
        let (via, farm) = farm();
        let mut sessions = Vec::new();
        for number in 1..=3 {
            sessions.push(join(&via));
            joined(&farm, number);
        }
        let results = from_iter(0..1).remote(&farm, |number| number).into_iter();
        let [first, silent, alive] = <[_; 3]>::try_from(sessions).expect("there are three");
        drop(hold(first, 0));
        let _alive = hold(alive, 0).done(words(0)).expect("the farm waits for it");
        assert!(results.map(|result| result.expect("it is done")).eq([words(0)]));
        drop(farm);
        assert!(matches!(silent.recv(), Ok(work::Idle::Enough)));
    });
}

/// A pipeline ends, and all sessions that had its items come back at the same time. The farm has room for one
/// of them at a time.
#[test]
fn sessions_that_a_pipeline_left_come_back() {
    watched(|| {
        let via = pipes_remote::memory().backlog(1);
        let farm: Workers<u64, u64> = Workers::listen(&via).expect("it is free");
        let (took, taken) = mpsc::channel();
        let (go, goes) = mpsc::channel::<()>();
        let goes = Mutex::new(goes);
        let working = thread::spawn(move || {
            worker(&via, 20, move |number: u64| {
                took.send(()).expect("the test goes on");
                let _ = goes.lock().expect("no panic").recv();
                number
            })
        });
        let sessions = || farm.report().workers().iter().map(|worker| worker.sessions).sum::<u64>();
        spin_while(|| sessions() < 22);
        let cancel = Cancel::new();
        let numbers = from_iter(0..100).window(100).remote(&farm, |number| number);
        let results = numbers.cancelled_by(&cancel).into_iter();
        (0..20).for_each(|_| taken.recv().expect("each replica takes one"));
        cancel.cancel();
        drop(results);
        drop(go);
        spin_while(|| sessions() < 42);
        assert!(farm.finish(LONG));
        working.join().expect("it does not panic").expect("it hears of the end");
    });
}
