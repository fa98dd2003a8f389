//! The side that has the items.

use super::error::FarmError;
use super::item::Item;
use super::pool::{Pool, Session};
use super::protocol::work::{self, Busy, Idle, Server};
use super::report::{Report, Tally};
use crate::codec::Postcard;
use crate::deadline::within;
use crate::engine::Engine;
use crate::error::ListenError;
use crate::runtime::{background, spawn_in};
use crate::via::Via;
use pipes::remote::{Carries, Cause, Link};
use pipes::{Fault, Listener};
use pipes_skeleton::{BoxError, Pipeline};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, ready};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// How often the farm looks after sessions that were lost while they were idle.
const LOOK: Duration = Duration::from_millis(250);

/// The most bytes of a message besides its payload.
const HEAD: usize = 8;

/// The most items that a stage has on their way. Its window is the limit that counts.
const MANY: usize = 1 << 16;

/// The workers of a farm, on other machines or on this one: they dial in, and come and go as they like. Each
/// calls [`worker`](super::worker()) with the address of this farm.
///
/// When this is dropped, the workers are told that there is nothing more to do; to wait until they know, use
/// [`finish`](Workers::finish). A pipeline that still needs a worker then fails.
pub struct Workers<T: Send + 'static, U: Send + 'static> {
    pool: Arc<Pool<T, U>>,
    entrance: Arc<Entrance<T, U>>,
    /// Said when all workers know of the end.
    end: Mutex<Option<oneshot::Receiver<()>>>,
}

type Waiting<T, U> = Listener<work::Protocol<T, U>, (Server<Idle<T, U>>, Link)>;

/// Ready when no session with a worker is left.
type Drained = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The listener of a farm that is open. The farm shares it with the task that accepts, and takes it out when
/// it is closed, so the next farm need not wait until that task runs.
struct Entrance<T: Send + 'static, U: Send + 'static>(Mutex<Option<Open<T, U>>>);

struct Open<T: Send + 'static, U: Send + 'static> {
    listener: Waiting<T, U>,
    close: oneshot::Sender<Drained>,
}

impl<T, U> Workers<T, U>
where
    T: Serialize + DeserializeOwned + Send + 'static,
    U: Serialize + DeserializeOwned + Send + 'static,
{
    /// Listens for workers here; waits until the address is taken.
    ///
    /// Blocks the thread.
    ///
    /// # Errors
    ///
    /// The address cannot be taken.
    pub fn listen<E: Engine>(via: &Via<E>) -> Result<Self, ListenError> {
        let listener: Waiting<T, U> = work::listen_with_links(via)?;
        let (close, closed) = oneshot::channel();
        let (ended, end) = oneshot::channel();
        let pool = Arc::new(Pool::new());
        let entrance = Arc::new(Entrance(Mutex::new(Some(Open { listener, close }))));
        let unavailable = |error| ListenError::Unavailable { address: via.address(), error };
        let accepting = accept(entrance.clone(), pool.clone(), closed, ended);
        background().map_err(unavailable)?.spawn(accepting);
        Ok(Workers { pool, entrance, end: Mutex::new(Some(end)) })
    }

    /// Sets how long items wait when there is no worker; 30 s if it is not set. Then the pipeline fails. An
    /// item that was lost with a worker waits for that long for another one, if all others are busy.
    pub fn patience(self, time: Duration) -> Self {
        self.pool.limit(|limits| limits.patience = time);
        self
    }

    /// Sets how often an item is sent that is lost each time; 3 if it is not set. Then the pipeline fails: an
    /// item that ends its worker does not end all workers.
    ///
    /// # Panics
    ///
    /// Panics if the number is 0.
    #[track_caller]
    pub fn tries(self, most: u32) -> Self {
        assert!(most > 0, "`Workers::tries`: the number of tries is 0");
        self.pool.limit(|limits| limits.tries = most);
        self
    }

    /// Sets the most time from an item's sending to its result; without a limit if it is not set. A session
    /// that takes longer is left, and its item is sent once more, to another worker if there is one. The
    /// worker may go on with the item, but its result is not wanted any more.
    ///
    /// The time in which an item waits behind others at its worker counts.
    pub fn timeout(self, most: Duration) -> Self {
        self.pool.limit(|limits| limits.timeout = Some(most));
        self
    }

    /// Returns what the workers have done so far. In the reports of a pipeline's
    /// [`Metrics`](pipes_skeleton::Metrics), it is the note of the stage.
    pub fn report(&self) -> Report {
        self.pool.report()
    }

    /// Tells all workers that there is nothing more to do, and waits until they know, for at most this long.
    /// Returns `true` if all of them know.
    ///
    /// Blocks the thread.
    pub fn finish(self, most: Duration) -> bool {
        self.close();
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (done, known) = pipes::oneshot();
        if let (Some(end), Ok(runtime)) = (end, background()) {
            runtime.spawn(async move {
                if end.await.is_ok() {
                    let _ = done.send(());
                }
            });
        }
        known.recv_timeout(most).is_ok()
    }
}

impl<T: Send + 'static, U: Send + 'static> Workers<T, U> {
    /// Accepts no more workers, and tells those that are there.
    fn close(&self) {
        self.entrance.close();
        self.pool.close();
    }
}

impl<T: Send + 'static, U: Send + 'static> Drop for Workers<T, U> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<T: Send + 'static, U: Send + 'static> Entrance<T, U> {
    fn lock(&self) -> MutexGuard<'_, Option<Open<T, U>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accepts the next worker. Returns `None` if there will be no more.
    async fn accept(&self) -> Option<(Server<Idle<T, U>>, Link)> {
        poll_fn(|cx| {
            let mut open = self.lock();
            let Some(Open { listener, .. }) = &mut *open else { return Poll::Ready(None) };
            ready!(listener.poll_ready(cx));
            Poll::Ready(listener.try_recv().ok())
        })
        .await
    }

    /// Ends the listener, and gives the task that accepts what is left to wait for.
    fn close(&self) {
        let open = self.lock().take();
        if let Some(Open { listener, close }) = open {
            // If the task has ended, so have the sessions.
            let _ = close.send(Box::pin(listener.drain_async()));
        }
    }
}

impl<T: Send + 'static, U: Send + 'static> fmt::Debug for Workers<T, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("report", &self.pool.report()).finish()
    }
}

/// Accepts workers until the farm is closed, then waits until all of them know.
async fn accept<T, U>(
    entrance: Arc<Entrance<T, U>>,
    pool: Arc<Pool<T, U>>,
    mut closed: oneshot::Receiver<Drained>,
    ended: oneshot::Sender<()>,
) where
    T: Send + 'static,
    U: Send + 'static,
{
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut accepts = true;
    let drained = loop {
        tokio::select! {
            accepted = entrance.accept(), if accepts => match accepted {
                Some((server, link)) => pool.join(server, link),
                // An engine may have an end. The workers that are there go on.
                None => accepts = false,
            },
            due = looks.tick() => { pool.look(due); }
            drained = &mut closed => break drained,
        }
    };
    if let Ok(mut drained) = drained {
        loop {
            tokio::select! {
                () = &mut drained => break,
                due = looks.tick() => { pool.look(due); }
            }
        }
    }
    // If nothing waits for that, it need not be known.
    let _ = ended.send(());
    // Items may still wait, and a pipeline may not know of its lost ones yet.
    let mut due = Instant::now();
    while !pool.look(due) {
        due = looks.tick().await;
    }
}

/// Stages whose replicas are in other processes.
pub trait Remote<A>: Sized {
    /// Adds a farm whose workers are other programs. `prepare` makes of each item what is sent to a worker;
    /// the results come in the order of completion, until the order is restored.
    ///
    /// An item whose worker is lost is given to another one, before those that were not sent yet. So a worker
    /// may have worked on an item whose result comes from another one; but each item has one result.
    ///
    /// # Failures
    ///
    /// The stage fails with a [`FarmError`].
    fn remote<T, U>(
        self,
        workers: &Workers<T, U>,
        prepare: impl FnMut(A) -> T + Send + 'static,
    ) -> Pipeline<U>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        U: Serialize + DeserializeOwned + Send + 'static;
}

impl<A: Send + 'static> Remote<A> for Pipeline<A> {
    fn remote<T, U>(
        self,
        workers: &Workers<T, U>,
        mut prepare: impl FnMut(A) -> T + Send + 'static,
    ) -> Pipeline<U>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        U: Serialize + DeserializeOwned + Send + 'static,
    {
        let (pool, mut numbers) = (workers.pool.clone(), 0..);
        let reported = pool.clone();
        let stage = self.try_concurrent(MANY, move |item| {
            // There are fewer items than that.
            let number = numbers.next().unwrap_or(u64::MAX);
            let mut bytes = Vec::new();
            let encoded = Postcard.put(&prepare(item), &mut bytes);
            let pool = pool.clone();
            async move {
                encoded.map_err(|fault| FarmError::Unencodable { item: number, fault })?;
                // In the thread of the sessions: one that is done has its next item without the stage.
                let working = async move { work_on(&pool, number, bytes.into()).await };
                Ok::<U, BoxError>(spawn_in(background()?, working).await??)
            }
        });
        stage.noted(move || reported.report().to_string())
    }
}

/// Sends an item until there is a result.
async fn work_on<T, U>(pool: &Pool<T, U>, item: u64, bytes: Arc<[u8]>) -> Result<U, FarmError>
where
    T: Send + 'static,
    U: Send + 'static,
{
    let (mut tries, mut lost_with) = (0, None);
    // The workers for which it is too long.
    let mut refused: Vec<Arc<Tally>> = Vec::new();
    loop {
        let Session { server, link, alive } = pool.take(lost_with.as_ref()).await?;
        // To send what is too long would cost the worker its session.
        if let Some(limit) = alive.tally.limit().filter(|limit| bytes.len() > *limit) {
            let worker = alive.tally.clone();
            pool.give(Session { server, link, alive });
            // It comes again if there is no other one.
            if refused.iter().any(|it| Arc::ptr_eq(it, &worker)) {
                let fault = Fault::TooLong { length: bytes.len(), limit };
                return Err(FarmError::Unencodable { item, fault });
            }
            refused.push(worker.clone());
            lost_with = Some(worker);
            continue;
        }
        let begin = Instant::now();
        // A worker that left while it was idle did not have the item.
        let Ok(busy) = server.item(Item::encoded(bytes.clone())) else { continue };
        let limits = pool.limits();
        let answer = match limits.timeout {
            Some(most) => within(most, busy).await.ok_or(most),
            None => Ok(busy.await),
        };
        tries += 1;
        let lost = match answer {
            Ok(Ok(Busy::Done(result, server))) => {
                alive.tally.done(begin.elapsed());
                pool.give(Session { server, link, alive });
                return Ok(result);
            }
            Ok(Ok(Busy::Failed(text, server))) => {
                pool.give(Session { server, link, alive });
                return Err(FarmError::Failed { item, text });
            }
            Ok(Err(_)) => {
                let cause = link.cause();
                match cause {
                    Cause::Fault(fault @ Fault::TooLong { length, limit })
                        if (bytes.len()..=bytes.len() + HEAD).contains(&length) =>
                    {
                        alive.tally.takes(limit);
                        refused.push(alive.tally.clone());
                        FarmError::Unencodable { item, fault }
                    }
                    cause => FarmError::Lost { item, tries, cause },
                }
            }
            Err(timeout) => FarmError::TimedOut { item, tries, timeout },
        };
        if !matches!(lost, FarmError::Unencodable { .. }) {
            alive.tally.lost();
        }
        // The limit may have been set to less meanwhile.
        if tries >= pool.limits().tries {
            return Err(lost);
        }
        lost_with = Some(alive.tally.clone());
    }
}
