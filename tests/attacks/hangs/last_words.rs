//! Services, eventuals and pipelines that panic with a payload whose destructor panics. The panic must end
//! the service or pipeline, and not the process. Each test runs in its own process.
#![cfg(not(miri))]

use pipes::{Eventual, RecvError, spawn_service};
use pipes_skeleton::{from_iter, posted};
use pipes_tests::{apart, caught, greeting, watched};
use std::cell::RefCell;
use std::panic::panic_any;
use std::sync::mpsc::{self, Sender, channel};

/// The payload of a panic.
struct Bomb(Sender<()>);

/// A thread-local value whose destructor signals that its thread has ended.
struct Ended(#[expect(dead_code, reason = "it is there to be dropped")] Sender<()>);

thread_local! {
    static LAST: RefCell<Option<Ended>> = const { RefCell::new(None) };
}

impl Bomb {
    /// Panics with the bomb as its payload.
    fn explode(self) -> ! {
        LAST.set(Some(Ended(self.0.clone())));
        panic_any(self);
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("what was panicked with goes");
    }
}

/// Runs the test in its own process, until the thread in which the bomb explodes has ended and the bomb is
/// dropped.
fn explodes(test: impl FnOnce(Bomb) + Send + 'static) {
    let test = || {
        let (end, ended) = channel();
        // Dropping a pipeline that has failed may let the destructor's panic out.
        drop(caught(|| test(Bomb(end))));
        assert_eq!(ended.recv(), Err(mpsc::RecvError), "nothing is sent, and all senders go");
    };
    apart(|| watched(test));
}

#[test]
fn of_a_service() {
    explodes(|bomb| {
        let client = spawn_service::<greeting::Protocol<u32>>(|_server| bomb.explode());
        drop(client);
    });
}

#[test]
fn of_an_eventual() {
    explodes(|bomb| assert_eq!(Eventual::<u32>::spawn(|| bomb.explode()).get(), Err(RecvError)));
}

/// A function that explodes at its first item.
fn fails(bomb: Bomb) -> impl FnMut(u32) -> u32 + Send + 'static {
    let mut bomb = Some(bomb);
    move |number| match bomb.take() {
        Some(bomb) => bomb.explode(),
        None => number,
    }
}

#[test]
fn of_a_pipeline_that_is_left_alone() {
    explodes(|bomb| {
        let (port, running) = from_iter(0..9).sequential(fails(bomb)).into_port();
        running.detach();
        port.into_iter().for_each(drop);
    });
}

#[test]
fn of_a_pipeline_that_is_dropped() {
    explodes(|bomb| {
        let (port, running) = from_iter(0..9).sequential(fails(bomb)).into_port();
        port.into_iter().for_each(drop);
        drop(running);
    });
}

#[test]
fn of_a_posted_pipeline() {
    explodes(|bomb| {
        let running = posted(|items| items.sequential(fails(bomb))).expect("it can be run");
        let _ = running.post(1);
        drop(running);
    });
}
