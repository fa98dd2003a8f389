//! The five rules of the Graph500 specification that the tree of every search must satisfy.

use crate::components::Components;
use crate::graph::Graph;
use crate::kronecker::Edge;
use crate::trees::NOBODY;

/// The level of a vertex outside of the tree, far from any other level.
const OUTSIDE: u32 = u32::MAX;
/// The level of a vertex while the path from it to the root is being walked.
const ON_THE_WAY: u32 = u32::MAX - 1;

/// Reports which rule a tree breaks, and where.
pub fn check(
    graph: &Graph,
    edges: &[Edge],
    components: &Components,
    root: u32,
    parents: &[i32],
) -> Result<(), String> {
    let levels = no_cycles(root, parents)?;
    one_level_a_step(&levels, root, parents)?;
    edges_join_neighbouring_levels(&levels, edges)?;
    spans_the_component(&levels, components, root)?;
    steps_are_edges(graph, root, parents)
}

/// Rule 1: the parents form a tree, so every path along them ends at the root. Returns the level of each
/// vertex.
fn no_cycles(root: u32, parents: &[i32]) -> Result<Vec<u32>, String> {
    let broken = |what: String| Err(format!("it is no tree: {what}"));
    let number = |parent: i32| u32::try_from(parent).ok().filter(|parent| (*parent as usize) < parents.len());
    if number(parents[root as usize]) != Some(root) {
        return broken(format!("the parent of the root is {}", parents[root as usize]));
    }
    let mut levels = vec![OUTSIDE; parents.len()];
    levels[root as usize] = 0;
    let mut way = Vec::new();
    for vertex in (0..parents.len() as u32).filter(|vertex| parents[*vertex as usize] != NOBODY) {
        let mut at = vertex;
        while levels[at as usize] == OUTSIDE {
            levels[at as usize] = ON_THE_WAY;
            way.push(at);
            let Some(parent) = number(parents[at as usize]) else {
                return broken(format!("the parent of {at} is {}", parents[at as usize]));
            };
            at = parent;
        }
        if levels[at as usize] == ON_THE_WAY {
            return broken(format!("there is a cycle through {at}"));
        }
        let mut level = levels[at as usize];
        for vertex in way.drain(..).rev() {
            level += 1;
            levels[vertex as usize] = level;
        }
    }
    Ok(levels)
}

/// Rule 2: each step of the tree joins two levels that differ by one.
fn one_level_a_step(levels: &[u32], root: u32, parents: &[i32]) -> Result<(), String> {
    for (vertex, parent) in steps(root, parents) {
        let (level, above) = (levels[vertex as usize], levels[parent as usize]);
        if level != above + 1 {
            return Err(format!("{vertex} has level {level}, and its parent {parent} has level {above}"));
        }
    }
    Ok(())
}

/// Rule 3: each edge of the input joins levels that differ by at most one, or has both ends outside of the
/// tree.
fn edges_join_neighbouring_levels(levels: &[u32], edges: &[Edge]) -> Result<(), String> {
    let deepest = levels.iter().filter(|level| **level != OUTSIDE).max().copied().unwrap_or(0);
    // If there are few levels, they are stored as bytes, so more of them fit into the caches.
    let far = if deepest < u32::from(u8::MAX) - 1 {
        let bytes: Vec<u8> = levels.iter().map(|level| (*level).min(u32::from(u8::MAX)) as u8).collect();
        edges.iter().find(|(u, v)| bytes[*u as usize].abs_diff(bytes[*v as usize]) > 1)
    } else {
        edges.iter().find(|(u, v)| levels[*u as usize].abs_diff(levels[*v as usize]) > 1)
    };
    let Some(&(u, v)) = far else { return Ok(()) };
    let place = |vertex: u32| match levels[vertex as usize] {
        OUTSIDE => format!("{vertex} outside of the tree"),
        level => format!("{vertex} of level {level}"),
    };
    Err(format!("an edge joins {} and {}", place(u), place(v)))
}

/// Rule 4: the tree has all vertices of the root's component, and no others.
fn spans_the_component(levels: &[u32], components: &Components, root: u32) -> Result<(), String> {
    for (vertex, level) in (0..).zip(levels) {
        let (reached, due) = (*level != OUTSIDE, components.are_joined(root, vertex));
        if reached != due {
            let (not, but) = if due { ("not ", "") } else { ("", "not ") };
            return Err(format!("{vertex} is {not}in the tree, but {but}in the component of the root"));
        }
    }
    Ok(())
}

/// Rule 5: each vertex and its parent are joined by an edge.
fn steps_are_edges(graph: &Graph, root: u32, parents: &[i32]) -> Result<(), String> {
    match steps(root, parents).find(|(vertex, parent)| !graph.row(*vertex).contains(parent)) {
        Some((vertex, parent)) => Err(format!("there is no edge between {vertex} and its parent {parent}")),
        None => Ok(()),
    }
}

/// Each reached vertex except the root, and its parent.
fn steps(root: u32, parents: &[i32]) -> impl Iterator<Item = (u32, u32)> {
    let all = (0..).zip(parents).filter(move |(vertex, parent)| *vertex != root && **parent != NOBODY);
    all.map(|(vertex, parent)| (vertex, *parent as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square 0 1 2 3 with a tail 3 4, a pair 5 6, and an isolated vertex.
    const EDGES: &[Edge] = &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (5, 6), (1, 0), (2, 2), (7, 7)];
    /// A tree of the square and its tail, from 0.
    const TREE: [i32; 8] = [0, 0, 1, 0, 3, NOBODY, NOBODY, NOBODY];

    /// The rule that the tree breaks when these vertices have other parents.
    fn told(others: &[(usize, i32)]) -> Result<(), String> {
        let (graph, mut parents) = (Graph::new(8, EDGES), TREE);
        others.iter().for_each(|(vertex, parent)| parents[*vertex] = *parent);
        check(&graph, EDGES, &Components::new(8, EDGES), 0, &parents)
    }

    fn broken(others: &[(usize, i32)], words: &str) {
        let sentence = told(others).expect_err("a rule is broken");
        assert!(sentence.contains(words), "{others:?}: {sentence}");
    }

    #[test]
    fn every_right_tree_passes() {
        assert_eq!(told(&[]), Ok(()));
        assert_eq!(told(&[(2, 3)]), Ok(()), "2 has two neighbours of level 1");
        let graph = Graph::new(8, EDGES);
        let alone = [-1, -1, -1, -1, -1, 5, 5, -1];
        assert_eq!(check(&graph, EDGES, &Components::new(8, EDGES), 5, &alone), Ok(()));
    }

    #[test]
    fn rule_one_cycles_are_rejected() {
        broken(&[(2, 3), (3, 2)], "cycle");
        broken(&[(4, 4)], "cycle through 4");
        broken(&[(0, 1)], "the parent of the root is 1");
        broken(&[(0, -1)], "the parent of the root is -1");
        broken(&[(5, 6), (6, 5)], "cycle");
        broken(&[(2, 7)], "the parent of 7 is -1");
        broken(&[(2, 8)], "the parent of 2 is 8");
        broken(&[(2, -2)], "the parent of 2 is -2");
    }

    #[test]
    fn rule_two_steps_of_other_lengths_are_rejected() {
        let levels = no_cycles(0, &TREE).expect("it is a tree");
        assert_eq!(levels[..5], [0, 1, 2, 1, 2]);
        assert_eq!(one_level_a_step(&levels, 0, &TREE), Ok(()));
        // In the levels of the right tree, these parents are at the same level as the vertex, or two levels
        // above it.
        for (vertex, parent) in [(4, 2), (3, 1), (2, 0)] {
            let mut parents = TREE;
            parents[vertex] = parent;
            let sentence = one_level_a_step(&levels, 0, &parents).expect_err("a rule is broken");
            assert!(sentence.contains(&format!("its parent {parent} ")), "{sentence}");
        }
    }

    #[test]
    fn rule_three_longer_ways_than_needed_are_rejected() {
        // 3 is reached the long way round, along edges of the graph.
        broken(&[(3, 2)], "an edge joins");
        // 4 is not reached, though its neighbour is.
        broken(&[(4, -1)], "4 outside of the tree");
    }

    #[test]
    fn rule_three_holds_far_from_the_root_too() {
        let path: Vec<Edge> = (0..1000).map(|vertex| (vertex, vertex + 1)).chain([(0, 700)]).collect();
        let line: Vec<i32> = [0].into_iter().chain(0..1000).collect();
        let levels = no_cycles(0, &line).expect("it is a tree");
        assert_eq!(edges_join_neighbouring_levels(&levels, &path[..1000]), Ok(()));
        let sentence = edges_join_neighbouring_levels(&levels, &path).expect_err("there is a shorter way");
        assert_eq!(sentence, "an edge joins 0 of level 0 and 700 of level 700");
    }

    #[test]
    fn rule_four_trees_that_do_not_span_the_component_are_rejected() {
        let components = Components::new(8, EDGES);
        let mut levels = no_cycles(0, &TREE).expect("it is a tree");
        assert_eq!(spans_the_component(&levels, &components, 0), Ok(()));
        levels[4] = OUTSIDE;
        let sentence = spans_the_component(&levels, &components, 0).expect_err("a rule is broken");
        assert_eq!(sentence, "4 is not in the tree, but in the component of the root");
        (levels[4], levels[7]) = (2, 1);
        let sentence = spans_the_component(&levels, &components, 0).expect_err("a rule is broken");
        assert_eq!(sentence, "7 is in the tree, but not in the component of the root");
        // An isolated vertex has no edge to another vertex, so only this rule detects it.
        broken(&[(7, 0)], "7 is in the tree");
    }

    #[test]
    fn rule_five_steps_without_an_edge_are_rejected() {
        // The parent has the right level, but is no neighbour.
        broken(&[(4, 1)], "no edge between 4 and its parent 1");
    }
}
