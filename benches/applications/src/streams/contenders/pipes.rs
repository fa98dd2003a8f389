//! A pipeline of `pipes::skeleton`, after which the order is restored.

use std::io;

use pipes::skeleton::from_iter;

use super::Way;
use crate::streams::{Flow, Setting, Shape};

/// Our own pipeline.
#[derive(Debug)]
pub enum Pipes {}

impl Way for Pipes {
    const NAME: &'static str = "pipes";
    const SOURCES: &'static [&'static str] = &[include_str!("pipes.rs")];

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        let (sink, replicas, farms) = (at.sink()?, at.replicas, at.farms());
        let parcels = from_iter(at.source()?).window(at.window()).hand_over(at.window());
        let done = match at.shape {
            Shape::Farm | Shape::PipeOfFarms => farms.into_iter().fold(parcels, |parcels, farm| {
                let name = farm.name();
                parcels.parallel(replicas, move |parcel| farm.on(parcel)).named(name)
            }),
            Shape::Pipeline => farms.into_iter().fold(parcels, |parcels, farm| {
                let name = farm.name();
                parcels.sequential(move |parcel| farm.on(parcel)).named(name)
            }),
            Shape::FarmOfPipes => parcels.farm(replicas, |parcels| {
                farms.iter().cloned().fold(parcels, |parcels, farm| {
                    let name = farm.name();
                    parcels.sequential(move |parcel| farm.on(parcel)).named(name)
                })
            }),
        };
        let done = at.watch.over(if F::ORDERED { done.in_order() } else { done });
        sink.fill(done.into_iter().map(|parcel| parcel.map_err(io::Error::other)))
    }
}
