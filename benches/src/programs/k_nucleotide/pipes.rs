//! Chunks that go to whoever is free; and lines that go to all, over a protocol.

use std::io;
use std::thread;

use pipes::stream;

use super::counted::{Counted, Job};
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

fn chunks(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let read = at.input.chunks()?;
    thread::scope(|scope| {
        let (mut chan, port) = stream();
        let jobs = port.into_shared();
        let worker = |_| {
            let mut jobs = jobs.clone();
            scope.spawn(move || {
                let mut tables = Table::all();
                jobs.iter().for_each(|job: Job| job.count(&mut tables));
                tables
            })
        };
        let workers: Vec<_> = (0..program.workers).map(worker).collect();
        for chunk in read {
            for job in Job::all(chunk?) {
                if chan.send(job).is_err() {
                    break;
                }
            }
        }
        drop(chan);
        let tables = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        Ok(Counted::together(tables))
    })
}

fn lines(program: &KNucleotide, at: &Setting) -> io::Result<Counted> {
    let mut lines = at.input.lines()?;
    thread::scope(|scope| {
        let mut clients: Vec<_> = SIZES
            .iter()
            .map(|size| {
                let (client, server) = counter::pipe();
                let lane = Lane::new(*size, program.counting);
                scope.spawn(move || serve(server, lane));
                client
            })
            .collect();
        while let Some(line) = lines.checked()? {
            clients = clients
                .into_iter()
                .map(|client| client.line(line.to_vec()))
                .collect::<Result<_, _>>()
                .map_err(io::Error::other)?;
        }
        let text = clients.into_iter().map(|client| {
            let counter::Counted::Text(text) =
                client.end().map_err(io::Error::other)?.recv().map_err(io::Error::other)?;
            Ok(text)
        });
        Ok(Counted { text: text.collect::<io::Result<_>>()?, tables: Vec::new() })
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
