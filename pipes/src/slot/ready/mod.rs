//! The list of what is ready: how one owner waits for any number of slots, at a cost that does not depend on
//! the number.
//!
//! The owner leaves a [`Token`] where a thread or a task would leave its waiter. Whoever sends there finds
//! the token and, instead of waking somebody, puts it into the owner's list; the owner takes the list as a
//! whole and knows which slots to look at. Nothing is scanned, and nothing is registered anew for those that
//! did not change.
//!
//! A token is the only handle of its node: at any moment it is with the owner, in a seat, with a sender, or
//! in the list, and only its holder touches the node. So nothing is counted on the way. The list's word is
//! shared; it lives as long as one of the nodes, or the owner.
//!
//! The list is a stack with two steps, "push one" and "take all", which is why a node that comes round again
//! does no harm (nobody takes a single node off), and why order is cheap: the owner turns around what it
//! took, and has a queue in the order in which things became ready, linked through the same nodes.
//!
//! # The parts
//!
//! | file | what |
//! |---|---|
//! | `state` | the nodes, the states of the list, every atomic step |
//! | `token` | a member's entry: what pushes |
//! | `turns` | what was taken and not yet served |
//! | `list` | the list, as its owner has it |
//! | `member` | a token in the seat of a waiter |

mod list;
mod member;
mod state;
#[cfg(all(test, not(pipes_loom)))]
mod tests;
mod token;
mod turns;

pub(crate) use self::list::ReadyList;
pub(super) use self::member::{register_token, unregister_token};
pub use self::token::Token;
