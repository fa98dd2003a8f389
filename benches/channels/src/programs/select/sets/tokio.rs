//! `StreamMap` of `tokio-stream`, and a channel of `tokio` for each endpoint.

use futures::StreamExt;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::StreamMap;
use tokio_stream::wrappers::UnboundedReceiverStream;

use super::super::set::TaskSet;
use super::super::{Select, tasks};

/// The source of this file and of the loops, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("tokio.rs"), tasks::SOURCE];

/// The streams, keyed by the numbers of their endpoints.
type Ports = StreamMap<usize, UnboundedReceiverStream<u64>>;

/// The chans and the set.
pub fn stream_map(select: &Select) -> (Vec<UnboundedSender<u64>>, Ports) {
    let mut set = StreamMap::new();
    let chan = |endpoint| {
        let (chan, port) = unbounded_channel();
        set.insert(endpoint as usize, UnboundedReceiverStream::new(port));
        chan
    };
    ((0..select.all()).map(chan).collect(), set)
}

impl TaskSet for Ports {
    #[inline]
    async fn recv(&mut self) -> Option<(usize, u64)> {
        self.next().await
    }
}
