//! A node over our protocol `ring`, of which every step gives the endpoint for the next.

use super::wiring::Seat;
use crate::harness::Tally;
use crate::protocol::ring::{Client, Num, Server};

/// This file and the protocol, to be counted.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs"), include_str!("../../protocol/ring.rs")];

/// A node on a thread.
pub fn node(seat: Seat, mut right: Client<Num>, mut left: Server<Num>) -> Tally {
    let mut tally = Tally::default();
    for j in 0..seat.messages {
        let Ok(sent) = right.num(seat.node * j) else { break };
        let Ok(Num::Num(value, next)) = left.recv() else { break };
        tally.note(value, seat.left * j);
        (right, left) = (sent, next);
    }
    tally
}

/// A node in a task.
pub async fn task(seat: Seat, mut right: Client<Num>, mut left: Server<Num>) -> Tally {
    let mut tally = Tally::default();
    for j in 0..seat.messages {
        let Ok(sent) = right.num(seat.node * j) else { break };
        let Ok(Num::Num(value, next)) = left.recv_async().await else { break };
        tally.note(value, seat.left * j);
        (right, left) = (sent, next);
    }
    tally
}
