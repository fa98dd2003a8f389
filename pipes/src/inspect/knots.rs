//! The search for knots in a graph of who waits for whom.
//!
//! One that waits at several ends goes on when any of them is moved, so what is sought is not a cycle but a
//! *knot*: nodes of which each leads to all the others, and from which no edge leads away. First, all that
//! can go on are left out, again and again. The rest never goes on. Its strongly connected components from
//! which no edge leads away are the knots, and all others of the rest wait for one.
//!
//! This is the communication model of Chandy, Misra and Haas, *Distributed deadlock detection*, 1983. The
//! components are found as Kosaraju does (Sharir, *A strong-connectivity algorithm*, 1981).

use std::mem::replace;

/// Returns the knots, each sorted. `movers` has for each node those that can move it, or `None` if the node
/// can go on, or something unknown can move it. Takes O(nodes + edges) steps, and sorts the nodes of knots.
pub(super) fn knots(movers: &[Option<Vec<usize>>]) -> Vec<Vec<usize>> {
    let mut waiting = vec![Vec::new(); movers.len()];
    for (node, movers) in movers.iter().enumerate() {
        movers.iter().flatten().for_each(|mover| waiting[*mover].push(node));
    }
    let mut is_stuck: Vec<_> = movers.iter().map(Option::is_some).collect();
    let mut free: Vec<_> = (0..movers.len()).filter(|node| !is_stuck[*node]).collect();
    while let Some(mover) = free.pop() {
        free.extend(waiting[mover].iter().filter(|node| replace(&mut is_stuck[**node], false)));
    }
    // No edge leads from a stuck node to one that is not.
    let stuck = |nodes: &[usize]| nodes.iter().copied().filter(|node| is_stuck[*node]).collect();
    let movers: Vec<Vec<usize>> = movers.iter().map(|it| stuck(it.as_deref().unwrap_or_default())).collect();
    let waiting: Vec<Vec<usize>> = waiting.iter().map(|it| stuck(it)).collect();
    let mut is_new = is_stuck.clone();
    let mut order = Vec::new();
    (0..movers.len()).for_each(|node| visit(node, &movers, &mut is_new, &mut order));
    let mut is_new = is_stuck;
    let mut component = vec![0; movers.len()];
    let mut components = Vec::new();
    for root in order.into_iter().rev() {
        let mut members = Vec::new();
        visit(root, &waiting, &mut is_new, &mut members);
        members.iter().for_each(|member| component[*member] = components.len());
        components.push(members);
    }
    let is_knot = |members: &[usize]| {
        let own = members.first().map(|first| component[*first]);
        own.is_some() && members.iter().flat_map(|it| &movers[*it]).all(|it| Some(component[*it]) == own)
    };
    components.retain(|members| is_knot(members));
    components.iter_mut().for_each(|members| members.sort_unstable());
    components
}

/// Visits all new nodes to which paths lead from here, and adds each after all that it leads to.
fn visit(root: usize, edges: &[Vec<usize>], is_new: &mut [bool], order: &mut Vec<usize>) {
    if !replace(&mut is_new[root], false) {
        return;
    }
    // Each node with the number of its edges that were followed.
    let mut path = vec![(root, 0)];
    while let Some((node, followed)) = path.last_mut() {
        match edges[*node].get(*followed) {
            Some(next) => {
                *followed += 1;
                if replace(&mut is_new[*next], false) {
                    path.push((*next, 0));
                }
            }
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::knots;

    /// Returns the knots of a graph in which each node is written with those that can move it.
    fn of(nodes: &[Option<&[usize]>]) -> Vec<Vec<usize>> {
        let movers: Vec<_> = nodes.iter().map(|movers| movers.map(<[usize]>::to_vec)).collect();
        let mut found = knots(&movers);
        found.sort();
        found
    }

    #[test]
    fn a_ring_is_a_knot_and_what_waits_for_it_is_not() {
        assert_eq!(of(&[Some(&[1]), Some(&[0]), Some(&[0]), Some(&[2, 1])]), [[0, 1]]);
        assert_eq!(of(&[Some(&[0])]), [[0]]);
    }

    #[test]
    fn one_that_goes_on_frees_those_that_wait_for_it() {
        assert_eq!(of(&[Some(&[1, 2]), Some(&[0]), None]), Vec::<Vec<usize>>::new());
        assert_eq!(of(&[None, Some(&[0]), Some(&[1])]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn two_knots_that_a_third_one_waits_for() {
        assert_eq!(of(&[Some(&[1]), Some(&[0]), Some(&[0, 3]), Some(&[4]), Some(&[3])]), [[0, 1], [3, 4]]);
    }

    #[test]
    fn a_ring_that_waits_for_another_one_is_no_knot() {
        assert_eq!(of(&[Some(&[1, 2]), Some(&[0]), Some(&[3]), Some(&[2])]), [[2, 3]]);
    }

    /// All graphs of three nodes, against the definition.
    #[test]
    fn knots_are_what_their_definition_says() {
        const NODES: usize = 3;
        for graph in 0..(1_usize << (NODES * NODES + NODES)) {
            let has_edge = |from: usize, to: usize| graph >> (from * NODES + to) & 1 == 1;
            let waits = |node: usize| graph >> (NODES * NODES + node) & 1 == 1;
            let to = |node| (0..NODES).filter(|to| has_edge(node, *to)).collect::<Vec<_>>();
            let movers: Vec<_> = (0..NODES).map(|node| waits(node).then(|| to(node))).collect();
            let reach = |from: usize| {
                let mut reached = [false; NODES];
                for _ in 0..=NODES {
                    for node in 0..NODES {
                        if (node == from || reached[node]) && waits(node) {
                            to(node).iter().for_each(|it| reached[*it] = true);
                        }
                    }
                }
                reached
            };
            let is_in_knot = |node: usize| {
                let all = reach(node);
                let leads_to = |it: usize| it == node || all[it];
                (0..NODES).filter(|it| leads_to(*it)).all(|it| waits(it) && (it == node || reach(it)[node]))
            };
            let expected: Vec<_> = (0..NODES).filter(|node| is_in_knot(*node)).collect();
            let mut found: Vec<_> = knots(&movers).concat();
            found.sort_unstable();
            assert_eq!(found, expected, "{movers:?}");
        }
    }
}
