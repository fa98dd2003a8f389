//! A stage that panics after it has emitted an item whose destructor panics, too: that is a failure of the pipeline, and not the end of the
//! process. Each runs in a process of its own.
#![cfg(not(miri))]

use pipes::skeleton::{Pipeline, Processed, Stage, from_iter};
use pipes_tests::watched;
use std::env::{current_exe, var_os};
use std::mem::forget;
use std::process::Command;
use std::thread;

/// Says that this process is one in which it happens.
const INSIDE: &str = "PIPES_SECOND_PANIC";

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the item goes");
    }
}

struct EmitsAndPanics;

impl Stage<u32> for EmitsAndPanics {
    type Out = Bomb;

    fn process(&mut self, _: u32, emit: &mut impl FnMut(Bomb) -> Processed) -> Processed {
        emit(Bomb)?;
        panic!("the stage fails")
    }
}

/// Runs it in a process of its own.
fn apart(stages: impl FnOnce(Pipeline<u32>) -> Pipeline<Bomb> + Send + 'static) {
    if var_os(INSIDE).is_some() {
        watched(move || assert!(stages(from_iter(0..1)).for_each(forget).is_err()));
        return;
    }
    let name = thread::current().name().expect("a test's thread has its name").to_owned();
    let program = current_exe().expect("a test is a program");
    let run = Command::new(program).args([&name, "--exact", "--test-threads=2"]).env(INSIDE, "").output();
    let output = run.expect("it is run");
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

#[test]
fn of_a_sequential_stage() {
    apart(|items| items.stage(EmitsAndPanics));
}

#[test]
fn of_a_replica() {
    apart(|items| items.parallel_with(2, |_| EmitsAndPanics));
}
