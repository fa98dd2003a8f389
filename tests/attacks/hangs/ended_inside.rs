//! A posted pipeline that a stage of its own waits for, which is refused, and which its owner waits for after that.

use pipes::oneshot;
use pipes::skeleton::{Cause, Posted, posted};
use pipes_tests::watched;
use std::sync::{Arc, Mutex};

type Place = Arc<Mutex<Option<Posted<u64, u64>>>>;

/// The stage's wait ends the pipeline before the items are done. What is left is not all that came of them, and the owner learns of it.
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
        match running.collect() {
            Ok(all) => panic!("ten items were posted, and of these came {all:?}, without a failure"),
            Err(failure) => println!("{failure}"),
        }
    });
}
