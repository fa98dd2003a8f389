//! What follows from a protocol's states and steps alone, computed in the simplest way.

/// States and steps, without names.
pub struct Graph {
    pub client_sends: Vec<bool>,
    pub steps: Vec<Vec<usize>>,
}

impl Graph {
    /// The states that a session can reach from this one, itself included.
    pub fn reached_from(&self, state: usize) -> Vec<usize> {
        let mut reached = vec![state];
        let mut at = 0;
        while let Some(state) = reached.get(at) {
            let new: Vec<usize> =
                self.steps[*state].iter().copied().filter(|it| !reached.contains(it)).collect();
            for state in new {
                if !reached.contains(&state) {
                    reached.push(state);
                }
            }
            at += 1;
        }
        reached
    }

    /// The steps after which the same side sends again.
    pub fn one_sided(&self) -> Vec<(usize, usize)> {
        let all =
            self.steps.iter().enumerate().flat_map(|(from, steps)| steps.iter().map(move |to| (from, *to)));
        all.filter(|(from, to)| self.client_sends[*from] == self.client_sends[*to]).collect()
    }

    /// How many states the longest path has on which the same side sends all the time; `None` if such a path
    /// can be infinite. That is how many messages can be on their way at once.
    pub fn bound(&self) -> Option<usize> {
        let mut known = vec![None; self.steps.len()];
        let mut longest = 0;
        for state in 0..self.steps.len() {
            longest = longest.max(self.longest_from(state, &mut Vec::new(), &mut known)?);
        }
        Some(longest)
    }

    fn longest_from(&self, state: usize, way: &mut Vec<usize>, known: &mut [Option<usize>]) -> Option<usize> {
        if way.contains(&state) {
            return None;
        }
        if known[state].is_none() {
            way.push(state);
            let mut longest = 0;
            for next in
                self.steps[state].iter().filter(|it| self.client_sends[**it] == self.client_sends[state])
            {
                longest = longest.max(self.longest_from(*next, way, known)?);
            }
            way.pop();
            known[state] = Some(longest + 1);
        }
        known[state]
    }
}
