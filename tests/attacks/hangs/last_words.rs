//! Services, eventuals and pipelines that panic with something whose destructor panics: that is an end of theirs, and not of the process. Each runs in a
//! process of its own.
#![cfg(not(miri))]

use pipes::skeleton::{from_iter, posted};
use pipes::{Eventual, RecvError, spawn_service};
use pipes_tests::{greeting, watched};
use std::env::{current_exe, var_os};
use std::panic::panic_any;
use std::process::Command;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// Says that this process is one in which it happens.
const INSIDE: &str = "PIPES_LAST_WORDS";

/// What a thread panics with. It says when it goes.
struct Bomb(Sender<()>);

impl Drop for Bomb {
    fn drop(&mut self) {
        let _ = self.0.send(());
        panic!("what was panicked with goes");
    }
}

/// Runs it in a process of its own, and then waits until the bomb has gone, or will never go.
fn apart(test: impl FnOnce(Bomb) + Send + 'static) {
    if var_os(INSIDE).is_some() {
        return watched(move || {
            let (goes, gone) = channel();
            test(Bomb(goes));
            // It may as well be forgotten.
            let _ = gone.recv_timeout(std::time::Duration::from_millis(300));
            // What ends the process, ends it soon after.
            thread::sleep(std::time::Duration::from_millis(100));
        });
    }
    let name = thread::current().name().expect("a test's thread has its name").to_owned();
    let program = current_exe().expect("a test is a program");
    let run = Command::new(program).args([&name, "--exact", "--test-threads=2"]).env(INSIDE, "").output();
    let output = run.expect("it is run");
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

#[test]
fn of_a_service() {
    apart(|bomb| {
        let client = spawn_service::<greeting::Protocol<u32>>(|_server| panic_any(bomb));
        drop(client);
    });
}

#[test]
fn of_an_eventual() {
    apart(|bomb| assert_eq!(Eventual::<u32>::spawn(|| panic_any(bomb)).get(), Err(RecvError)));
}

/// Fails at its first item with the bomb.
fn fails(bomb: Bomb) -> impl FnMut(u32) -> u32 + Send + 'static {
    let mut bomb = Some(bomb);
    move |number| match bomb.take() {
        Some(bomb) => panic_any(bomb),
        None => number,
    }
}

#[test]
fn of_a_pipeline_that_is_left_alone() {
    apart(|bomb| {
        let (port, running) = from_iter(0..9).sequential(fails(bomb)).into_port();
        running.detach();
        port.into_iter().for_each(drop);
    });
}

#[test]
fn of_a_pipeline_that_is_dropped() {
    apart(|bomb| {
        let (port, running) = from_iter(0..9).sequential(fails(bomb)).into_port();
        port.into_iter().for_each(drop);
        drop(running);
    });
}

#[test]
fn of_a_posted_pipeline() {
    apart(|bomb| {
        let running = posted(|items| items.sequential(fails(bomb))).expect("it can be run");
        let _ = running.post(1);
        drop(running);
    });
}
