//! The lines of 2012 over channels of any library.

use std::io;
use std::thread;

use super::lane::Lane;
use super::{KNucleotide, Setting};
use pipes_benches::links::{BlockingChan, BlockingPort};
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::table::SIZES;

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("linked.rs");

/// Sends a copy of each line to each worker and an empty one at the end; each worker sends a text back.
pub fn lines<C, P, B, R>(
    program: &KNucleotide,
    at: &Setting,
    there: impl Fn() -> (C, P),
    back: impl Fn() -> (B, R),
) -> io::Result<Counted>
where
    C: BlockingChan<Vec<u8>>,
    P: BlockingPort<Vec<u8>>,
    B: BlockingChan<String>,
    R: BlockingPort<String>,
{
    let mut lines = at.input.lines()?;
    let gone = |_| io::Error::other("a worker has gone");
    thread::scope(|scope| {
        let worker = |size: &usize| {
            let (chan, mut port) = there();
            let (mut to_reader, result) = back();
            let mut lane = Lane::new(*size, program.counting);
            scope.spawn(move || {
                while let Ok(line) = port.recv() {
                    if line.is_empty() {
                        // The send fails if the reader has closed, which then needs no text.
                        return to_reader.send(lane.text()).unwrap_or_default();
                    }
                    lane.take(&line);
                }
            });
            (chan, result)
        };
        let (mut chans, mut results): (Vec<_>, Vec<_>) = SIZES.iter().map(worker).unzip();
        while let Some(line) = lines.checked()? {
            chans.iter_mut().try_for_each(|chan| chan.send(line.to_vec())).map_err(gone)?;
        }
        chans.iter_mut().try_for_each(|chan| chan.send(Vec::new())).map_err(gone)?;
        let text = results.iter_mut().map(|result| result.recv()).collect::<Result<_, _>>().map_err(gone)?;
        Ok(Counted { text, tables: Vec::new() })
    })
}
