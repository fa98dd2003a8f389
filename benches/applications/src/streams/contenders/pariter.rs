//! An iterator whose items `pariter` processes in parallel, stage by stage.

use std::io;

use pariter::IteratorExt;

use super::Way;
use crate::streams::parcel::Parcel;
use crate::streams::setting::Farm;
use crate::streams::{Flow, Setting, Shape};

/// Parallel iterators. They always keep the order, and have no farm of pipelines.
#[derive(Debug)]
pub enum Pariter {}

/// Parcels after any number of stages.
type Parcels<F> = Box<dyn Iterator<Item = Parcel<<F as Flow>::Item>> + Send>;

impl Way for Pariter {
    const NAME: &'static str = "pariter";
    const SOURCES: &'static [&'static str] = &[include_str!("pariter.rs")];

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        let (workers, window) = (at.replicas, at.window());
        let source: Parcels<F> = Box::new(at.source()?);
        let stage = |parcels: Parcels<F>, farm: Farm<F>| -> Parcels<F> {
            let on = farm.worker();
            match at.shape {
                Shape::Pipeline => Box::new(parcels.map(on).readahead_custom(|cut| cut.buffer_size(window))),
                Shape::Farm | Shape::PipeOfFarms | Shape::FarmOfPipes => Box::new(
                    parcels.parallel_map_custom(|farm| farm.threads(workers).buffer_size(window), on),
                ),
            }
        };
        at.sink()?.fill(at.farms().into_iter().fold(source, stage))
    }
}
