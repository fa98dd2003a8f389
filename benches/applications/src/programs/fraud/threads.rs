//! A thread for each source, predictor and sink, with channels of `crossbeam-channel` between them.

use std::panic::resume_unwind;
use std::{io, thread};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::items::Item;
use super::sink::Found;
use super::{Fraud, Setting};
use crate::streams::WINDOW;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("threads.rs")];

/// Runs the program.
pub fn run<I: Item>(fraud: &Fraud, at: &Setting) -> io::Result<Found> {
    let (predictors, sinks) = (fraud.predictors(), fraud.sinks());
    thread::scope(|scope| {
        let (to_predictors, items) = channels::<I>(predictors);
        let (to_sinks, outliers) = channels(sinks);
        for source in I::sources(fraud, at) {
            let chans = to_predictors.clone();
            scope.spawn(move || {
                source.into_iter().try_for_each(|item| chans[item.predictor(predictors)].send(item))
            });
        }
        for items in items {
            let (chans, mut predictor) = (to_sinks.clone(), at.predictor(fraud));
            scope.spawn(move || {
                let mut outliers = items.into_iter().filter_map(|item| item.scored(&mut predictor));
                outliers.try_for_each(|out| chans[I::key(&out) % predictors % sinks].send(out))
            });
        }
        // From here on only the threads hold chans, so a stage ends after the one before it has ended.
        drop((to_predictors, to_sinks));
        let sink = |outliers: Receiver<I::Out>| {
            let mut sink = at.sink();
            outliers.into_iter().for_each(|out| I::sunk(out, &mut sink));
            sink.found()
        };
        let sinks: Vec<_> =
            outliers.into_iter().map(|outliers| scope.spawn(move || sink(outliers))).collect();
        let found = sinks.into_iter().map(|sink| sink.join().unwrap_or_else(|panic| resume_unwind(panic)));
        Ok(found.fold(Found::default(), Found::and))
    })
}

/// A channel for each worker of a stage.
fn channels<T>(workers: usize) -> (Vec<Sender<T>>, Vec<Receiver<T>>) {
    (0..workers).map(|_| bounded(WINDOW)).unzip()
}
