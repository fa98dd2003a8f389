//! Code that runs when a thread ends.

use crate::spawn;
use std::cell::RefCell;
use std::sync::mpsc::channel;
use std::thread;

/// Runs a function when it is dropped.
struct AtDrop(Option<Box<dyn FnOnce()>>);

impl Drop for AtDrop {
    fn drop(&mut self) {
        if let Some(action) = self.0.take() {
            action();
        }
    }
}

thread_local! {
    static LAST: RefCell<Vec<AtDrop>> = const { RefCell::new(Vec::new()) };
}

/// Sends and receives, so that the library's thread-locals exist.
fn use_library() {
    let (chan, port) = pipes::oneshot();
    let sending = spawn(move || assert!(chan.send(1).is_ok()));
    assert_eq!(port.recv(), Ok(1));
    sending.join().expect("it was sent");
    let (chan, port) = pipes::shared_stream();
    assert!(chan.send(1).is_ok());
    drop(port);
}

/// Runs the first function in the destructor of a thread-local value, and the second one in this thread at
/// the same time: once before the library's thread-locals are dropped, and once after that.
pub fn at_thread_end<A, B>(make: impl Fn() -> (A, B))
where
    A: FnOnce() + Send + 'static,
    B: FnOnce(),
{
    for is_dropped_before in [true, false] {
        let (last, here) = make();
        let (begun, has_begun) = channel::<()>();
        let register = move || {
            let action = move || {
                drop(begun);
                last();
            };
            LAST.with_borrow_mut(|all| all.push(AtDrop(Some(Box::new(action)))));
        };
        // Values are dropped in the order of their first use, or in the reverse order.
        let ending = thread::spawn(move || {
            if is_dropped_before {
                register();
                use_library();
            } else {
                use_library();
                register();
            }
        });
        assert!(has_begun.recv().is_err());
        here();
        ending.join().expect("it does not panic");
    }
}
