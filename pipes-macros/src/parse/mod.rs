//! From tokens to protocols as they were written.
//!
//! # Assumes
//!
//! Nothing.
//!
//! # Establishes
//!
//! The shape of the grammar: each state has a direction, each message a next state or the end. Names mean nothing yet.
//!
//! # Errors
//!
//! What does not fit the grammar. After an error the parser goes on with the next message, state or protocol; what it could
//! not read is left out.
//!
//! # Layers
//!
//! Uses `diag`; used by `model`.

mod ast;
mod attributes;
mod grammar;

pub(crate) use self::ast::{Attributes, Field, Message, Next, Protocol, State};
pub(crate) use self::grammar::invocation;

#[cfg(test)]
mod tests;
