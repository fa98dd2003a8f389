//! How many handshakes are under way at an address: of all clients together, and of each.
//!
//! Without a share for each holder, one that connects often and says nothing would hold up all others. If a
//! holder has used up its share, further connections of it wait, outside of the number for all, and those
//! under way that take long are ended for them. If too many wait, further ones are dropped.
//!
//! # Layers
//!
//! Uses `deadline`; used by `engine` and `site`.

use crate::deadline::Deadline;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

/// The most handshakes that are under way.
const HANDSHAKES: usize = 256;

/// The most handshakes of one holder that are under way, and the most that wait.
const SHARE: usize = HANDSHAKES / 2;
const WAITING: usize = 4 * HANDSHAKES;

/// How long a handshake may take while others of the same holder wait, and how often that is looked at.
const QUICK: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(100);

/// Entries of holders that have gone are removed when there are this many.
const MANY: usize = 1024;

#[derive(Debug)]
pub(crate) struct Handshakes {
    all: Arc<Semaphore>,
    /// The shares of those that have handshakes under way.
    shares: Mutex<HashMap<String, Weak<Share>>>,
}

/// What one holder may have.
#[derive(Debug)]
struct Share {
    under_way: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

/// A handshake that may go on.
pub(crate) struct Turn {
    _of_all: OwnedSemaphorePermit,
    _of_its_own: OwnedSemaphorePermit,
    share: Arc<Share>,
}

/// A connection of a holder, after its handshake.
#[cfg(feature = "quic")]
pub(crate) struct Member(Arc<Share>);

#[cfg(feature = "quic")]
impl Member {
    /// Returns how many connections and handshakes its holder has, about.
    pub(crate) fn count(&self) -> usize {
        Arc::strong_count(&self.0)
    }
}

impl Turn {
    /// Shakes hands; or gives up, if that takes long and others of the same holder wait.
    pub(crate) async fn shake<T>(self, shaking: impl Future<Output = T>) -> Option<T> {
        let pressed = async {
            Deadline::after(QUICK).await;
            while self.share.waiting.available_permits() == WAITING {
                sleep(LOOK).await;
            }
        };
        tokio::select! {
            // Most hellos are here already; those cost no timer.
            biased;
            shaken = shaking => Some(shaken),
            () = pressed => None,
        }
    }
}

impl Handshakes {
    pub(crate) fn new() -> Self {
        Handshakes { all: Arc::new(Semaphore::new(HANDSHAKES)), shares: Mutex::new(HashMap::new()) }
    }

    /// Waits for room for one more client of any holder.
    pub(crate) async fn room(&self) -> Option<OwnedSemaphorePermit> {
        self.all.clone().acquire_owned().await.ok()
    }

    /// Waits for the turn of a client of this holder, for which there is room. Returns `None` if too many of
    /// its clients wait. The time for a handshake includes this, so that a client that has waited in vain for
    /// it does not hold up the next one for as long again.
    pub(crate) async fn turn(&self, room: OwnedSemaphorePermit, holder: &str) -> Option<Turn> {
        let share = self.share(holder);
        if let Ok(own) = share.under_way.clone().try_acquire_owned() {
            return Some(Turn { _of_all: room, _of_its_own: own, share });
        }
        drop(room);
        let _waits = share.waiting.clone().try_acquire_owned().ok()?;
        let own = share.under_way.clone().acquire_owned().await.ok()?;
        Some(Turn { _of_all: self.room().await?, _of_its_own: own, share })
    }

    /// Counts a connection of this holder, as long as the result is kept.
    #[cfg(feature = "quic")]
    pub(crate) fn member(&self, holder: &str) -> Member {
        Member(self.share(holder))
    }

    /// Waits until no handshake is under way.
    pub(crate) async fn none_left(&self) {
        let _all = self.all.acquire_many(HANDSHAKES as u32).await;
    }

    fn share(&self, holder: &str) -> Arc<Share> {
        // Nothing panics while it has the lock.
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(holder).and_then(Weak::upgrade) {
            return share;
        }
        if shares.len() >= MANY {
            shares.retain(|_, share| share.strong_count() > 0);
        }
        let [under_way, waiting] = [SHARE, WAITING].map(|permits| Arc::new(Semaphore::new(permits)));
        let share = Arc::new(Share { under_way, waiting });
        shares.insert(holder.to_owned(), Arc::downgrade(&share));
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    #[tokio::test(start_paused = true)]
    async fn a_holder_has_half_and_the_others_the_rest() {
        let (handshakes, time) = (Handshakes::new(), Duration::from_secs(5));
        let mut turns = Vec::new();
        for holder in ["a"; SHARE].into_iter().chain(["b"; SHARE]) {
            let room = handshakes.room().await.expect("there is room");
            turns.push(handshakes.turn(room, holder).await.expect("it has a share"));
        }
        assert!(timeout(time, handshakes.room()).await.is_err(), "all are under way");
        // Another one of the first holder waits without a place, and gets one when it has a share again.
        turns.pop();
        let room = handshakes.room().await.expect("there is room");
        assert!(timeout(time, handshakes.turn(room, "a")).await.is_err());
        let room = handshakes.room().await.expect("the place was given back");
        let (turn, ()) = tokio::join!(handshakes.turn(room, "a"), async { drop(turns.remove(0)) });
        assert!(turn.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn what_takes_long_ends_if_others_wait() {
        let handshakes = Arc::new(Handshakes::new());
        let silent = |number| {
            let handshakes = handshakes.clone();
            async move {
                let room = handshakes.room().await.expect("there is room");
                let turn = handshakes.turn(room, "a").await.expect("not too many wait");
                turn.shake(sleep(QUICK * 100)).await.map(|()| number)
            }
        };
        // As long as none waits, they may take their time.
        let some: Vec<_> = (0..SHARE).map(|number| tokio::spawn(silent(number))).collect();
        sleep(QUICK * 50).await;
        assert!(some.iter().all(|silent| !silent.is_finished()));
        // Another one waits, and has its turn at once.
        let room = handshakes.room().await.expect("there is room");
        let turn = timeout(QUICK, handshakes.turn(room, "a")).await.expect("it waits shortly");
        assert_eq!(turn.expect("not too many wait").shake(async { 7 }).await, Some(7));
    }

    #[tokio::test]
    async fn holders_that_have_gone_leave_nothing() {
        let handshakes = Handshakes::new();
        for holder in 0..3 * MANY {
            let room = handshakes.room().await.expect("there is room");
            let turn = handshakes.turn(room, &holder.to_string()).await;
            assert!(turn.is_some());
        }
        assert!(handshakes.shares.lock().expect("nothing panics").len() <= MANY);
    }
}
