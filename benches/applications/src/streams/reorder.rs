//! Items that arrive in any order, returned in the order of their numbers.

use std::collections::VecDeque;

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("reorder.rs");

/// Items that wait for those before them. The first place is that of the next item due; the buffer grows as
/// needed.
#[derive(Debug)]
pub struct Reorder<T> {
    due: u32,
    waiting: VecDeque<Option<T>>,
}

impl<T> Reorder<T> {
    /// An empty buffer, in which item 0 is due.
    pub const fn new() -> Reorder<T> {
        Reorder { due: 0, waiting: VecDeque::new() }
    }

    /// Takes item `number`, and returns all items whose turn has come.
    pub fn put(&mut self, number: u32, item: T) -> impl Iterator<Item = T> {
        // The numbers start again from zero after the largest one.
        let place = number.wrapping_sub(self.due) as usize;
        if place >= self.waiting.len() {
            self.waiting.resize_with(place + 1, || None);
        }
        self.waiting[place] = Some(item);
        std::iter::from_fn(|| {
            let item = self.waiting.front_mut()?.take()?;
            self.waiting.pop_front();
            self.due = self.due.wrapping_add(1);
            Some(item)
        })
    }
}
