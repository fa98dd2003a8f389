//! A contender that gives one vertex a wrong parent, to test the verification itself.

use std::io;

use super::trees::{Found, each};
use super::{Graph500, Setting, bits, sequential};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("faulty.rs")];

/// The trees of the sequential search, except that the last vertex of the last one is its own parent.
pub fn run(_: &Graph500, at: &Setting) -> io::Result<Found> {
    at.problem.plain(|roots, trees| {
        let (mut seen, mut queue) = (bits::none(at.problem.graph.vertices()), Vec::new());
        each(roots, trees, |root, parents| {
            sequential::search(&at.problem.graph, &mut seen, &mut queue, root, parents);
            if roots.last() == Some(&root)
                && let Some(&last) = queue.last()
            {
                parents[last as usize] = last as i32;
            }
            Ok(())
        })
    })
}
