//! The graph of a protocol's states, and the questions that it answers alone.

use super::StateId;
use std::collections::VecDeque;

/// The states and steps of a protocol, without their names.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// For each state, whether the client sends in it.
    pub(crate) client_sends: Vec<bool>,
    /// For each state, the states that its messages lead to.
    pub(crate) steps: Vec<Vec<StateId>>,
}

impl Graph {
    /// Returns, for each state, whether it can be reached from `start`. `start` itself can.
    pub(crate) fn reachable_from(&self, start: StateId) -> Vec<bool> {
        let mut reached = vec![false; self.steps.len()];
        let mut waiting = vec![start];
        while let Some(state) = waiting.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                waiting.extend(&self.steps[state]);
            }
        }
        reached
    }

    /// Returns a shortest cycle of states in which the same side sends. Such a cycle makes a protocol
    /// unbounded.
    pub(crate) fn one_sided_cycle(&self) -> Option<Vec<StateId>> {
        (0..self.steps.len()).filter_map(|state| self.shortest_cycle(state)).min_by_key(Vec::len)
    }

    /// Returns a longest path of states in which the same side sends; `None` if such paths have no bound.
    ///
    /// Its length is the number of messages that can be on their way at once, because the side that receives
    /// them sends nothing before it has received the last of them.
    pub(crate) fn longest_run(&self) -> Option<Vec<StateId>> {
        self.longest_way(|from, to| self.client_sends[from] == self.client_sends[to])
    }

    /// Returns the number of messages in the longest session; `None` if sessions have no bound.
    pub(crate) fn longest_session(&self) -> Option<usize> {
        self.longest_way(|_, _| true).map(|way| way.len())
    }

    /// Finds a shortest one-sided cycle through this state, by breadth-first search.
    fn shortest_cycle(&self, start: StateId) -> Option<Vec<StateId>> {
        let mut came_from = vec![None; self.steps.len()];
        let mut waiting = VecDeque::from([start]);
        while let Some(state) = waiting.pop_front() {
            for &next in &self.steps[state] {
                if self.client_sends[next] != self.client_sends[start] {
                    continue;
                }
                if next == start {
                    let mut cycle = vec![state];
                    while let Some(before) = cycle.last().and_then(|state| came_from[*state]) {
                        cycle.push(before);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if came_from[next].is_none() {
                    came_from[next] = Some(state);
                    waiting.push_back(next);
                }
            }
        }
        None
    }

    /// Finds a path with the most states along those steps that `counts` accepts; `None` if these steps have
    /// a cycle.
    ///
    /// Takes states in topological order (Kahn 1962) and keeps for each the longest path that leads to it.
    fn longest_way(&self, counts: impl Fn(StateId, StateId) -> bool) -> Option<Vec<StateId>> {
        let count = self.steps.len();
        let counted =
            |from: StateId| self.steps[from].iter().copied().filter(|to| counts(from, *to)).collect();
        let edges: Vec<Vec<StateId>> = (0..count).map(counted).collect();
        let mut unseen = vec![0; count];
        edges.iter().flatten().for_each(|to| unseen[*to] += 1);
        let mut ready: VecDeque<StateId> = (0..count).filter(|state| unseen[*state] == 0).collect();
        let mut ways: Vec<(usize, Option<StateId>)> = vec![(1, None); count];
        let mut taken = 0;
        while let Some(state) = ready.pop_front() {
            taken += 1;
            for &next in &edges[state] {
                if ways[state].0 + 1 > ways[next].0 {
                    ways[next] = (ways[state].0 + 1, Some(state));
                }
                unseen[next] -= 1;
                if unseen[next] == 0 {
                    ready.push_back(next);
                }
            }
        }
        if taken < count {
            return None;
        }
        let longest = ways.iter().map(|way| way.0).max()?;
        let mut way: Vec<StateId> = ways.iter().position(|way| way.0 == longest).into_iter().collect();
        while let Some(before) = way.last().and_then(|state| ways[*state].1) {
            way.push(before);
        }
        way.reverse();
        Some(way)
    }
}
