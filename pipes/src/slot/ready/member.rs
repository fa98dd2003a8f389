//! A token in the seat of a waiter: how a set waits at a member.

use super::token::Token;
use crate::slot::wait::{Taken, Waitable};

/// Leaves a set's token with whoever makes it happen, who puts it into the set's list. `Err`: it has
/// happened.
#[inline(always)]
pub(in crate::slot) fn register_token(waitable: &mut impl Waitable, token: Token) -> Result<(), Token> {
    // Who else was registered is its executor's code, and may panic: dropped before there is a result that
    // would leak.
    match waitable.unregister() {
        Ok(waiter) => drop(waiter),
        Err(Taken) => return Err(token),
    }
    waitable.register(token.into_waiter()).map_err(|waiter| {
        Token::from_waiter(waiter).expect("a refused registration gives back its waiter, which is the token")
    })
}

/// Takes the token back. None: it is on its way to the list, or was never left here. Anybody else who is
/// registered is dropped.
pub(in crate::slot) fn unregister_token(waitable: &mut impl Waitable) -> Option<Token> {
    Token::from_waiter(waitable.unregister().ok()??)
}
