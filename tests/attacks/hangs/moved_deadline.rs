//! The deadline of a stage that gathers items is changed from outside while the stage sleeps. The stage must
//! see the new deadline when the waker that it registered is woken.

use pipes::{Chan, RecvTimeoutError, stream};
use pipes_skeleton::{Gather, Processed, from_port};
use pipes_tests::watched;
use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::time::{Duration, Instant};

/// Adds items, and emits the sum at its deadline.
struct Sum {
    all: u32,
    moment: Arc<Mutex<Option<Instant>>>,
    /// The waker to wake when the deadline has changed.
    watcher: Arc<Mutex<Option<Waker>>>,
    /// Signals that it waits with an item.
    asked: Mutex<Option<Chan<()>>>,
}

impl Gather<u32> for Sum {
    type Out = u32;

    fn take(&mut self, item: u32, _: &mut impl FnMut(u32) -> Processed) -> Processed {
        self.all += item;
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        *self.moment.lock().expect("no thread panics with it")
    }

    fn register(&mut self, waker: &Waker) {
        *self.watcher.lock().expect("no thread panics with it") = Some(waker.clone());
        if self.all > 0
            && let Some(asked) = &mut *self.asked.lock().expect("no thread panics with it")
        {
            let _ = asked.send(());
        }
    }

    fn wake(&mut self, emit: &mut impl FnMut(u32) -> Processed) -> Processed {
        *self.moment.lock().expect("no thread panics with it") = None;
        emit(std::mem::take(&mut self.all))
    }
}

fn is_seen(first: Option<Instant>) {
    watched(move || {
        let ((asked, mut was_asked), (mut chan, port)) = (stream(), stream());
        let moment = Arc::new(Mutex::new(first));
        let watcher = Arc::new(Mutex::new(None::<Waker>));
        let sum =
            Sum { all: 0, moment: moment.clone(), watcher: watcher.clone(), asked: Mutex::new(Some(asked)) };
        let (mut sums, running) = from_port(port).gather(sum).into_port();
        chan.send(7).expect("the pipeline runs");
        was_asked.recv().expect("it watches before it waits");
        // Gives it time to fall asleep, which it most probably does.
        for _ in 0..10_000 {
            std::thread::yield_now();
        }
        *moment.lock().expect("no thread panics with it") = Some(Instant::now());
        watcher.lock().expect("no thread panics with it").take().expect("it waits").wake();
        let sum = sums.recv_timeout(Duration::from_secs(3));
        drop((chan, running));
        assert_ne!(sum, Err(RecvTimeoutError::Timeout(())), "it is not asked again while it waits");
        assert_eq!(sum, Ok(7));
    });
}

#[test]
fn from_never() {
    is_seen(None);
}

#[test]
fn from_far_away() {
    is_seen(Some(Instant::now() + Duration::from_secs(3600)));
}
