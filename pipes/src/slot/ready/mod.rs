//! The ready list, with which one owner waits for *n* slots at a cost that does not depend on *n*.
//!
//! The owner registers a [`Token`] where a thread or a task would register its waiter. A sender that finds
//! the token pushes it onto the owner's list instead of waking a thread. The owner takes the list as a whole,
//! and then knows which slots to look at. Nothing is scanned, and slots that did not change are not
//! registered again.
//!
//! A token is the only handle to its node. At any moment it is with the owner, in a cell, with a sender, or
//! in the list, and only its holder touches the node. So a push changes no reference count. The list's word
//! is shared, and lives as long as the owner or any of the nodes.
//!
//! The list is a stack with two steps, "push one" and "take all". No step takes a single node off, so a node
//! that is pushed again does no harm, and there is no ABA problem. Order is cheap: the owner reverses what it
//! took, and then has a queue in the order in which the slots became ready, linked through the same nodes.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `state` | the nodes, the states of the list, every atomic step |
//! | `token` | a member's entry, which pushes itself |
//! | `turns` | the tokens that were taken and not yet served |
//! | `list` | the owner's side of the list |
//! | `member` | a token in the cell of a waiter |

mod list;
mod member;
mod state;
#[cfg(all(test, not(pipes_loom)))]
mod tests;
mod token;
mod turns;

pub(crate) use self::list::ReadyList;
pub(crate) use self::member::{register_after_look, register_token, unregister_token};
pub use self::token::Token;
