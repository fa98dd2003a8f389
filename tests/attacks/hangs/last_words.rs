//! Services, eventuals and pipelines that panic with something whose destructor panics: that is an end of theirs, and not of the process. Each runs in a
//! process of its own.
#![cfg(not(miri))]

use pipes::skeleton::{from_iter, posted};
use pipes::{Eventual, RecvError, spawn_service};
use pipes_tests::{apart, caught, greeting, watched};
use std::cell::RefCell;
use std::panic::panic_any;
use std::sync::mpsc::{self, Sender, channel};

/// What a thread panics with.
struct Bomb(Sender<()>);

/// Says that a thread has come to its end.
struct Ended(#[expect(dead_code, reason = "it is there to be dropped")] Sender<()>);

thread_local! {
    static LAST: RefCell<Option<Ended>> = const { RefCell::new(None) };
}

impl Bomb {
    /// The thread panics with it.
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

/// Runs it in a process of its own, until the thread has ended in which the bomb explodes, and the bomb has gone.
fn explodes(test: impl FnOnce(Bomb) + Send + 'static) {
    let test = || {
        let (end, ended) = channel();
        // Where a pipeline is let go of that has failed already, the destructor's panic may come out.
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

/// Fails at its first item with the bomb.
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
