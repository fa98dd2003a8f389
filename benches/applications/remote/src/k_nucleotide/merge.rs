//! The sum of the tables that come back, with a thread for each size.

use super::wire::{Tables, add};
use crate::sides::failed;
use bytes::Bytes;
use pipes::{Port, sync_stream};
use pipes_benches::executor::carried_on;
use pipes_k_nucleotide::table::{SIZES, Table};
use pipes_skeleton::Pipeline;
use std::io;
use std::thread;

/// How many tables may wait to be added. Then no more results are taken, and so no more chunks are sent.
const WAITING: usize = 4;

/// Runs the pipeline, and adds up its tables. Each is that of at most this many letters.
pub fn merged(results: Pipeline<Tables>, letters: usize) -> io::Result<Vec<Table>> {
    thread::scope(|scope| {
        let merger = |size| {
            let (chan, port) = sync_stream(WAITING);
            (chan, scope.spawn(move || sum(size, port, letters)))
        };
        let (mut chans, mergers): (Vec<_>, Vec<_>) = SIZES.into_iter().map(merger).unzip();
        // The chans are dropped with the stage, at the end of the pipeline; then the mergers end.
        let deal = move |Tables(tables): Tables| {
            chans.iter_mut().zip(tables).try_for_each(|(chan, table)| chan.send(table).map_err(failed))
        };
        let ran = results.try_sequential(deal).named("merge").for_each(drop);
        // A table that is damaged is the reason why a merger has left.
        let tables =
            mergers.into_iter().map(|merger| carried_on(merger.join())).collect::<io::Result<_>>()?;
        ran.map_err(failed)?;
        Ok(tables)
    })
}

/// The sum of all tables of one size.
fn sum(size: usize, port: Port<Bytes>, letters: usize) -> io::Result<Table> {
    let (mut port, mut table) = (port, Table::new(size));
    while let Ok(bytes) = port.recv() {
        add(&mut table, &bytes, letters).map_err(|damaged| {
            failed(format!("a table of windows of {size} letters is damaged: {damaged}"))
        })?;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pipes_skeleton::from_iter;

    /// Results in which each window of one letter is there once, all with these bytes for windows of two.
    fn results(two: &'static [u8]) -> impl Iterator<Item = Tables> + Send {
        std::iter::repeat_with(move || {
            let mut tables = [const { Bytes::new() }; SIZES.len()];
            tables[0] = Bytes::from_static(&[0; 4]);
            tables[1] = Bytes::from_static(two);
            Tables(tables)
        })
    }

    #[test]
    fn tables_are_added_up() {
        let tables = merged(from_iter(results(&[6]).take(1_000)), 4).expect("they are whole");
        assert_eq!(tables.iter().map(Table::total).collect::<Vec<_>>(), [4_000, 1_000, 0, 0, 0, 0, 0]);
        let nothing = merged(from_iter(results(&[]).take(0)), 4).expect("there is nothing");
        assert_eq!(nothing.len(), SIZES.len());
    }

    #[test]
    fn a_damaged_table_ends_the_pipeline() {
        for (two, why) in [
            (&[0x80][..], "a number is cut off"),
            (&[0, 0, 0, 0, 0], "it has more windows than its chunk"),
            (&[1, 3], "it has more windows than its chunk"),
        ] {
            let told = merged(from_iter(results(two)), 4).expect_err(why).to_string();
            assert_eq!(told, format!("a table of windows of 2 letters is damaged: {why}"));
        }
    }
}
