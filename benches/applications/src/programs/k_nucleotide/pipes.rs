//! Streams of chunks, which `pipes-k-nucleotide` has; and lines sent to all workers, over a protocol.

use std::io;
use std::thread;

use super::lane::Lane;
use super::{KNucleotide, Setting, Shape};
use counter::Lines;
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::table::SIZES;
use pipes_k_nucleotide::{sizes, streams};

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

/// The source of this file and of the streams, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs"), streams::SOURCE, sizes::SOURCE];

/// Runs the program, with the reader on this thread.
pub fn run(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    match program.shape {
        Shape::Fast => streams::run(&at.input, program.workers as usize),
        Shape::Lines => lines(program, at),
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
