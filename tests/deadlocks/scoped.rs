//! Threads with names, and two of them in scopes, for both test targets.

use pipes::inspect::scope;
use pipes::sync_stream;
use std::sync::{Arc, Barrier};
use std::thread::{Builder, JoinHandle};

/// Starts a thread with this name.
pub fn start(name: &str, run: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    Builder::new().name(name.to_owned()).spawn(run).expect("a thread can be had")
}

/// Two threads with a stream each, which both have declared that the ends stay with them.
pub fn two_in_scopes(names: [&'static str; 2]) -> [JoinHandle<()>; 2] {
    let barrier = Arc::new(Barrier::new(2));
    let ((to_b, from_a), (to_a, from_b)) = (sync_stream::<u32>(1), sync_stream::<u32>(1));
    let [a, b] = names;
    [(a, to_b, from_b), (b, to_a, from_a)].map(|(name, mut chan, mut port)| {
        let barrier = barrier.clone();
        start(name, move || {
            scope(&format!("ends of {name}"), || {
                chan.send(1).expect("there is room");
                assert_eq!(port.recv(), Ok(1));
                barrier.wait();
                let _ = port.recv();
            });
            drop(chan);
        })
    })
}
