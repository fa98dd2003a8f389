//! The ring over our protocol, each step of which returns the endpoint for the next.

use super::wiring::{Position, Turns};
use threadring::{Client, Server, Token};

pub use threadring::pipe;

pipes::proto! {
    /// A token, repeatedly.
    pub threadring {
        token: send {
            token(u64) -> token,
        }
    }
}

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// A node on a thread.
pub fn node(position: Position, mut to_next: Client<Token>, mut from_last: Server<Token>) -> Turns {
    let mut turns = Turns::default();
    if let Some(token) = position.token {
        let Ok(sent) = to_next.token(token) else { return turns };
        to_next = sent;
    }
    while let Ok(Token::Token(token, next)) = from_last.recv() {
        turns.taken += 1;
        turns.last = token == 1;
        if turns.last {
            break;
        }
        let Ok(sent) = to_next.token(token - 1) else { break };
        if token <= position.nodes {
            break;
        }
        (to_next, from_last) = (sent, next);
    }
    turns
}

/// A node in a task.
pub async fn task(position: Position, mut to_next: Client<Token>, mut from_last: Server<Token>) -> Turns {
    let mut turns = Turns::default();
    if let Some(token) = position.token {
        let Ok(sent) = to_next.token(token) else { return turns };
        to_next = sent;
    }
    while let Ok(Token::Token(token, next)) = from_last.recv_async().await {
        turns.taken += 1;
        turns.last = token == 1;
        if turns.last {
            break;
        }
        let Ok(sent) = to_next.token(token - 1) else { break };
        if token <= position.nodes {
            break;
        }
        (to_next, from_last) = (sent, next);
    }
    turns
}
