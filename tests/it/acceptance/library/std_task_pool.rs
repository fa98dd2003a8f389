//! A pool of threads, and jobs that are dealt out in turn.
//!
//! `test_task_pool` of `std::task_pool`, Rust 0.5: four threads run eight jobs, each thread fed by a stream
//! of its own.

use crate::acceptance::Sleeper;
use pipes::{Chan, stream};
use pipes_tests::watched;

type Job = Box<dyn FnOnce(usize) + Send>;

struct Pool {
    chans: Vec<Chan<Job>>,
    threads: Vec<Sleeper<()>>,
    next: usize,
}

impl Pool {
    fn new(size: usize) -> Self {
        let (chans, ports): (Vec<_>, Vec<_>) = (0..size).map(|_| stream::<Job>()).unzip();
        let run = |(index, jobs): (usize, pipes::Port<Job>)| {
            Sleeper::spawn(move || jobs.into_iter().for_each(|job| job(index)))
        };
        Pool { chans, threads: ports.into_iter().enumerate().map(run).collect(), next: 0 }
    }

    fn execute(&mut self, job: impl FnOnce(usize) + Send + 'static) {
        assert!(self.chans[self.next].send(Box::new(job)).is_ok(), "the thread is there");
        self.next = (self.next + 1) % self.chans.len();
    }

    /// Closes the streams, which ends the threads once they have run all their jobs.
    fn end(self) {
        drop(self.chans);
        self.threads.into_iter().for_each(|thread| thread.join().expect("no job panics"));
    }
}

#[test]
fn four_threads_run_eight_jobs() {
    watched(|| {
        let mut pool = Pool::new(4);
        let mut ran = pipes::PortSet::new();
        for _ in 0..8 {
            let mut chan = ran.chan();
            pool.execute(move |index| chan.send(index).expect("it is asked for"));
        }
        pool.end();
        let mut by: Vec<_> = ran.messages().collect();
        by.sort_unstable();
        assert_eq!(by, [0, 0, 1, 1, 2, 2, 3, 3]);
    });
}
