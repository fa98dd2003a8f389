//! Pipes in a circle.

/// For each node its end to the next node, and its end from the one before; for at least one node.
pub fn circle<C, P>(nodes: u64, pipe: impl Fn() -> (C, P)) -> Vec<(C, P)> {
    let mut ends = Vec::with_capacity(nodes as usize);
    let (last_to_first, mut from_before) = pipe();
    for _ in 1..nodes {
        let (to_next, next_from_this) = pipe();
        ends.push((to_next, from_before));
        from_before = next_from_this;
    }
    ends.push((last_to_first, from_before));
    ends
}

#[cfg(test)]
mod tests {
    use super::circle;
    use std::sync::mpsc::channel;

    #[test]
    fn each_node_hears_the_one_before_it() {
        for nodes in 1..5_u64 {
            let ends = circle(nodes, channel);
            (0..).zip(&ends).for_each(|(node, (to_next, _))| to_next.send(node).expect("it is there"));
            let heard: Vec<u64> = ends.iter().map(|(_, from)| from.recv().expect("it was sent")).collect();
            assert_eq!(heard, (0..nodes).map(|node| (node + nodes - 1) % nodes).collect::<Vec<_>>());
        }
    }
}
