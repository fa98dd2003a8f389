//! Threads of a certain deadlock that panic with its report. It concerns all threads of the process, so this
//! is a process of its own.

use pipes::inspect::{Verdict, deadlocks, scope, test};
use pipes::{Chan, Closing, Port, sync_stream};
use pipes_tests::watched;
use std::sync::{Arc, Barrier};
use std::thread::{Builder, JoinHandle};

pipes::proto! { greeting { hello: send { hello -> ! } } }

/// Starts a thread with this name.
fn start(name: &str, run: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    Builder::new().name(name.to_owned()).spawn(run).expect("a thread can be had")
}

/// Two threads that wait for each other, and have declared that their ends stay with them.
fn two_in_scopes() -> Vec<JoinHandle<()>> {
    let barrier = Arc::new(Barrier::new(2));
    let ((to_b, from_a), (to_a, from_b)) = (sync_stream::<u32>(1), sync_stream::<u32>(1));
    let ends = [("fails a", to_b, from_b), ("fails b", to_a, from_a)];
    let start = |(name, mut chan, mut port): (&'static str, Chan<u32>, Port<u32>)| {
        let barrier = barrier.clone();
        start(name, move || {
            scope(name, || {
                chan.send(1).expect("there is room");
                assert_eq!(port.recv(), Ok(1));
                barrier.wait();
                let _ = port.recv();
            });
            drop(chan);
        })
    };
    ends.into_iter().map(start).collect()
}

/// All threads of a certain deadlock panic with the report, and other threads go on.
#[test]
fn a_test_fails_with_the_reason() {
    watched(|| {
        let (other, kept) = sync_stream::<u32>(1);
        let waits = start("waits for a test", {
            let mut kept = kept;
            move || assert!(kept.recv().is_err())
        });
        let _test = test();
        let mut threads = two_in_scopes();
        let (mut client, server) = greeting::pipe();
        threads.push(start("fails closing", move || client.wait_closed()));
        threads.push(start("fails receiving", move || drop(server.recv())));
        for thread in threads {
            let name = thread.thread().name().expect("it has one").to_owned();
            let panic = thread.join().expect_err("it is told to panic");
            let report = panic.downcast_ref::<String>().expect("a text");
            assert!(report.starts_with("deadlock: 2 threads wait for each other\n"), "{report}");
            assert!(report.contains(&format!("'{name}' sleeps at ")), "{report}");
        }
        drop(other);
        waits.join().expect("it does not panic");
        assert!(!deadlocks().iter().any(|it| it.verdict == Verdict::Certain), "they are gone");
    });
}
