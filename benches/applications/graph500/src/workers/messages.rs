//! The messages between two workers.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::buffer::{Buffer, Pair, Spent};

pipes::proto! {
    /// What one worker sends to another: level after level, search after search.
    #[remote]
    pub levels {
        /// The beginning.
        meeting: send {
            /// Who the sender is.
            join(Member) -> answer,
        }
        /// Whether the receiver takes part in the same searches.
        answer: recv {
            welcome -> down,
            /// Why not.
            refuse(String) -> !,
        }
        /// Top-down: more vertices that a level has found.
        down: send {
            /// Some of the receiver's vertices, and their parents.
            pairs(Buffer<Pair>) -> down,
            /// The end of the pairs, with the receiver's empty buffers.
            end(Spent) -> count,
            /// How much of its own part the sender has found in a level whose rows all workers have read, and
            /// which vertices, if they are few.
            found(Totals, Vec<u32>) -> down,
            /// Switches to bottom-up, with the sender's part of the frontier.
            up(Buffer<u64>) -> up,
        }
        /// How much a level has found, now that all workers have exchanged their pairs, and which vertices,
        /// if they are few.
        count: send {
            count(Totals, Vec<u32>) -> down,
        }
        /// Bottom-up: what a level has found.
        up: send {
            /// The number of vertices found, and their bits.
            found(u64, Buffer<u64>) -> up,
            /// Switches to top-down, or ends this search.
            down -> down,
        }
    }
}

/// One of the workers that search together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its number, from 0.
    pub rank: u32,
    /// The number of workers.
    pub of: u32,
    /// The scale of the graph.
    pub scale: u32,
    /// The seed of the graph.
    pub seed: u64,
}

/// How much a level has found.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Totals {
    /// The number of vertices.
    pub vertices: u64,
    /// The number of edges at these vertices.
    pub edges: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Totals) {
        self.vertices = self.vertices.saturating_add(other.vertices);
        self.edges = self.edges.saturating_add(other.edges);
    }
}
