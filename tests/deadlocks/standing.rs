//! What a watch prints when a program stands still.

use crate::{asking, start};
use pipes::Closing;
use pipes::inspect::watch;
use pipes_tests::{this_program, watched};
use std::env::var_os;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread::park;
use std::time::Duration;

/// Set in the program that stands still, which is this test in another process.
const INSIDE: &str = "PIPES_STANDS_STILL";

#[test]
fn a_watch_prints_the_deadlock() {
    if var_os(INSIDE).is_some() {
        return stand_still();
    }
    watched(|| {
        let mut program = this_program();
        program.args(["standing::a_watch_prints_the_deadlock", "--exact", "--nocapture"]).env(INSIDE, "1");
        let mut program = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let said = BufReader::new(program.stderr.take().expect("it is piped")).lines();
        let mut said =
            said.map(|line| line.expect("it is text")).skip_while(|line| !line.starts_with("nothing"));
        assert_eq!(said.next().as_deref(), Some("nothing has moved for 50ms"));
        assert_eq!(said.next().as_deref(), Some("deadlock: 2 threads wait for each other"));
        assert!(said.next().is_some_and(|line| line.starts_with("  'closing' sleeps at ")));
        program.kill().and(program.wait()).expect("it runs until it is ended");
    });
}

fn stand_still() {
    let _watch = watch(Duration::from_millis(50));
    let (mut client, server) = asking::pipe();
    start("closing", move || client.wait_closed());
    while !pipes::inspect::snapshot().sleepers.iter().any(|it| it.name.as_deref() == Some("closing")) {
        std::thread::yield_now();
    }
    start("receiving", move || drop(server.recv()));
    loop {
        park();
    }
}
