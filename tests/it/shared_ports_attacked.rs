//! Attempts to break shared ports: wakers that act, panics at bad moments, receivers that leave.

mod closes;
mod threads;
mod unread;
mod world;

use pipes::{Port, shared_stream, shared_sync_stream, stream, sync_stream};
use std::sync::Mutex;

/// A sender that waits for room, if there is a limit.
type Sends<T> = Box<dyn FnMut(T) + Send>;

/// One stream of each kind.
fn streams<T: Send + 'static>() -> [(Sends<T>, Port<T>); 5] {
    let (mut single, single_port) = stream();
    let (mut bounded, bounded_port) = sync_stream(4);
    let (mut meets, meeting_port) = sync_stream(0);
    let (shared, shared_port) = shared_stream();
    let (limited, limited_port) = shared_sync_stream(4);
    [
        (Box::new(move |value| assert!(single.send(value).is_ok())), single_port),
        (Box::new(move |value| assert!(bounded.send(value).is_ok())), bounded_port),
        (Box::new(move |value| assert!(meets.send(value).is_ok())), meeting_port),
        (Box::new(move |value| assert!(shared.send(value).is_ok())), shared_port),
        (Box::new(move |value| assert!(limited.send(value).is_ok())), limited_port),
    ]
}

/// A message that does something when it is dropped.
pub struct AtDrop(Mutex<Option<Box<dyn FnOnce() + Send>>>);

impl AtDrop {
    /// A message that does this.
    pub fn new(action: impl FnOnce() + Send + 'static) -> Self {
        AtDrop(Mutex::new(Some(Box::new(action))))
    }
}

impl Drop for AtDrop {
    fn drop(&mut self) {
        if let Some(action) = self.0.get_mut().expect("no panic").take() {
            action();
        }
    }
}
