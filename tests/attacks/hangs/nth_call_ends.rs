//! As [`nth_call`](super::nth_call), with other ends: the n-th call of the user code drops or joins the
//! pipeline's handle, or drops its port.

use super::nth_call::{Calls, Item, everything, is_over, source, steps};
use pipes::{Port, stream};
use pipes_skeleton::Running;
use pipes_tests::{Bell, poll, watched};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A place for a value that is made after the closure that drops it.
struct Later<T>(Arc<Mutex<Option<T>>>);

impl<T> Later<T> {
    fn new() -> Self {
        Later(Arc::new(Mutex::new(None)))
    }

    fn put(&self, value: T) {
        *self.0.lock().expect("no thread panics with it") = Some(value);
    }

    fn take(&self) -> Option<T> {
        self.0.lock().expect("no thread panics with it").take()
    }
}

impl<T> Clone for Later<T> {
    fn clone(&self) -> Self {
        Later(self.0.clone())
    }
}

/// The handle is dropped, or joined, in the code of the pipeline itself.
#[test]
fn the_handle() {
    watched(|| {
        for at in steps() {
            let calls = Calls::at(at);
            let handle = Later::<Running>::new();
            let inside = handle.clone();
            let reads = thread::current().id();
            calls.does(move || match inside.take() {
                None => {}
                // The thread that reads the results would wait for itself.
                Some(running) if at % 2 == 0 || thread::current().id() == reads => drop(running),
                Some(running) => drop(running.join()),
            });
            let (mut port, running) = everything(source(&calls, 50), &calls).into_port();
            handle.put(running);
            while let Ok(item) = port.recv() {
                drop(item);
            }
            if let Some(running) = handle.take() {
                running.join().expect("no stage fails");
            }
            drop(port);
            is_over(&calls);
        }
    });
}

/// The port is dropped in the code of the pipeline itself, or in a waker of the port that the pipeline's sink
/// wakes.
#[test]
fn the_port() {
    watched(|| {
        for at in steps() {
            let calls = Calls::at(at);
            let place = Later::<Port<Item>>::new();
            let inside = place.clone();
            calls.does(move || drop(inside.take()));
            let (port, running) = everything(source(&calls, 50), &calls).into_port();
            place.put(port);
            let (told, mut tells) = stream();
            let told = Arc::new(Mutex::new(told));
            loop {
                let (ring, rings, inside) = (told.clone(), calls.clone(), calls.clone());
                let (_bell, waker) = Bell::that(move || {
                    rings.call();
                    ring.lock().expect("no thread panics with it").send(()).expect("it is here");
                });
                let Some(mut port) = place.take() else { break };
                if poll(&mut port, &waker).is_ready() {
                    match port.try_recv() {
                        Ok(item) => drop(item),
                        Err(_) => break,
                    }
                    place.put(port);
                } else {
                    place.put(port);
                    inside.call();
                    // The port may be gone by now, without a call of its waker.
                    let _ = tells.recv_timeout(Duration::from_millis(1));
                }
            }
            drop(running.join());
            drop(place.take());
            is_over(&calls);
        }
    });
}
