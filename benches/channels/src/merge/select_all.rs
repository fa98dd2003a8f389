//! A channel of `tokio` for each chan, as streams that `futures` merges into one.

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::select_all;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_stream::wrappers::UnboundedReceiverStream;

use super::{BlockingMerge, TaskMerge};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("select_all.rs");

/// The ports of the channels.
#[derive(Debug)]
pub struct SelectAll<T>(pub Vec<UnboundedReceiver<T>>);

impl<T: Send + 'static> BlockingMerge<T> for SelectAll<T> {
    #[inline]
    fn take_all(self, mut take: impl FnMut(T)) {
        block_on(async {
            let mut merged = select_all(self.0.into_iter().map(UnboundedReceiverStream::new));
            while let Some(message) = merged.next().await {
                take(message);
            }
        });
    }
}

impl<T: Send + 'static> TaskMerge<T> for SelectAll<T> {
    #[inline]
    async fn take_all(self, mut take: impl FnMut(T) + Send) {
        let mut merged = select_all(self.0.into_iter().map(UnboundedReceiverStream::new));
        while let Some(message) = merged.next().await {
            take(message);
        }
    }
}
