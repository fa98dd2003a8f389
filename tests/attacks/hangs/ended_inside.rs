//! A stage of a posted pipeline waits for the end of that pipeline, which is refused. The pipeline's owner,
//! which waits after that, must still get a correct answer.

use pipes::oneshot;
use pipes_skeleton::ssp::{SspPipeline, parallel, pipeline, sequential};
use pipes_skeleton::{Cause, Posted, posted};
use pipes_tests::watched;
use std::sync::{Arc, Mutex};

type Place = Arc<Mutex<Option<Posted<u64, u64>>>>;

/// The stage's wait ends the input, and is refused. The items that were posted must be processed all the
/// same, and the owner must get all of them.
#[test]
fn what_a_stage_has_ended_is_not_complete() {
    watched(|| {
        let place = Place::default();
        let (go, gone) = oneshot();
        let (told, is_told) = oneshot();
        let (mut gone, mut told, inside) = (Some(gone), Some(told), place.clone());
        let running = posted(move |items| {
            items.sequential(move |number: u64| {
                if let Some(gone) = gone.take() {
                    gone.recv().expect("it may go on");
                    let mut place = inside.lock().expect("no thread panics with it");
                    let failure = place.as_mut().expect("it is there").end_and_wait();
                    assert!(matches!(failure.expect_err("its own end").cause(), Cause::WaitsForItself));
                    drop(place);
                    told.take().expect("it comes once").send(()).expect("it is waited for");
                }
                number
            })
        });
        let running = running.expect("it can be run");
        for number in 0..10 {
            running.post(number).expect("it runs");
        }
        *place.lock().expect("no thread panics with it") = Some(running);
        go.send(()).expect("it waits");
        assert_eq!(is_told.recv(), Ok(()));
        let running = place.lock().expect("no thread panics with it").take().expect("it is there");
        assert!(running.collect().is_ok_and(|all| all.into_iter().eq(0..10)));
    });
}

/// In the notation of Rust-SSP, the refused wait panics in the stage: the owner must get a failure.
#[test]
fn what_a_stage_has_ended_by_a_panic_is_not_complete() {
    type Place = Arc<Mutex<Option<SspPipeline<u64, u64>>>>;
    watched(|| {
        let place = Place::default();
        let (go, gone) = oneshot();
        let (told, is_told) = oneshot();
        let (inside, mut ends) = (place.clone(), Some((gone, told)));
        let running = pipeline![
            parallel!(|number: u64| Some(number), 2),
            sequential!({
                let (inside, mut ends) = (inside.clone(), ends.take());
                move |number: u64| {
                    if let Some((gone, told)) = ends.take() {
                        gone.recv().expect("it may go on");
                        let running = inside.lock().expect("no thread panics with it").take();
                        let mut running = running.expect("it is there");
                        let panic = pipes_tests::caught(|| running.end_and_wait());
                        *inside.lock().expect("no thread panics with it") = Some(running);
                        told.send(()).expect("it is waited for");
                        assert!(panic.is_none(), "it panicked, and so does this stage");
                    }
                    number
                }
            }),
        ];
        for number in 0..10 {
            running.post(number).expect("it runs");
        }
        *place.lock().expect("no thread panics with it") = Some(running);
        go.send(()).expect("it waits");
        assert_eq!(is_told.recv(), Ok(()));
        let running = place.lock().expect("no thread panics with it").take().expect("it is there");
        let all = running.try_collect();
        assert!(all.is_err(), "a stage has panicked, and of ten items came {all:?}");
    });
}
