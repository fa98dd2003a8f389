//! Tickets come back while a pump begins to wait for them. The pump is woken, and counts each of them once.

use crate::support::WakeCounter;
use loom::thread;
use pipes::remote::Window;
use std::task::{Context, Poll, Waker};

/// Polls until this many tickets have come back. Between two polls, the pump's waker must have been called.
fn count(window: &Window, expected: usize) {
    let (mut counted, mut heard) = (0, 0);
    let (wakes, waker) = WakeCounter::new();
    while counted < expected {
        match window.poll_returned(expected - counted, &mut Context::from_waker(&waker)) {
            Poll::Ready(returned) => counted += returned,
            Poll::Pending => {
                while wakes.count() == heard {
                    thread::yield_now();
                }
                heard = wakes.count();
            }
        }
    }
    assert_eq!(counted, expected);
}

#[test]
fn one_after_another() {
    loom::model(|| {
        let window = Window::new();
        let tickets = [window.ticket(), window.ticket()];
        let user = thread::spawn(move || tickets.map(drop));
        count(&window, 2);
        user.join().unwrap();
    });
}

#[test]
fn in_two_threads() {
    loom::model(|| {
        let window = Window::new();
        let users = [window.ticket(), window.ticket()].map(|ticket| thread::spawn(move || drop(ticket)));
        count(&window, 2);
        for user in users {
            user.join().unwrap();
        }
    });
}

/// The pump counts what is there, without waiting for more.
#[test]
fn some_of_them_early() {
    loom::model(|| {
        let window = Window::new();
        let tickets = [window.ticket(), window.ticket()];
        let user = thread::spawn(move || tickets.map(drop));
        let mut counted = 0;
        if let Poll::Ready(returned) = window.poll_returned(1, &mut Context::from_waker(Waker::noop())) {
            counted += returned;
        }
        if counted < 2 {
            count(&window, 2 - counted);
        }
        user.join().unwrap();
    });
}

/// The window is gone before the last ticket.
#[test]
fn too_late() {
    loom::model(|| {
        let window = Window::new();
        let ticket = window.ticket();
        let user = thread::spawn(move || drop(ticket));
        drop(window);
        user.join().unwrap();
    });
}
