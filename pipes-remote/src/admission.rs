//! Which clients are accepted: those that a filter admits and that do not have too many sessions already.
//!
//! # Layers
//!
//! Uses `hello`; used by `site` and `via`.

use crate::hello::Refusal;
use pipes::remote::Peer;
use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

/// A function that returns `true` if a peer is admitted.
type Admits = dyn Fn(&Peer) -> bool + Send + Sync;

/// Decides which peers are admitted. By default, all are.
#[derive(Clone, Default)]
pub(crate) struct Filter(Option<Arc<Admits>>);

impl Filter {
    pub(crate) fn new(admits: impl Fn(&Peer) -> bool + Send + Sync + 'static) -> Self {
        Filter(Some(Arc::new(admits)))
    }

    fn admits(&self, peer: &Peer) -> bool {
        self.0.as_ref().is_none_or(|admits| admits(peer))
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Filter" } else { "none" })
    }
}

/// The number of sessions of each peer at an address, in all protocols together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sessions(Arc<Mutex<HashMap<Peer, usize>>>);

/// Counts one session until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    sessions: Sessions,
    peer: Peer,
}

impl Sessions {
    /// Locks the counts. Nothing panics while it holds the lock.
    fn counts(&self) -> MutexGuard<'_, HashMap<Peer, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one more session of this peer.
    ///
    /// # Errors
    ///
    /// The filter does not admit the peer, or the peer has `most` sessions already.
    pub(crate) fn admit(&self, peer: &Peer, filter: &Filter, most: usize) -> Result<Counted, Refusal> {
        // The filter is the user's code, so it is not called under the lock.
        if !filter.admits(peer) {
            return Err(Refusal::NotAdmitted);
        }
        let mut counts = self.counts();
        let count = counts.get(peer).copied().unwrap_or(0);
        if count >= most {
            return Err(Refusal::Sessions { most });
        }
        counts.insert(peer.clone(), count + 1);
        Ok(Counted { sessions: self.clone(), peer: peer.clone() })
    }
}

impl Counted {
    /// Runs the pump of this session, which is counted until the pump has ended.
    ///
    /// This is not an `async` block, because such a block would have room for the pump twice.
    pub(crate) fn while_lasts<F: Future<Output = ()> + Unpin>(self, pump: F) -> impl Future<Output = ()> {
        Lasting { pump, _counted: self }
    }
}

struct Lasting<F> {
    pump: F,
    _counted: Counted,
}

impl<F: Future<Output = ()> + Unpin> Future for Lasting<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.pump).poll(cx)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.sessions.counts();
        if let Some(count) = counts.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_counted_by_peer_while_they_last() {
        let (sessions, all) = (Sessions::default(), Filter::default());
        let [one, same, other] = ["192.0.2.1:1", "192.0.2.1:2", "192.0.2.2:1"]
            .map(|address| Peer::at(address.parse().expect("it is an address")));
        let first = sessions.admit(&one, &all, 2).expect("there is room");
        let second = sessions.admit(&same, &all, 2).expect("there is room");
        assert_eq!(sessions.admit(&one, &all, 2).err(), Some(Refusal::Sessions { most: 2 }));
        let third = sessions.admit(&other, &all, 2).expect("it is another peer");
        drop(second);
        let again = sessions.admit(&same, &all, 2).expect("there is room again");
        drop((first, third, again));
        assert!(sessions.counts().is_empty());
    }

    #[test]
    fn what_the_filter_does_not_admit_is_not_counted() {
        let (sessions, filter) = (Sessions::default(), Filter::new(|peer| *peer == Peer::new("good")));
        assert!(sessions.admit(&Peer::new("good"), &filter, 1).is_ok());
        assert_eq!(sessions.admit(&Peer::new("bad"), &filter, 1).err(), Some(Refusal::NotAdmitted));
        assert!(sessions.counts().is_empty());
    }
}
