//! More threads send at once than a shared stream lets claim their slots by addition: the counts that it
//! keeps in a few bits do not overflow.

use pipes::shared_stream;
use pipes_tests::{DropCounter, test_in, watched};
use std::sync::Barrier;
use std::thread;

/// More than the 1024 threads that may claim by addition at the same time.
const THREADS: usize = if cfg!(miri) { 6 } else { 1100 };
const EACH: u64 = 4;

/// Each message is received, comes back, or is dropped with the port.
#[test_in(watched)]
fn all_send_at_once() {
    for port_stays in [true, false] {
        let (drops, (chan, mut port)) = (DropCounter::new(), shared_stream());
        let start = Barrier::new(THREADS + 1);
        thread::scope(|scope| {
            for sender in 0..THREADS as u64 {
                let (chan, start, drops) = (chan.clone(), &start, &drops);
                let sending = move || {
                    start.wait();
                    for index in 0..EACH {
                        let sent = chan.send(drops.make(EACH * sender + index)).is_ok();
                        assert!(sent || !port_stays);
                    }
                };
                let thread = thread::Builder::new().stack_size(64 << 10).spawn_scoped(scope, sending);
                thread.expect("a thread can be had");
            }
            start.wait();
            let mut next = vec![0; THREADS];
            let messages = THREADS * if port_stays { EACH as usize } else { 1 };
            for message in port.iter().take(messages) {
                let sender = (message.number / EACH) as usize;
                assert_eq!(message.number % EACH, next[sender], "a sender's messages come in order");
                next[sender] += 1;
            }
            drop(port);
        });
        drop(chan);
        assert_eq!(drops.made(), THREADS * EACH as usize);
        drops.assert_all_dropped();
    }
}
