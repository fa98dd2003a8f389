//! A task for each source, predictor and sink, with channels of `tokio` between them.

use std::io;
use std::thread;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::items::Item;
use super::sink::{Found, Sink};
use super::{Fraud, Setting};
use crate::streams::WINDOW;
use pipes_benches::executor::unwound;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tokio.rs")];

/// Runs the program.
pub fn run<I: Item>(fraud: &Fraud, at: &Setting) -> io::Result<Found> {
    let (predictors, sinks, is_paced) = (fraud.predictors(), fraud.sinks(), at.observer.rate.is_some());
    let sources = I::sources(fraud, at);
    let states: Vec<_> = (0..predictors).map(|_| at.predictor(fraud)).collect();
    let empty: Vec<_> = (0..sinks).map(|_| at.sink()).collect();
    Ok(at.pools.task(async move {
        let (to_predictors, items) = channels::<I>(predictors);
        let (to_sinks, outliers) = channels::<I::Out>(sinks);
        for source in sources {
            let chans = to_predictors.clone();
            if is_paced {
                // A source that sleeps must not do so in a task.
                thread::spawn(move || {
                    source
                        .into_iter()
                        .try_for_each(|item| chans[item.predictor(predictors)].blocking_send(item))
                });
                continue;
            }
            tokio::spawn(async move {
                for item in source {
                    if chans[item.predictor(predictors)].send(item).await.is_err() {
                        break;
                    }
                }
            });
        }
        for (mut items, mut predictor) in items.into_iter().zip(states) {
            let chans = to_sinks.clone();
            tokio::spawn(async move {
                while let Some(item) = items.recv().await {
                    if let Some(out) = item.scored(&mut predictor)
                        && chans[I::key(&out) % predictors % sinks].send(out).await.is_err()
                    {
                        break;
                    }
                }
            });
        }
        // From here on only the tasks hold chans, so a stage ends after the one before it has ended.
        drop((to_predictors, to_sinks));
        let sinks: Vec<_> = outliers
            .into_iter()
            .zip(empty)
            .map(|(outliers, sink)| tokio::spawn(sunk::<I>(outliers, sink)))
            .collect();
        let mut found = Found::default();
        for sink in sinks {
            found = found.and(unwound(sink.await));
        }
        found
    }))
}

/// A sink.
async fn sunk<I: Item>(mut outliers: Receiver<I::Out>, mut sink: Sink) -> Found {
    while let Some(out) = outliers.recv().await {
        I::sunk(out, &mut sink);
    }
    sink.found()
}

/// A channel for each worker of a stage.
fn channels<T>(workers: usize) -> (Vec<Sender<T>>, Vec<Receiver<T>>) {
    (0..workers).map(|_| channel(WINDOW)).unzip()
}
