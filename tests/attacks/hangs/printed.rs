//! Handles of running pipelines are printed to a writer that waits for the pipeline, or that changes what is
//! printed: printing must not hold a lock.

use pipes::{Chan, oneshot, sync_stream};
use pipes_skeleton::{Batching, Metrics, Pace, from_port};
use pipes_tests::watched;
use std::fmt::{self, Debug, Write};
use std::thread;
use std::time::Duration;

/// Writes into a stream of capacity 1.
struct Log(Chan<String>);

impl Write for Log {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.send(text.to_owned()).map_err(|_| fmt::Error)
    }
}

/// Prints the handle again and again into the pipeline that it belongs to.
fn prints_into(handle: impl Debug + Send + 'static, log: Chan<String>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut log = Log(log);
        for _ in 0..200 {
            write!(log, "{handle:#?}").expect("it is read");
        }
    })
}

#[test]
fn a_pace_into_what_it_paces() {
    watched(|| {
        let (log, lines) = sync_stream(1);
        let pace = Pace::new(1e6).expect("it can be kept");
        let prints = prints_into(pace.clone(), log);
        from_port(lines).hand_over(1).paced(&pace).for_each(drop).expect("no stage fails");
        prints.join().expect("it does not panic");
    });
}

#[test]
fn batches_into_what_they_batch() {
    watched(|| {
        let (log, lines) = sync_stream(1);
        let batching = Batching::of(3).within(Duration::from_millis(1));
        let prints = prints_into(batching.clone(), log);
        from_port(lines).hand_over(1).batched(&batching).for_each(drop).expect("no stage fails");
        prints.join().expect("it does not panic");
    });
}

#[test]
fn figures_into_what_they_measure() {
    watched(|| {
        let (log, lines) = sync_stream(1);
        let metrics = Metrics::new();
        let prints = prints_into(metrics.clone(), log);
        from_port(lines).hand_over(1).measured(&metrics).for_each(drop).expect("no stage fails");
        prints.join().expect("it does not panic");
    });
}

/// A writer that runs a function when it is first written to.
struct Does<F>(Option<F>);

impl<F: FnOnce()> Write for Does<F> {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        if let Some(does) = self.0.take() {
            does();
        }
        Ok(())
    }
}

#[test]
fn a_writer_that_changes_what_is_printed() {
    watched(|| {
        let pace = Pace::new(1.0).expect("it can be kept");
        let batching = Batching::of(3);
        let (done, is_done) = oneshot();
        write!(Does(Some(|| pace.set(2.0).expect("it can be kept"))), "{pace:?}").expect("it is written");
        write!(Does(Some(|| batching.set_size(4).expect("it is possible"))), "{batching:?}")
            .expect("it is written");
        done.send(()).expect("it is waited for");
        assert_eq!(is_done.recv(), Ok(()));
    });
}
