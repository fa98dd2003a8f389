//! A stage that gathers items stands behind a stage that fails. It must not take the failure for the end of
//! the items.

use pipes_skeleton::{Gather, Processed, Stage, from_iter};
use pipes_tests::watched;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Emits the first item, emits nothing for the second one, and fails at the third one, after a signal.
struct Fails {
    at_third: Sender<()>,
    signal: Receiver<()>,
    _here: Sender<()>,
}

impl Stage<u32> for Fails {
    type Out = u32;

    fn process(&mut self, item: u32, emit: &mut impl FnMut(u32) -> Processed) -> Processed {
        match item {
            0 => emit(0),
            1 => Ok(()),
            _ => {
                self.at_third.send(()).expect("it is waited for");
                self.signal.recv().expect("the signal comes");
                Err("enough".into())
            }
        }
    }
}

/// Holds the first item until the third one is being processed. Asked for its deadline (because the second
/// item has become nothing), it waits until the stage before it has failed and is gone.
struct Slow {
    is_at_third: Receiver<()>,
    give: Sender<()>,
    gone: Receiver<()>,
    has_taken: Cell<bool>,
    finished: Arc<AtomicBool>,
}

impl Gather<u32> for Slow {
    type Out = u32;

    fn take(&mut self, _: u32, _: &mut impl FnMut(u32) -> Processed) -> Processed {
        self.is_at_third.recv().expect("three items come");
        self.has_taken.set(true);
        Ok(())
    }

    fn deadline(&self) -> Option<std::time::Instant> {
        if self.has_taken.replace(false) {
            self.give.send(()).expect("it waits");
            assert!(self.gone.recv().is_err(), "nothing is sent");
        }
        None
    }

    fn finish(&mut self, _: &mut impl FnMut(u32) -> Processed) -> Processed {
        self.finished.store(true, Ordering::SeqCst);
        Ok(())
    }
}

#[test]
fn a_failure_is_not_the_end_of_the_items() {
    watched(|| {
        let (at_third, is_at_third) = channel();
        let (give, signal) = channel();
        let (here, gone) = channel();
        let mut fails = Some(Fails { at_third, signal, _here: here });
        let finished = Arc::new(AtomicBool::new(false));
        let slow = Slow { is_at_third, give, gone, has_taken: Cell::new(false), finished: finished.clone() };
        let farm = from_iter(0..3_u32).parallel_with(1, move |_| fails.take().expect("one is asked for"));
        let failure = farm.gather(slow).collect().expect_err("the third item fails");
        assert_eq!(failure.to_string(), "stage 1 failed: enough");
        assert!(!finished.load(Ordering::SeqCst), "the failure was taken for the end of the items");
    });
}
