//! `SelectAll` and `FuturesUnordered` of `futures`, and a channel for each endpoint.

use futures::channel::mpsc::{UnboundedSender, unbounded};
use futures::stream::{self, FuturesUnordered, SelectAll, StreamFuture};
use futures::{Stream, StreamExt};

use super::super::set::TaskSet;
use super::super::{Select, tasks};

/// The source of this file and of the loops, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("futures.rs"), tasks::SOURCE];

/// The chans, and the ports as streams of pairs of an endpoint and a value, because neither set reports where
/// a message came from.
fn channels(
    select: &Select,
) -> (Vec<UnboundedSender<u64>>, Vec<impl Stream<Item = (usize, u64)> + Unpin + use<>>) {
    let channel = |endpoint: u64| {
        let (chan, port) = unbounded();
        (chan, port.map(move |value| (endpoint as usize, value)))
    };
    (0..select.all()).map(channel).unzip()
}

/// A stream of the items of all streams.
pub fn select_all(select: &Select) -> (Vec<UnboundedSender<u64>>, impl TaskSet + use<>) {
    let (chans, ports) = channels(select);
    (chans, stream::select_all(ports))
}

impl<P: Stream<Item = (usize, u64)> + Unpin> TaskSet for SelectAll<P> {
    #[inline]
    async fn recv(&mut self) -> Option<(usize, u64)> {
        self.next().await
    }
}

/// A set of futures, one for the next message of each stream.
pub fn unordered(select: &Select) -> (Vec<UnboundedSender<u64>>, impl TaskSet + use<>) {
    let (chans, ports) = channels(select);
    let set: FuturesUnordered<_> = ports.into_iter().map(StreamExt::into_future).collect();
    (chans, set)
}

impl<P: Stream<Item = (usize, u64)> + Unpin> TaskSet for FuturesUnordered<StreamFuture<P>> {
    #[inline]
    async fn recv(&mut self) -> Option<(usize, u64)> {
        let (message, port) = self.next().await?;
        self.push(port.into_future());
        message
    }
}
