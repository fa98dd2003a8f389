//! From tokens to protocols as they were written.
//!
//! # Assumes
//!
//! Nothing.
//!
//! # Establishes
//!
//! The shape of the grammar: each state has a direction, and each message has a next state or ends the
//! session. Names are not resolved yet.
//!
//! # Errors
//!
//! Everything that does not fit the grammar. After an error the parser goes on with the next message, state
//! or protocol, and leaves out what it could not parse.
//!
//! # Layers
//!
//! Uses `diag`; used by `model`.

mod ast;
mod attributes;
mod grammar;

pub(crate) use self::ast::{Attributes, Field, Message, Next, Protocol, Remote, State};
pub(crate) use self::grammar::invocation;

#[cfg(test)]
mod tests;
