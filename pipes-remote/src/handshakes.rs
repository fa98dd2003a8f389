//! Limits for the handshakes under way at an address: for all clients together, and for each peer.
//!
//! Without a share for each peer, one that connects often and sends nothing would hold up all others. If a
//! peer has used up its share, its further connections wait, and do not count for the common limit. While
//! they wait, handshakes of the same peer that take long are ended. If too many wait, further ones are
//! dropped.
//!
//! # Layers
//!
//! Uses `deadline`; used by `engine` and `site`.

use crate::deadline::Deadline;
use crate::runtime::sleep;
use pipes::remote::Peer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most handshakes under way, of all peers.
const HANDSHAKES: usize = 256;

/// The most handshakes of one peer that are under way, and the most that wait.
const SHARE: usize = HANDSHAKES / 2;
const WAITING: usize = 4 * HANDSHAKES;

/// How long a handshake may take while others of the same peer wait, and how often this is checked.
const QUICK: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(100);

/// When there are this many entries, those of peers that have gone are removed.
const MANY: usize = 1024;

#[derive(Debug)]
pub(crate) struct Handshakes {
    all: Arc<Semaphore>,
    /// The shares of the peers that have handshakes under way.
    shares: Mutex<HashMap<Peer, Weak<Share>>>,
}

/// The limits of one peer.
#[derive(Debug)]
struct Share {
    under_way: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

/// The permission for one handshake.
pub(crate) struct Turn {
    _of_all: OwnedSemaphorePermit,
    _of_its_own: OwnedSemaphorePermit,
    share: Arc<Share>,
}

/// A connection of a peer, after its handshake.
#[cfg(feature = "quic")]
pub(crate) struct Member(Arc<Share>);

#[cfg(feature = "quic")]
impl Member {
    /// Returns roughly how many connections and handshakes its peer has.
    pub(crate) fn count(&self) -> usize {
        Arc::strong_count(&self.0)
    }
}

impl Turn {
    /// Runs the handshake. Gives up and returns `None` if it takes long while others of the same peer wait.
    pub(crate) async fn run<T>(self, handshake: impl Future<Output = T>) -> Option<T> {
        let pressed = async {
            Deadline::after(QUICK).await;
            while self.share.waiting.available_permits() == WAITING {
                sleep(LOOK).await;
            }
        };
        tokio::select! {
            // Most hellos have come already, and then no timer is needed.
            biased;
            done = handshake => Some(done),
            () = pressed => None,
        }
    }
}

impl Handshakes {
    pub(crate) fn new() -> Self {
        Handshakes { all: Arc::new(Semaphore::new(HANDSHAKES)), shares: Mutex::new(HashMap::new()) }
    }

    /// Waits for room for one more handshake of any peer.
    pub(crate) async fn room(&self) -> Option<OwnedSemaphorePermit> {
        self.all.clone().acquire_owned().await.ok()
    }

    /// Waits for the turn of a connection of this peer. Returns `None` if too many of its connections wait.
    ///
    /// The time limit for a handshake includes this wait. So a connection that has waited in vain does not
    /// hold up the next one for the same time again.
    pub(crate) async fn turn(&self, room: OwnedSemaphorePermit, peer: &Peer) -> Option<Turn> {
        let share = self.share(peer);
        if let Ok(own) = share.under_way.clone().try_acquire_owned() {
            return Some(Turn { _of_all: room, _of_its_own: own, share });
        }
        drop(room);
        let _waits = share.waiting.clone().try_acquire_owned().ok()?;
        let own = share.under_way.clone().acquire_owned().await.ok()?;
        Some(Turn { _of_all: self.room().await?, _of_its_own: own, share })
    }

    /// Counts a connection of this peer until the result is dropped.
    #[cfg(feature = "quic")]
    pub(crate) fn member(&self, peer: &Peer) -> Member {
        Member(self.share(peer))
    }

    /// Waits until no handshake is under way.
    pub(crate) async fn none_left(&self) {
        let _all = self.all.acquire_many(HANDSHAKES as u32).await;
    }

    fn share(&self, peer: &Peer) -> Arc<Share> {
        // Nothing panics under the lock.
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(peer).and_then(Weak::upgrade) {
            return share;
        }
        if shares.len() >= MANY {
            shares.retain(|_, share| share.strong_count() > 0);
        }
        let [under_way, waiting] = [SHARE, WAITING].map(|permits| Arc::new(Semaphore::new(permits)));
        let share = Arc::new(Share { under_way, waiting });
        shares.insert(peer.clone(), Arc::downgrade(&share));
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    #[tokio::test(start_paused = true)]
    async fn a_peer_has_half_and_the_others_the_rest() {
        let (handshakes, time) = (Handshakes::new(), Duration::from_secs(5));
        let mut turns = Vec::new();
        let [a, b] = ["a", "b"].map(Peer::new);
        for peer in [&a; SHARE].into_iter().chain([&b; SHARE]) {
            let room = handshakes.room().await.expect("there is room");
            turns.push(handshakes.turn(room, peer).await.expect("it has a share"));
        }
        assert!(timeout(time, handshakes.room()).await.is_err(), "all are under way");
        // One more of the first peer waits without room, and gets its turn when its share has room again.
        turns.pop();
        let room = handshakes.room().await.expect("there is room");
        assert!(timeout(time, handshakes.turn(room, &a)).await.is_err());
        let room = handshakes.room().await.expect("the room was given back");
        let (turn, ()) = tokio::join!(handshakes.turn(room, &a), async { drop(turns.remove(0)) });
        assert!(turn.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn what_takes_long_ends_if_others_wait() {
        let handshakes = Arc::new(Handshakes::new());
        let silent = |number| {
            let handshakes = handshakes.clone();
            async move {
                let room = handshakes.room().await.expect("there is room");
                let turn = handshakes.turn(room, &Peer::new("a")).await.expect("not too many wait");
                turn.run(sleep(QUICK * 100)).await.map(|()| number)
            }
        };
        // As long as no other one waits, they may take long.
        let some: Vec<_> = (0..SHARE).map(|number| tokio::spawn(silent(number))).collect();
        sleep(QUICK * 50).await;
        assert!(some.iter().all(|silent| !silent.is_finished()));
        // One more waits, and so gets its turn soon.
        let room = handshakes.room().await.expect("there is room");
        let turn = timeout(QUICK, handshakes.turn(room, &Peer::new("a"))).await.expect("it waits shortly");
        assert_eq!(turn.expect("not too many wait").run(async { 7 }).await, Some(7));
    }

    #[test]
    fn peers_that_have_gone_leave_nothing() {
        let handshakes = Handshakes::new();
        let share = |number: usize| handshakes.share(&Peer::new(number.to_string()));
        let entries = || handshakes.shares.lock().expect("nothing panics").len();
        let here: Vec<_> = (0..MANY).map(share).collect();
        (MANY..MANY + 9).for_each(|number| drop(share(number)));
        assert_eq!(entries(), MANY + 1, "those that are here, and the last one");
        drop((here, share(0)));
        (0..3 * MANY).for_each(|number| drop(share(number)));
        assert!(entries() <= MANY);
    }
}
