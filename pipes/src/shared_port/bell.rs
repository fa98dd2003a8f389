//! The waker of a receiver that is a member of a set.

use crate::slot::Token;
use crate::sync::{Lock, WakeArc};
use std::task::Wake;

/// A waker that pushes a set's token onto the set's list, if the token is here.
pub(super) struct Bell(Lock<Option<Token>>);

impl Bell {
    pub(super) fn new() -> Self {
        Bell(Lock::new(None))
    }

    pub(super) fn put(&self, token: Token) {
        *self.0.lock() = Some(token);
    }

    pub(super) fn take(&self) -> Option<Token> {
        self.0.lock().take()
    }
}

impl Wake for Bell {
    /// A late call, after the token was taken back and put here again, only costs the set a look.
    fn wake(self: WakeArc<Self>) {
        if let Some(token) = self.take() {
            token.ring();
        }
    }
}
