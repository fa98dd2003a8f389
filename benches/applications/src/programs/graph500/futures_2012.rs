//! The parallel search of the program of 2012: bottom-up in every level, with a future for each slice of the
//! vertices.
//!
//! Every round recomputes the colours of all vertices. A white vertex looks for a gray neighbour and becomes
//! gray if it has one; a gray vertex becomes black. A slice has at least 1,024 vertices, and there are at
//! most 32 slices. Each slice is a job for one of the workers, and its result comes back through a oneshot.
//! The `par` module of that time did the same on tasks; here the workers are long-lived threads.

use std::ops::Range;
use std::sync::Arc;
use std::{io, thread};

use pipes::{Chan, PortOne, oneshot, stream};

use super::graph::Graph;
use super::trees::{Found, NOBODY, each};
use super::{Graph500, Setting};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("futures_2012.rs")];

/// The least number of vertices of a slice, unless the graph has fewer.
const LEAST: usize = 1024;
/// The greatest number of slices.
const MOST: usize = 32;

#[derive(Clone, Copy)]
enum Colour {
    White,
    /// Found in the last round, by this parent.
    Gray(u32),
    /// Found before.
    Black(u32),
}

type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// The workers, which get jobs in turn.
struct Crew<'a> {
    chans: Vec<Chan<Job<'a>>>,
    turn: usize,
}

/// Runs the searches one after another.
pub fn run(program: &Graph500, at: &Setting) -> io::Result<Found> {
    at.problem.plain(|roots, trees| {
        thread::scope(|scope| {
            let mut crew = Crew { chans: Vec::new(), turn: 0 };
            for _ in 0..program.workers() {
                let (chan, jobs) = stream::<Job<'_>>();
                thread::Builder::new().spawn_scoped(scope, move || jobs.into_iter().for_each(|job| job()))?;
                crew.chans.push(chan);
            }
            each(roots, trees, |root, parents| search(&at.problem.graph, &mut crew, root, parents))
        })
    })
}

fn search<'a>(graph: &'a Graph, crew: &mut Crew<'a>, root: u32, parents: &mut [i32]) -> io::Result<()> {
    let mut colours = vec![Colour::White; graph.vertices()];
    colours[root as usize] = Colour::Gray(root);
    loop {
        let all = Arc::new(colours);
        let gray = crew.each_slice(&all, |colours, slice| {
            colours[slice].iter().any(|colour| matches!(colour, Colour::Gray(_)))
        })?;
        if !gray.contains(&true) {
            return finish(crew, &all, parents);
        }
        let round = move |colours: &[Colour], slice: Range<usize>| -> Vec<Colour> {
            slice.map(|vertex| next(graph, colours, vertex)).collect()
        };
        colours = crew.each_slice(&all, round)?.concat();
    }
}

/// The colour of a vertex after a round.
fn next(graph: &Graph, colours: &[Colour], vertex: usize) -> Colour {
    match colours[vertex] {
        Colour::White => {
            let is_gray = |neighbour: &&u32| matches!(colours[**neighbour as usize], Colour::Gray(_));
            graph
                .row(vertex as u32)
                .iter()
                .find(is_gray)
                .map_or(Colour::White, |parent| Colour::Gray(*parent))
        }
        Colour::Gray(parent) | Colour::Black(parent) => Colour::Black(parent),
    }
}

/// Converts colours to parents.
fn finish(crew: &mut Crew<'_>, colours: &Arc<Vec<Colour>>, parents: &mut [i32]) -> io::Result<()> {
    let slices = crew.each_slice(colours, |colours, slice| -> Vec<i32> {
        let parent = |colour: &Colour| match colour {
            Colour::White => NOBODY,
            Colour::Gray(parent) | Colour::Black(parent) => *parent as i32,
        };
        colours[slice].iter().map(parent).collect()
    })?;
    parents.copy_from_slice(&slices.concat());
    Ok(())
}

impl<'a> Crew<'a> {
    /// Does this work on each slice, and returns the results in order.
    fn each_slice<T: Send + 'a>(
        &mut self,
        colours: &Arc<Vec<Colour>>,
        work: impl Fn(&[Colour], Range<usize>) -> T + Copy + Send + 'a,
    ) -> io::Result<Vec<T>> {
        let slices = (colours.len() / LEAST).clamp(1, MOST);
        let bound = |slice| colours.len() * slice / slices;
        let futures: Vec<_> = (0..slices)
            .map(|slice| {
                let (colours, part) = (colours.clone(), bound(slice)..bound(slice + 1));
                self.future(move || work(&colours, part))
            })
            .collect();
        futures.into_iter().map(|future| future.recv().map_err(io::Error::other)).collect()
    }

    /// Gives this work to the next worker, and returns a future of its result.
    fn future<T: Send + 'a>(&mut self, work: impl FnOnce() -> T + Send + 'a) -> PortOne<T> {
        let (chan, port) = oneshot();
        let job: Job<'a> = Box::new(move || _ = chan.send(work()));
        let which = self.turn % self.chans.len();
        self.turn += 1;
        // If the worker has left, the job is dropped with the chan in it, and waiting for the result fails.
        _ = self.chans[which].send(job);
        port
    }
}
