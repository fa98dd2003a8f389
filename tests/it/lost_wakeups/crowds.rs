//! Many threads at one stream.

use pipes::{SharedChan, shared_stream};
use pipes_tests::watched;
use std::cell::RefCell;
use std::sync::{Arc, Barrier};
use std::thread::Builder;

/// More than the 1024 threads that may claim by addition at the same time.
const THREADS: u64 = if cfg!(miri) { 12 } else { 1100 };
const EACH: u64 = 3;

/// Sends once more when it is dropped.
struct SendsAtDrop(SharedChan<u64>);

impl Drop for SendsAtDrop {
    fn drop(&mut self) {
        self.0.send(1).expect("it is received");
    }
}

/// All threads live at the same time. Each sends once more when its thread-local values are dropped.
#[test]
fn more_senders_than_may_claim_by_addition() {
    thread_local! {
        static LAST: RefCell<Option<SendsAtDrop>> = const { RefCell::new(None) };
    }
    watched(|| {
        let (chan, port) = shared_stream();
        let all = Arc::new(Barrier::new(THREADS as usize));
        let start = |_| {
            let (chan, all) = (chan.clone(), all.clone());
            let run = move || {
                LAST.set(Some(SendsAtDrop(chan.clone())));
                chan.send(1).expect("it is received");
                all.wait();
                (0..EACH).for_each(|_| chan.send(1).expect("it is received"));
                all.wait();
            };
            Builder::new().stack_size(128 * 1024).spawn(run).expect("the system has this many threads")
        };
        let sending: Vec<_> = (0..THREADS).map(start).collect();
        drop(chan);
        assert_eq!(port.into_iter().sum::<u64>(), THREADS * (EACH + 2));
        sending.into_iter().for_each(|sending| sending.join().expect("it does not panic"));
    });
}
