//! A thread for the source and for each worker, with channels of `crossbeam-channel` between them.

use std::io;
use std::thread::{self, Scope};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::Way;
use crate::streams::parcel::Parcel;
use crate::streams::reorder::{self, Reorder};
use crate::streams::setting::Farm;
use crate::streams::{Flow, Setting, Shape};

/// Threads and channels.
#[derive(Debug)]
pub enum Threads {}

impl Way for Threads {
    const NAME: &'static str = "threads";
    const SOURCES: &'static [&'static str] = &[include_str!("threads.rs"), reorder::SOURCE];

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        let (source, mut sink, farms) = (at.source()?, at.sink()?, at.farms());
        let (last, first) = farms.split_last().expect("a flow has a stage");
        let (workers, pipelines) = match at.shape {
            Shape::Farm | Shape::PipeOfFarms => (at.replicas, 1),
            Shape::FarmOfPipes => (1, at.replicas),
            Shape::Pipeline => (1, 1),
        };
        thread::scope(|scope| {
            let (chan, parcels) = bounded(at.window());
            scope.spawn(move || source.into_iter().try_for_each(|parcel| chan.send(parcel)));
            let (to_sink, done) = bounded(at.window());
            for _ in 0..pipelines {
                let mut parcels = parcels.clone();
                for farm in first {
                    let (chan, out) = bounded(at.window());
                    stage(scope, farm, workers, &parcels, &chan);
                    parcels = out;
                }
                stage(scope, last, workers, &parcels, &to_sink);
            }
            // From here on only the workers hold these ends, so each stage ends after the one before it, or
            // when the sink does.
            drop((to_sink, parcels));
            let mut order = Reorder::new();
            for parcel in done {
                if F::ORDERED {
                    order.put(parcel.number(), parcel).try_for_each(|parcel| sink.take(parcel))?;
                } else {
                    sink.take(parcel)?;
                }
            }
            Ok(sink.done())
        })
    }
}

/// Starts the workers of a stage.
fn stage<'scope, F: Flow>(
    scope: &'scope Scope<'scope, '_>,
    farm: &Farm<F>,
    workers: usize,
    parcels: &Receiver<Parcel<F::Item>>,
    chan: &Sender<Parcel<F::Item>>,
) {
    for _ in 0..workers {
        let (farm, parcels, chan) = (farm.clone(), parcels.clone(), chan.clone());
        scope.spawn(move || parcels.into_iter().try_for_each(|parcel| chan.send(farm.on(parcel))));
    }
}
