//! A binary tree in which the results of two neighbours are combined as soon as both are complete.
//!
//! Its shape depends only on the number of leaves. So the result does not depend on timing, most results are
//! combined in parallel, and only a few results wait at any time.

use super::team::Team;
use crate::run::threads::Stopped;
use crate::sync::Lock;

/// Node 1 is the root, the children of node `k` are `2k` and `2k + 1`, and the leaves begin at `width`.
pub(crate) struct Tree<A> {
    /// The results that wait for their neighbours.
    nodes: Lock<Vec<Option<A>>>,
    leaves: usize,
    width: usize,
}

impl<A> Tree<A> {
    /// Creates a tree with at least one leaf.
    pub(crate) fn new(leaves: usize) -> Self {
        let width = leaves.next_power_of_two();
        let nodes = Lock::new((0..width + leaves).map(|_| None).collect());
        Tree { nodes, leaves, width }
    }

    /// Adds the result of a leaf, and combines it with all complete neighbours.
    pub(crate) fn put(
        &self,
        team: &Team,
        leaf: usize,
        mut result: A,
        combine: impl Fn(A, A) -> A,
    ) -> Result<(), Stopped> {
        let mut node = self.width + leaf;
        let mut last = self.width + self.leaves - 1;
        while node > 1 {
            let neighbour = node ^ 1;
            // The last node of a level may have no neighbour. Then its result moves up unchanged.
            if neighbour <= last {
                let mut nodes = self.nodes.lock();
                let Some(other) = nodes[neighbour].take() else {
                    nodes[node] = Some(result);
                    return Ok(());
                };
                drop(nodes);
                team.check_stopped()?;
                result = if node < neighbour { combine(result, other) } else { combine(other, result) };
            }
            (node, last) = (node / 2, last / 2);
        }
        self.nodes.lock()[1] = Some(result);
        Ok(())
    }

    /// Returns the result of all leaves, if all were added.
    pub(crate) fn root(&self) -> Option<A> {
        self.nodes.lock()[1].take()
    }
}
