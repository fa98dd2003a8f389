//! Destructors of sources, stages and replicas that wait for the end behind them in the pipeline: it must
//! reach them.

use pipes_skeleton::{Gather, Processed, Stage, from_fn, from_iter};
use pipes_tests::watched;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Its destructor waits until the sender is dropped.
struct Waits(Receiver<()>);

impl Drop for Waits {
    fn drop(&mut self) {
        assert!(self.0.recv().is_err(), "nothing is sent");
    }
}

/// Passes items on.
struct Through {
    _waits: Waits,
}

impl Stage<u32> for Through {
    type Out = u32;

    fn process(&mut self, item: u32, emit: &mut impl FnMut(u32) -> Processed) -> Processed {
        emit(item)
    }
}

/// Drops its sender when the items end.
struct AtEnd(Option<Sender<()>>);

impl Gather<u32> for AtEnd {
    type Out = u32;

    fn take(&mut self, item: u32, emit: &mut impl FnMut(u32) -> Processed) -> Processed {
        emit(item)
    }

    fn finish(&mut self, _: &mut impl FnMut(u32) -> Processed) -> Processed {
        self.0 = None;
        Ok(())
    }
}

#[test]
fn a_source_that_waits_for_the_end_behind_it() {
    watched(|| {
        let (end, ended) = channel();
        let waits = Waits(ended);
        let mut left = 3;
        let source = from_fn(move || {
            let _here = &waits;
            left -= 1;
            (left > 0).then_some(left)
        });
        let items = source.gather(AtEnd(Some(end))).collect().expect("no stage fails");
        assert_eq!(items, [2, 1]);
    });
}

#[test]
fn a_stage_that_waits_for_the_end_behind_it() {
    watched(|| {
        let (end, ended) = channel();
        let stages = from_iter(0..3).stage(Through { _waits: Waits(ended) }).gather(AtEnd(Some(end)));
        assert_eq!(stages.collect().expect("no stage fails"), [0, 1, 2]);
    });
}

#[test]
fn a_replica_that_waits_for_the_end_behind_it() {
    watched(|| {
        let (end, ended) = channel();
        let mut stages = vec![Through { _waits: Waits(ended) }];
        let farm = from_iter(0..3).parallel_with(1, move |_| stages.pop().expect("one is asked for"));
        let items = farm.gather(AtEnd(Some(end))).collect().expect("no stage fails");
        assert_eq!(items, [0, 1, 2]);
    });
}
