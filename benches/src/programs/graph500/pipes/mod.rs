//! A search by workers that share nothing but the graph and tell each other the rest.
//!
//! Each worker owns a part of the vertices: it alone decides who has found them first, writes their parents, and reads their rows, but for
//! that of the root, which all read. Every two workers have two pipes, one in each direction, over which a search is a typed loop of levels. The
//! first worker is the thread of the caller.

mod peers;
mod worker;

use std::{io, thread};

use super::trees::{Found, each};
use super::{Graph500, Setting};
use crew::Idle;
use peers::{Gone, introduced};
use worker::Worker;

/// All files of this folder, to be counted.
pub const SOURCES: &[&str] = &[include_str!("mod.rs"), include_str!("peers.rs"), include_str!("worker.rs")];

pipes::proto! {
    /// What the caller has a worker do: search after search, each with the worker's part of the tree.
    crew<'a> {
        idle: send {
            search(root: u32, part: &'a mut [i32]) -> searching,
        }
        searching: recv {
            done -> idle,
        }
    }
}

/// One search after the other, by workers that are kept.
pub fn run(program: &Graph500, at: &Setting) -> io::Result<Found> {
    by(program.workers(), at)
}

/// The same by one worker, who has nobody to tell anything: what several gain is to be seen against this.
pub fn alone(_: &Graph500, at: &Setting) -> io::Result<Found> {
    by(1, at)
}

fn by(workers: usize, at: &Setting) -> io::Result<Found> {
    let cuts = at.graph.cuts(workers);
    at.plain(|roots, trees| {
        thread::scope(|scope| {
            let mut others = introduced(&cuts).into_iter();
            let mut worker = Worker::new(&at.graph, &cuts, 0, others.next().unwrap_or_default());
            let mut crew = Vec::with_capacity(others.len());
            for (number, peers) in (1..).zip(others) {
                let (client, server) = crew::pipe();
                let (graph, cuts) = (&at.graph, &cuts);
                let work = move || serve(Worker::new(graph, cuts, number, peers), server);
                thread::Builder::new().spawn_scoped(scope, work)?;
                crew.push(client);
            }
            each(roots, trees, |root, tree| {
                let (own, mut rest) = tree.split_at_mut(cuts[1]);
                let mut busy = Vec::with_capacity(crew.len());
                for (client, part) in crew.drain(..).zip(cuts[1..].windows(2)) {
                    let (part, behind) = rest.split_at_mut(part[1] - part[0]);
                    busy.push(client.search(root, part).map_err(Gone::from_any)?);
                    rest = behind;
                }
                worker.search(root, own)?;
                for client in busy {
                    let crew::Searching::Done(client) = peers::soon(client)?;
                    crew.push(client);
                }
                Ok(())
            })
        })
    })
}

/// Searches whenever it is told to.
fn serve(mut worker: Worker<'_>, mut server: crew::Server<Idle<'_>>) -> Result<(), Gone> {
    loop {
        let Idle::Search(root, part, searching) = peers::soon(server)?;
        worker.search(root, part)?;
        server = searching.done().map_err(Gone::from_any)?;
    }
}
