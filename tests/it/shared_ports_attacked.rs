//! Attempts to break shared ports: wakers that act, panics at bad moments, tokens on their way.

mod closes;
mod kept;
mod sets;
mod threads;
mod world;

use std::sync::Mutex;

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
