//! Registering a token instead of a waiter: how a set waits at a member.

use super::token::Token;
use crate::wait::Waitable;

/// Registers a set's token, which the other side pushes onto the set's list when the event comes. Returns the
/// token in `Err` if the event may have come already.
#[inline(always)]
pub(crate) fn register_token(waitable: &mut impl Waitable, token: Token) -> Result<(), Token> {
    if waitable.is_ready() { Err(token) } else { register_after_look(waitable, token) }
}

/// Registers a set's token as [`register_token`] does, for a caller that has just looked.
#[inline(always)]
pub(crate) fn register_after_look(waitable: &mut impl Waitable, token: Token) -> Result<(), Token> {
    waitable.replace(token.into_waiter()).map_err(|waiter| {
        Token::from_waiter(waiter).expect("a refused registration gives back its waiter, which is the token")
    })
}

/// Takes the token back. Returns `None` if the other side has taken it, or if it was never registered here.
/// Another waiter that is registered is dropped.
pub(crate) fn unregister_token(waitable: &mut impl Waitable) -> Option<Token> {
    Token::from_waiter(waitable.take_back()?)
}
