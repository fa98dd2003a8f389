//! Which events make a thread look again before it sleeps.

use super::{Taken, Waitable, wait};
use crate::wait::tests::END;
use crate::wait::waiter::Waiter;
use std::cell::Cell;
use std::panic::Location;
use std::task::Waker;

/// A structure whose event comes at the moment of the registration, and which counts the looks before that.
struct Late {
    soon: bool,
    looks: Cell<usize>,
}

impl Waitable for Late {
    fn channel(&self) -> usize {
        0
    }

    fn most_in_a_row(&self) -> usize {
        1
    }

    fn comes_soon(&self) -> bool {
        self.soon
    }

    fn has_come(&self) -> bool {
        self.looks.set(self.looks.get() + 1);
        false
    }

    fn is_waiting_as(&self, _: &Waker) -> bool {
        false
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        Err(waiter)
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        Ok(None)
    }
}

#[test]
fn a_thread_looks_again_for_what_comes_soon_only() {
    let looks = |soon| {
        let mut place = Late { soon, looks: Cell::new(0) };
        assert!(wait(&mut place, None, END, Location::caller()));
        place.looks.get()
    };
    assert!(looks(true) > 0);
    assert_eq!(looks(false), 0);
}
