//! A stream of chunks for each size, with a worker of its own that the others help; and lines sent to all
//! workers, over a protocol.

use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::thread;

use pipes::{Chan, SharedPort, TryRecvError, stream};

use super::chunk::Chunk;
use super::counted::Counted;
use super::lane::Lane;
use super::sizes::{self, Taker};
use super::table::SIZES;
use super::{KNucleotide, Setting, Shape};
use counter::Lines;
use pipes_benches::links::Closed;

pipes::proto! {
    /// Any number of lines, and the counts for them.
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

/// The source of this file and of the workers for all queues, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs"), sizes::SOURCE];

/// Runs the program, with the reader on this thread.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    match program.shape {
        Shape::Fast => sizes::run(program, at, queue),
        Shape::Lines => lines(program, at),
    }
}

/// The stream for one size; every worker gets a clone of its receiving end.
fn queue() -> (Chan<Arc<Chunk>>, SharedPort<Arc<Chunk>>) {
    let (chan, port) = stream();
    (chan, port.into_shared())
}

impl Taker for SharedPort<Arc<Chunk>> {
    fn try_take(&mut self) -> Poll<Option<Arc<Chunk>>> {
        match self.try_recv() {
            Ok(chunk) => Poll::Ready(Some(chunk)),
            Err(TryRecvError::Empty(_)) => Poll::Pending,
            Err(TryRecvError::Closed) => Poll::Ready(None),
        }
    }

    fn take(&mut self) -> Result<Arc<Chunk>, Closed> {
        self.recv().map_err(Closed::from_any)
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

/// Takes lines until the end, and sends back the counts. Stops early if the reader has closed.
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
