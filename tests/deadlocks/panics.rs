//! Threads of a certain deadlock that panic with its report. It concerns all threads of the process, so this
//! is a process of its own.

mod scoped;

use pipes::inspect::{Verdict, deadlocks, test};
use pipes::{Closing, sync_stream};
use pipes_tests::watched;
use scoped::{start, two_in_scopes};

pipes::proto! { greeting { hello: send { hello -> ! } } }

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
        let mut threads = Vec::from(two_in_scopes(["fails a", "fails b"]));
        let (mut client, server) = greeting::pipe();
        threads.push(start("fails closing", move || client.wait_closed()));
        threads.push(start("fails receiving", move || drop(server.recv())));
        for thread in threads {
            let name = thread.thread().name().expect("it has one").to_owned();
            let panic = thread.join().expect_err("it takes part in a deadlock");
            let report = panic.downcast_ref::<String>().expect("a text");
            assert!(report.starts_with("deadlock: 2 threads wait for each other\n"), "{report}");
            assert!(report.contains(&format!("'{name}' sleeps at ")), "{report}");
        }
        drop(other);
        waits.join().expect("it does not panic");
        assert!(!deadlocks().iter().any(|it| it.verdict == Verdict::Certain), "they are gone");
    });
}
