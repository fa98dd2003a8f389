//! A search by workers that share nothing but the graph and send each other everything else.
//!
//! Each worker owns a part of the vertices: it alone decides which worker has found them first, writes their
//! parents, and reads their rows, except for those of small levels, which all workers read. Every two workers
//! have two pipes, one in each direction, over which a search is a typed loop of levels.
//!
//! [`searches`] has all workers in this process, the first of them in the caller's thread. Workers in
//! processes of their own have the same code and the same protocol; they [`Wait`] in another way.
//!
//! ```text
//! searches ──► worker ──► peers ──► messages ──► buffer
//!                 └────► wait ◄──────┘
//! ```

mod buffer;
mod messages;

mod peers;
mod wait;
mod worker;

use std::{io, thread};

pub use self::messages::{Member, levels};
pub use self::peers::Down;
pub use self::wait::{Gone, Wait};
pub use self::worker::Worker;

use self::peers::introduced;
use self::wait::Spinning;
use crate::graph::Graph;
use crate::trees::each;
use crew::Idle;

/// The source of all files of this folder, for `list --sloc`.
pub const SOURCES: &[&str] = &[
    include_str!("mod.rs"),
    include_str!("buffer.rs"),
    include_str!("messages.rs"),
    include_str!("peers.rs"),
    include_str!("wait.rs"),
    include_str!("worker.rs"),
];

pipes::proto! {
    /// What the caller requests of a worker: search after search, each with the worker's part of the tree.
    crew<'a> {
        idle: send {
            search(root: u32, part: &'a mut [i32]) -> searching,
        }
        searching: recv {
            done -> idle,
        }
    }
}

/// Searches from one root after another, with all workers on each tree; returns the time of each search.
pub fn searches(
    workers: usize,
    graph: &Graph,
    roots: &[u32],
    trees: &mut [Vec<i32>],
) -> io::Result<Vec<f64>> {
    let cuts = graph.cuts(workers);
    together(&cuts, &vec![graph; workers], roots, trees)
}

/// Searches as [`searches`] does, with a graph for each worker, whose parts are defined by these cuts.
fn together(
    cuts: &[usize],
    graphs: &[&Graph],
    roots: &[u32],
    trees: &mut [Vec<i32>],
) -> io::Result<Vec<f64>> {
    thread::scope(|scope| {
        let mut others = introduced(cuts)?.into_iter();
        let mut worker = Worker::new(Spinning, graphs[0], cuts, 0, others.next().unwrap_or_default());
        let mut crew = Vec::with_capacity(others.len());
        for (number, peers) in (1..).zip(others) {
            let (client, server) = crew::pipe();
            let work = move || serve(Worker::new(Spinning, graphs[number], cuts, number, peers), server);
            thread::Builder::new().spawn_scoped(scope, work)?;
            crew.push(client);
        }
        each(roots, trees, |root, tree| {
            let (own, mut rest) = tree.split_at_mut(cuts[1]);
            let mut busy = Vec::with_capacity(crew.len());
            for (client, part) in crew.drain(..).zip(cuts[1..].windows(2)) {
                let (part, behind) = rest.split_at_mut(part[1] - part[0]);
                busy.push(client.search(root, part).map_err(Gone::left)?);
                rest = behind;
            }
            worker.search(root, own)?;
            for client in busy {
                let crew::Searching::Done(client) = Spinning.soon(client)?;
                crew.push(client);
            }
            Ok(())
        })
    })
}

/// Serves the caller's requests to search, until the caller closes.
fn serve(mut worker: Worker<'_, Spinning>, mut server: crew::Server<Idle<'_>>) -> Result<(), Gone> {
    loop {
        let Idle::Search(root, part, searching) = Spinning.soon(server)?;
        worker.search(root, part)?;
        server = searching.done().map_err(Gone::left)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Components;
    use crate::kronecker::{self, Edge};
    use crate::rules;
    use crate::trees::UNWRITTEN;

    /// Graphs with all kinds of levels. In the comb, levels are narrow while a search is in one tooth, and
    /// wide once it has reached the back of the comb.
    fn graphs() -> Vec<(&'static str, usize, Vec<Edge>)> {
        let path = |from: u32, to: u32| (from + 1..=to).map(|vertex| (vertex - 1, vertex));
        let tree = |vertices: u32| (1..vertices).map(|vertex| ((vertex - 1) / 2, vertex));
        // Moves the labels apart, so that neighbours have different owners.
        let apart = |vertices: u32, edges: Vec<Edge>| -> Vec<Edge> {
            let moved = |vertex: u32| (u64::from(vertex) * 7919 % u64::from(vertices)) as u32;
            edges.into_iter().map(|(u, v)| (moved(u), moved(v))).collect()
        };
        let teeth = (0..40).flat_map(|tooth: u32| path(100 + 50 * tooth, 149 + 50 * tooth));
        let comb =
            (0..40).map(|tooth: u32| (tooth % 2, 100 + 50 * tooth)).chain([(0, 1)]).chain(teeth).collect();
        vec![
            ("path", 300, apart(300, path(0, 299).collect())),
            ("tree", 5000, apart(5000, tree(5000).collect())),
            ("star", 300, (1..300).map(|vertex| (0, vertex)).collect()),
            ("comb", 2200, apart(2200, comb)),
            ("kronecker", 1 << 9, kronecker::edges(9, 3)),
            ("two paths", 200, path(0, 99).chain(path(100, 199)).collect()),
            // The search stops going bottom-up, and goes bottom-up again in the next level.
            ("few", 200, vec![(0, 1), (1, 2), (2, 3), (3, 4), (0, 5)]),
        ]
    }

    /// Narrow and wide levels, bottom-up and back; with few enough workers for narrow levels, and with more.
    #[test]
    fn every_tree_of_every_graph_is_right() {
        for (name, vertices, edges) in graphs() {
            let (graph, components) = (Graph::new(vertices, &edges), Components::new(vertices, &edges));
            let roots: Vec<u32> = (0..vertices as u32).filter(|v| graph.degree(*v) > 0).step_by(41).collect();
            for workers in [1, 2, 3, 8, 9] {
                let cuts = graph.cuts(workers);
                let parts: Vec<_> = cuts.windows(2).map(|cut| graph.part(cut[0]..cut[1])).collect();
                let some = &roots[..roots.len().div_ceil(4)];
                for (graphs, roots) in [(vec![&graph; workers], &*roots), (parts.iter().collect(), some)] {
                    let mut trees = vec![vec![UNWRITTEN; vertices]; roots.len()];
                    let seconds = together(&cuts, &graphs, roots, &mut trees).expect("no worker leaves");
                    assert_eq!(seconds.len(), roots.len());
                    for (root, tree) in roots.iter().zip(&trees) {
                        let checked = rules::check(&graph, &edges, &components, *root, tree);
                        let checked = checked.map_err(|broken| broken.to_string());
                        let is_part = graphs[0].is_part();
                        assert_eq!(checked, Ok(()), "{name}, {workers} workers, parts: {is_part}");
                    }
                }
            }
        }
    }
}
