//! A stream of chunks for each size, with a worker of its own whom the others help; and lines that go to all, over a protocol.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use pipes::{SharedPort, TryRecvError, stream};

use super::chunk::Chunk;
use super::counted::Counted;
use super::lane::Lane;
use super::table::{SIZES, Table};
use super::{KNucleotide, Setting, Shape};
use counter::Lines;

pipes::proto! {
    /// Lines, as many as there are, and what was counted in them.
    counter {
        lines: send {
            line(Vec<u8>) -> lines,
            end -> counted,
        }
        counted: recv {
            text(String) -> !,
        }
    }
}

/// This file, to be counted.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

/// The reader is this thread.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    match program.shape {
        Shape::Fast => chunks(program, at),
        Shape::Lines => lines(program, at),
    }
}

/// Chunks that wait to be counted for one size, and the size's place among all.
type Queue = (usize, SharedPort<Arc<Chunk>>);

fn chunks(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let read = at.input.chunks()?;
    thread::scope(|scope| {
        // What takes longest comes first.
        let queue = |which| {
            let (chan, port) = stream();
            (chan, (which, port.into_shared()))
        };
        let (mut chans, mut queues): (Vec<_>, Vec<Queue>) = (0..SIZES.len()).rev().map(queue).unzip();
        let worker = |_| {
            let own = queues.clone();
            // The next worker begins with the next size, so that each of the large tables has one worker, and is in one cache.
            queues.rotate_left(1);
            scope.spawn(|| count(own))
        };
        let workers: Vec<_> = (0..program.workers).map(worker).collect();
        for chunk in read {
            let chunk = Arc::new(chunk?);
            chans.iter_mut().try_for_each(|chan| chan.send(chunk.clone())).map_err(io::Error::other)?;
        }
        drop(chans);
        let tables =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        Ok(Counted::together(tables))
    })
}

/// Counts what waits, from the first queue where something does.
fn count(mut queues: Vec<Queue>) -> Vec<Table> {
    let mut tables = Table::all();
    while let Some((which, chunk)) = next(&mut queues) {
        tables[which].count(&chunk);
    }
    tables
}

/// The next chunk, and for which size; none when all queues are at their end.
fn next(queues: &mut Vec<Queue>) -> Option<(usize, Arc<Chunk>)> {
    loop {
        let mut place = 0;
        while let Some((which, port)) = queues.get_mut(place) {
            match port.try_recv() {
                Ok(chunk) => return Some((*which, chunk)),
                Err(TryRecvError::Empty(_)) => place += 1,
                Err(TryRecvError::Closed) => drop(queues.remove(place)),
            }
        }
        let (which, port) = queues.first_mut()?;
        if let Ok(chunk) = port.recv() {
            return Some((*which, chunk));
        }
    }
}

fn lines(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let mut lines = at.input.lines()?;
    thread::scope(|scope| {
        let worker = |size: &usize| {
            let (client, server) = counter::pipe();
            let lane = Lane::new(*size, program.counting);
            scope.spawn(move || serve(server, lane));
            client
        };
        let mut clients: Vec<_> = SIZES.iter().map(worker).collect();
        while let Some(line) = lines.checked()? {
            let sent = clients.into_iter().map(|client| client.line(line.to_vec()));
            clients = sent.collect::<Result<_, _>>().map_err(io::Error::other)?;
        }
        let asked = clients.into_iter().map(|client| client.end()).collect::<Result<Vec<_>, _>>();
        let told = asked.map_err(io::Error::other)?.into_iter().map(|client| match client.recv() {
            Ok(counter::Counted::Text(text)) => Ok(text),
            Err(gone) => Err(io::Error::other(gone)),
        });
        Ok(Counted { text: told.collect::<io::Result<_>>()?, tables: Vec::new() })
    })
}

/// Takes lines until the end, and sends back what was counted; or stops when the reader has gone.
fn serve(mut server: counter::Server<Lines>, mut lane: Lane) {
    loop {
        match server.recv() {
            Ok(Lines::Line(line, next)) => {
                lane.take(&line);
                server = next;
            }
            Ok(Lines::End(result)) => return drop(result.text(lane.text())),
            Err(_) => return,
        }
    }
}
