//! A pipeline of `pipes_skeleton`, after which the order is restored.

use std::io;

use pipes_skeleton::{Pipeline, Place, from_iter};

use super::Way;
use crate::streams::parcel::Parcel;
use crate::streams::setting::Farm;
use crate::streams::{Flow, Setting, Shape};

/// Our own pipeline.
#[derive(Debug)]
pub enum Pipes {}

impl Way for Pipes {
    const NAME: &'static str = "pipes";
    const SOURCES: &'static [&'static str] = &[include_str!("pipes.rs")];

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        let (sink, replicas, farms) = (at.sink()?, at.replicas, at.farms().into_iter());
        let parcels = from_iter(at.source()?);
        // Each queue between two ordered stages holds a window, as with the other contenders.
        let queues = if matches!(at.shape, Shape::Pipeline) { farms.len() + 1 } else { 1 };
        let done = match at.shape {
            Shape::Farm | Shape::PipeOfFarms => farms
                .fold(parcels, |parcels, farm| parcels.parallel(replicas, farm.worker()).named(farm.name())),
            Shape::FarmOfPipes => parcels.farm(replicas, |parcels| farms.clone().fold(parcels, stage)),
            Shape::Pipeline => farms.fold(parcels, stage),
        };
        let done = done.in_flight(queues * at.window());
        sink.try_fill(at.watch.over(if F::ORDERED { done.in_order() } else { done }))
    }
}

/// Adds a stage with one worker.
fn stage<F: Flow, P: Place>(
    parcels: Pipeline<Parcel<F::Item>, P>,
    farm: Farm<F>,
) -> Pipeline<Parcel<F::Item>, P> {
    parcels.sequential(farm.worker()).named(farm.name())
}
