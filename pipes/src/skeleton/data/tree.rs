//! A tree in which partial results are combined, neighbour with neighbour, as soon as both are there.
//!
//! Its shape is that of a tournament, and follows from the number of leaves only. So the result does not
//! depend on which thread was first, and most of the combining is done in parallel, with a few results
//! waiting at any time.

use super::team::Team;
use crate::skeleton::run::crew::Halted;
use crate::sync::Lock;

/// Node 1 is the root, those of node `k` are `2k` and `2k + 1`, and the leaves begin at `width`.
pub(in crate::skeleton) struct Tree<A> {
    /// What waits for its neighbour.
    nodes: Lock<Vec<Option<A>>>,
    leaves: usize,
    width: usize,
}

impl<A> Tree<A> {
    /// A tree with at least one leaf.
    pub(in crate::skeleton) fn new(leaves: usize) -> Self {
        let width = leaves.next_power_of_two();
        let nodes = Lock::new((0..width + leaves).map(|_| None).collect());
        Tree { nodes, leaves, width }
    }

    /// Puts in the result of a leaf, and combines what can be.
    pub(in crate::skeleton) fn put(
        &self,
        team: &Team,
        leaf: usize,
        mut result: A,
        combine: impl Fn(A, A) -> A,
    ) -> Result<(), Halted> {
        let mut node = self.width + leaf;
        let mut last = self.width + self.leaves - 1;
        while node > 1 {
            let neighbour = node ^ 1;
            // The last of a row may have none, and goes on as it is.
            if neighbour <= last {
                let mut nodes = self.nodes.lock();
                let Some(other) = nodes[neighbour].take() else {
                    nodes[node] = Some(result);
                    return Ok(());
                };
                drop(nodes);
                team.go_on()?;
                result = if node < neighbour { combine(result, other) } else { combine(other, result) };
            }
            (node, last) = (node / 2, last / 2);
        }
        self.nodes.lock()[1] = Some(result);
        Ok(())
    }

    /// What all leaves came to, if all were put in.
    pub(in crate::skeleton) fn root(&self) -> Option<A> {
        self.nodes.lock()[1].take()
    }
}
