//! Tasks of `tokio`: in a farm a task for each item, with streams that yield the results in order, as in the
//! programs of the Rust-SSP paper; in a pipeline a task for each stage.

use std::io;
use std::thread;

use futures::stream::{self, BoxStream, StreamExt};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Way;
use crate::streams::parcel::Parcel;
use crate::streams::reorder::{self, Reorder};
use crate::streams::setting::{Farm, Sink};
use crate::streams::{Flow, Setting, Shape};
use pipes_benches::executor::unwound;

/// With the same window as the other contenders.
#[derive(Debug)]
pub enum Tokio {}

/// With only as many items in flight as there are workers, as in the paper's programs.
#[derive(Debug)]
pub enum TokioNarrow {}

impl Way for Tokio {
    const NAME: &'static str = "tokio";
    const SOURCES: &'static [&'static str] = &[include_str!("tokio.rs"), reorder::SOURCE];

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        with_window(at, at.window())
    }
}

impl Way for TokioNarrow {
    const NAME: &'static str = "tokio-narrow";
    const SOURCES: &'static [&'static str] = Tokio::SOURCES;

    fn run<F: Flow>(at: &Setting<F>) -> io::Result<F::Sink> {
        with_window(at, at.replicas)
    }
}

/// Runs a flow with this window; the sink is a task, too.
fn with_window<F: Flow>(at: &Setting<F>, window: usize) -> io::Result<F::Sink> {
    let (source, sink, farms) = (at.source()?, at.sink()?, at.farms());
    let (shape, replicas, is_paced) = (at.shape, at.replicas, at.timing.rate.is_some());
    at.pools.task(async move {
        // A source that sleeps must not do so in a task.
        let parcels: BoxStream<'static, _> = if is_paced {
            stream::unfold(in_a_thread(source, window), next).boxed()
        } else {
            stream::iter(source).boxed()
        };
        let pipelines = match shape {
            Shape::Farm | Shape::PipeOfFarms => {
                let done = farms.into_iter().fold(parcels, |parcels, farm| stage(parcels, farm, window));
                return collected(done, sink).await;
            }
            Shape::FarmOfPipes => replicas,
            Shape::Pipeline => 1,
        };
        in_pipelines(parcels, sink, &farms, pipelines, window).await
    })
}

/// A task for each parcel, at most `window` at a time.
fn stage<F: Flow>(
    parcels: BoxStream<'static, Parcel<F::Item>>,
    farm: Farm<F>,
    window: usize,
) -> BoxStream<'static, Parcel<F::Item>> {
    let tasks = parcels.map(move |parcel| {
        let farm = farm.clone();
        tokio::spawn(async move { farm.on(parcel) })
    });
    if F::ORDERED {
        tasks.buffered(window).map(unwound).boxed()
    } else {
        tasks.buffer_unordered(window).map(unwound).boxed()
    }
}

/// Gives everything to the sink.
async fn collected<F: Flow>(
    mut done: BoxStream<'static, Parcel<F::Item>>,
    mut sink: Sink<F>,
) -> io::Result<F::Sink> {
    while let Some(parcel) = done.next().await {
        sink.take(parcel)?;
    }
    Ok(sink.done())
}

/// A task for each stage of each pipeline. The source deals the parcels in turn, because a channel of `tokio`
/// has a single receiver.
async fn in_pipelines<F: Flow>(
    mut source: BoxStream<'static, Parcel<F::Item>>,
    mut sink: Sink<F>,
    farms: &[Farm<F>],
    pipelines: usize,
    window: usize,
) -> io::Result<F::Sink> {
    let (to_sink, mut done) = channel(window);
    let (last, first) = farms.split_last().expect("a flow has a stage");
    let mut heads = Vec::with_capacity(pipelines);
    for _ in 0..pipelines {
        let (head, mut parcels) = channel(window);
        heads.push(head);
        for farm in first {
            let (chan, out) = channel(window);
            tokio::spawn(worked(parcels, farm.clone(), chan));
            parcels = out;
        }
        tokio::spawn(worked(parcels, last.clone(), to_sink.clone()));
    }
    // From here on only the tasks hold chans, so each stage ends after the one before it.
    drop(to_sink);
    tokio::spawn(async move {
        for head in heads.iter().cycle() {
            let Some(parcel) = source.next().await else { break };
            if head.send(parcel).await.is_err() {
                break;
            }
        }
    });
    let mut order = Reorder::new();
    while let Some(parcel) = done.recv().await {
        if F::ORDERED {
            order.put(parcel.number(), parcel).try_for_each(|parcel| sink.take(parcel))?;
        } else {
            sink.take(parcel)?;
        }
    }
    Ok(sink.done())
}

/// A stage of a pipeline.
async fn worked<F: Flow>(
    mut parcels: Receiver<Parcel<F::Item>>,
    farm: Farm<F>,
    chan: Sender<Parcel<F::Item>>,
) {
    while let Some(parcel) = parcels.recv().await {
        if chan.send(farm.on(parcel)).await.is_err() {
            break;
        }
    }
}

/// A source in a thread of its own.
fn in_a_thread<T: Send + 'static>(
    source: impl Iterator<Item = T> + Send + 'static,
    window: usize,
) -> Receiver<T> {
    let (chan, items) = channel(window);
    thread::spawn(move || source.into_iter().try_for_each(|item| chan.blocking_send(item)));
    items
}

/// The next item of a channel, as a step of a stream.
async fn next<T>(mut items: Receiver<T>) -> Option<(T, Receiver<T>)> {
    let item = items.recv().await?;
    Some((item, items))
}
