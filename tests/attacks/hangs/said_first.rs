//! A failure must be reported before the remaining values of the run are dropped, because their destructors
//! may wait for what the failure ends.

use super::waits::Waits;
use pipes_skeleton::{Pipeline, Processed, Stage, from_fn};
use pipes_tests::watched;
use std::sync::mpsc::channel;

/// An endless source, and a value whose destructor waits until the source is gone.
fn endless() -> (Pipeline<u64>, Waits) {
    let (here, gone) = channel();
    let mut number = 0;
    let source = from_fn(move || {
        let _here = &here;
        number += 1;
        Some(number)
    });
    (source, Waits(gone))
}

/// The function of a sink panics, and a value that it has captured waits for the source.
#[test]
fn a_sink_that_waits_for_the_source() {
    watched(|| {
        let (source, waits) = endless();
        let failure = source.for_each(move |_| {
            let _here = &waits;
            panic!("enough")
        });
        assert_eq!(failure.expect_err("it has no other end").panic_message(), Some("enough"));
    });
}

/// Emits its value, and panics.
struct EmitsAndPanics(Option<Waits>);

impl Stage<u64> for EmitsAndPanics {
    type Out = Option<Waits>;

    fn process(&mut self, _: u64, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        emit(self.0.take())?;
        panic!("enough")
    }
}

/// A replica emits a value and then panics at the same item. The value waits for the source.
#[test]
fn an_emitted_item_that_waits_for_the_source() {
    watched(|| {
        let (source, waits) = endless();
        let mut waits = Some(waits);
        let farm = source.parallel_with(1, move |_| EmitsAndPanics(waits.take()));
        let failure = farm.for_each(drop).expect_err("it has no other end");
        assert_eq!(failure.panic_message(), Some("enough"));
    });
}

/// Turns the first item into two, and drops the others.
struct Two(Option<Waits>);

impl Stage<u64> for Two {
    type Out = Option<Waits>;

    fn process(&mut self, _: u64, emit: &mut impl FnMut(Self::Out) -> Processed) -> Processed {
        match self.0.take() {
            None => Ok(()),
            waits => {
                emit(None)?;
                emit(waits)
            }
        }
    }
}

/// One item becomes two. A replica fails at the first of them, and the second one waits for the source.
#[test]
fn an_item_not_begun_that_waits_for_the_source() {
    watched(|| {
        let (source, waits) = endless();
        let mut waits = Some(waits);
        let farm = source
            .parallel_with(1, move |_| Two(waits.take()))
            .try_parallel(1, |item: Option<Waits>| item.ok_or("enough"));
        let failure = farm.for_each(drop).expect_err("it has no other end");
        assert_eq!(failure.to_string(), "stage 2 failed: enough");
    });
}
