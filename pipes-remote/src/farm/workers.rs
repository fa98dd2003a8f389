//! The farm, which has the items.

use super::error::FarmError;
use super::item::Item;
use super::pool::{Pool, Session};
use super::protocol::work::{self, Busy, Idle, Server};
use super::report::{FarmReport, Tally};
use crate::codec::Postcard;
use crate::deadline::within;
use crate::engine::Engine;
use crate::error::ListenError;
use crate::runtime::{background, spawn_in};
use crate::via::Via;
use pipes::remote::{Carries, Cause, Link};
use pipes::{Listener, remote::Fault};
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

/// How often the farm checks for sessions that were lost while they were idle.
const LOOK: Duration = Duration::from_millis(250);

/// The most bytes of a message in addition to its payload.
const HEAD: usize = 8;

/// The most concurrent items of a stage. The window of the pipeline is the limit that counts.
const MANY: usize = 1 << 16;

/// The workers of a farm, on other machines or on this one. They connect to the farm, and can come and go at
/// any time. Each calls [`worker`](super::worker()) with the address of this farm.
///
/// When this is dropped, the workers are told that there are no more items. Use [`finish`](Workers::finish)
/// to wait until they know. A pipeline that still needs a worker then fails.
pub struct Workers<T: Send + 'static, U: Send + 'static> {
    pool: Arc<Pool<T, U>>,
    entrance: Arc<Entrance<T, U>>,
    /// Receives a message when all workers have been told.
    end: Mutex<Option<oneshot::Receiver<()>>>,
}

type Waiting<T, U> = Listener<work::Protocol<T, U>, (Server<Idle<T, U>>, Link)>;

/// A future that is ready when no session with a worker is left.
type Shutdown = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The listener of a farm, while the farm is open. The farm shares it with the task that accepts workers, and
/// takes it out when it is closed. So the next farm at this address need not wait until that task runs.
struct Entrance<T: Send + 'static, U: Send + 'static>(Mutex<Option<Open<T, U>>>);

struct Open<T: Send + 'static, U: Send + 'static> {
    listener: Waiting<T, U>,
    close: oneshot::Sender<Shutdown>,
}

impl<T, U> Workers<T, U>
where
    T: Serialize + DeserializeOwned + Send + 'static,
    U: Serialize + DeserializeOwned + Send + 'static,
{
    /// Listens for workers at this address. Blocks until the address is bound.
    ///
    /// # Errors
    ///
    /// The address cannot be bound.
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

    /// Sets how long items wait when there is no worker; 30 s if it is not set. After that, the pipeline
    /// fails. An item that was lost with a worker waits for the same time for another worker, if all others
    /// are busy.
    pub fn patience(self, time: Duration) -> Self {
        self.pool.limit(|limits| limits.patience = time);
        self
    }

    /// Sets how often an item is sent if it is lost each time; 3 if it is not set. After that, the pipeline
    /// fails. So an item that kills its worker does not kill all workers.
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

    /// Sets the most time from sending an item to receiving its result; there is no limit if it is not set.
    /// If it takes longer, the farm leaves the session and sends the item again, to another worker if there
    /// is one. The first worker may go on with the item, but its result is ignored.
    ///
    /// The time in which an item waits for others at its worker counts, too.
    pub fn timeout(self, most: Duration) -> Self {
        self.pool.limit(|limits| limits.timeout = Some(most));
        self
    }

    /// Returns statistics of the workers. In the reports of a pipeline's
    /// [`Metrics`](pipes_skeleton::Metrics), they are the note of the stage.
    pub fn report(&self) -> FarmReport {
        self.pool.report()
    }

    /// Tells all workers that there are no more items. Blocks until they have confirmed this, for at most
    /// this time. Returns `true` if all of them have.
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
    /// Accepts no more workers, and tells the others that there are no more items.
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

    /// Ends the listener. Sends the task that accepts workers the future for which it must still wait.
    fn close(&self) {
        let open = self.lock().take();
        if let Some(Open { listener, close }) = open {
            // If the task has ended, the sessions have ended, too.
            let _ = close.send(Box::pin(listener.shutdown_async()));
        }
    }
}

impl<T: Send + 'static, U: Send + 'static> fmt::Debug for Workers<T, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("report", &self.pool.report()).finish()
    }
}

/// Accepts workers until the farm is closed. Then waits until all of them have been told.
async fn accept<T, U>(
    entrance: Arc<Entrance<T, U>>,
    pool: Arc<Pool<T, U>>,
    mut closed: oneshot::Receiver<Shutdown>,
    ended: oneshot::Sender<()>,
) where
    T: Send + 'static,
    U: Send + 'static,
{
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut accepts = true;
    let shutdown = loop {
        tokio::select! {
            accepted = entrance.accept(), if accepts => match accepted {
                Some((server, link)) => pool.join(server, link),
                // The engine accepts no more connections. The workers that are there go on.
                None => accepts = false,
            },
            due = looks.tick() => { pool.look(due); }
            shutdown = &mut closed => break shutdown,
        }
    };
    if let Ok(mut shutdown) = shutdown {
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                due = looks.tick() => { pool.look(due); }
            }
        }
    }
    // This fails only if nothing waits for it.
    let _ = ended.send(());
    // Items may still wait, and a pipeline may send lost items again.
    let mut due = Instant::now();
    while !pool.look(due) {
        due = looks.tick().await;
    }
}

/// Adds stages whose replicas are in other processes.
pub trait PipelineExt<A>: Sized {
    /// Adds a farm whose workers are other programs. `prepare` converts each item to what is sent to a
    /// worker. The results come in the order of completion, until the order is restored.
    ///
    /// If a worker is lost, its item is given to another worker, before items that were not sent yet. So two
    /// workers may have worked on the same item, but each item has one result.
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

impl<A: Send + 'static> PipelineExt<A> for Pipeline<A> {
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
            // There are fewer items than a `u64` can count.
            let number = numbers.next().unwrap_or(u64::MAX);
            let mut bytes = Vec::new();
            let encoded = Postcard.put(&prepare(item), &mut bytes);
            let pool = pool.clone();
            async move {
                encoded.map_err(|fault| FarmError::Unencodable { item: number, fault })?;
                // This runs in the thread of the sessions, so a session gets its next item without waking the
                // stage.
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
    // The workers for which the item is too long.
    let mut refused: Vec<Arc<Tally>> = Vec::new();
    loop {
        let Session { server, link, alive } = pool.take(lost_with.as_ref()).await?;
        // An item that is too long would end the session of the worker.
        if let Some(limit) = alive.tally.limit().filter(|limit| bytes.len() > *limit) {
            let worker = alive.tally.clone();
            pool.give(Session { server, link, alive });
            // The same worker comes again if there is no other one.
            if refused.iter().any(|it| Arc::ptr_eq(it, &worker)) {
                let fault = Fault::TooLong { length: bytes.len(), limit };
                return Err(FarmError::Unencodable { item, fault });
            }
            refused.push(worker.clone());
            lost_with = Some(worker);
            continue;
        }
        let begin = Instant::now();
        // A worker that left while it was idle has not received the item.
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
        // The limit may have been changed meanwhile.
        if tries >= pool.limits().tries {
            return Err(lost);
        }
        lost_with = Some(alive.tally.clone());
    }
}
