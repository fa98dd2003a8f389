//! Registering a token instead of a waiter: how a set waits at a member.

use super::token::Token;
use crate::wait::{Taken, Waitable};

/// Registers a set's token, which the other side pushes onto the set's list when it happens. `Err`: it has
/// happened.
#[inline(always)]
pub(in crate::slot) fn register_token(waitable: &mut impl Waitable, token: Token) -> Result<(), Token> {
    // Another waiter that was registered is dropped first: its destructor is its executor's code, and if it
    // panicked later, the token would leak.
    match waitable.unregister() {
        Ok(waiter) => drop(waiter),
        Err(Taken) => return Err(token),
    }
    waitable.register(token.into_waiter()).map_err(|waiter| {
        Token::from_waiter(waiter).expect("a refused registration gives back its waiter, which is the token")
    })
}

/// Takes the token back. None: the other side has taken it, or it was never registered here. Another waiter
/// that is registered is dropped.
pub(in crate::slot) fn unregister_token(waitable: &mut impl Waitable) -> Option<Token> {
    Token::from_waiter(waitable.unregister().ok()??)
}
