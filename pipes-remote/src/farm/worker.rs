//! The worker.

use super::error::WorkerError;
use super::item::Item;
use super::protocol::work::{self, Busy, Client, Idle};
use crate::engine::Engine;
use crate::error::ConnectError;
use crate::hello::Refusal;
use crate::runtime::background;
use crate::settings::CLOSING_TIMEOUT;
use crate::via::Via;
use pipes::remote::{Cause, Link};
use pipes::{ChanOne, Closing, SharedChan, SharedPort};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;
use tokio::task::{AbortHandle, yield_now};
use tokio::time;

/// How many more sessions than replicas a worker has. They hold its next items while all replicas work.
const SPARE: usize = 2;

/// How often a session yields to the other tasks of the runtime before it ends.
const LAST_TURNS: usize = 32;

/// How long a worker waits before it asks a farm again that had no room.
const PAUSE: Duration = Duration::from_millis(100);

/// Works for the farm at this address, in this many threads. Blocks until the farm has no more items. Returns
/// the number of items.
///
/// The worker has a few more sessions than replicas, so that the next item is there when one is done. If the
/// farm refuses some of them, the worker uses the others.
///
/// # Errors
///
/// The farm cannot be reached, all sessions with it were lost, or the system cannot start a thread.
///
/// # Panics
///
/// Panics if `replicas` is 0, or with the panic of `f`, which also fails the farm's pipeline.
#[track_caller]
pub fn worker<T, U, E: Engine>(
    farm: &Via<E>,
    replicas: usize,
    f: impl Fn(T) -> U + Sync,
) -> Result<u64, WorkerError>
where
    T: Serialize + DeserializeOwned + Send + 'static,
    U: Serialize + DeserializeOwned + Send + 'static,
{
    assert!(replicas > 0, "`worker`: the number of replicas is 0");
    try_worker(farm, replicas, |item| Ok::<U, String>(f(item)))
}

/// Works for the farm at this address, like [`worker`], with a function that can fail. Blocks until the farm
/// has no more items.
///
/// An error of `f` fails the farm's pipeline, which reports the text of the error.
///
/// # Errors
///
/// The farm cannot be reached, all sessions with it were lost, or the system cannot start a thread.
///
/// # Panics
///
/// Panics if `replicas` is 0, or with the panic of `f`, which also fails the farm's pipeline.
#[track_caller]
pub fn try_worker<T, U, X: Display, E: Engine>(
    farm: &Via<E>,
    replicas: usize,
    f: impl Fn(T) -> Result<U, X> + Sync,
) -> Result<u64, WorkerError>
where
    T: Serialize + DeserializeOwned + Send + 'static,
    U: Serialize + DeserializeOwned + Send + 'static,
{
    assert!(replicas > 0, "`try_worker`: the number of replicas is 0");
    // Without `eager`, because a refusal must be known here.
    let farm = &farm.clone().patient();
    let (jobs, port) = pipes::shared_stream();
    let (ends, mut ended) = pipes::shared_stream();
    let mut sessions = Vec::new();
    for _ in 0..replicas.saturating_add(SPARE) {
        let (client, link) = match work::connect_with_link(farm) {
            Ok(session) => session,
            // The farm may have ended, or has no room. The other sessions may have items.
            Err(_) if !sessions.is_empty() => break,
            Err(error) => return Err(error.into()),
        };
        let (jobs, ends, there) = (jobs.clone(), ends.clone(), farm.clone());
        let runtime =
            background().map_err(|error| ConnectError::Unreachable { address: farm.address(), error })?;
        let session = runtime.spawn(async move {
            // This fails only if the worker has panicked.
            let _ = ends.send(take_items(client, link, jobs, there).await);
        });
        sessions.push(session.abort_handle());
    }
    drop((jobs, ends));
    let (port, done) = (port.into_shared(), AtomicU64::new(0));
    // Each session has one item at a time, so more threads would have nothing to do.
    let replicas = replicas.min(sessions.len());
    let joined = thread::scope(|scope| {
        let start = |port: SharedPort<Job<T, U>>| {
            Builder::new().spawn_scoped(scope, || {
                // Items that the farm has given up are dropped there, which may panic.
                let working = catch_unwind(AssertUnwindSafe(|| work_through(port, &f, &done)));
                let panic = working.unwrap_or_else(Err).err();
                // The other replicas end when there are no more sessions.
                panic.inspect(|_| sessions.iter().for_each(AbortHandle::abort))
            })
        };
        let first = start(port.clone())?;
        // If the system cannot start more threads, those that it could start do the work.
        let others: Vec<_> = (1..replicas).map_while(|_| start(port.clone()).ok()).collect();
        drop(port);
        let all = others.into_iter().chain([first]);
        Ok(all.filter_map(|replica| replica.join().unwrap_or_else(Some)).next())
    });
    let panic = joined.map_err(|error| ConnectError::Unreachable { address: farm.address(), error })?;
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
    let lost = ended.iter().try_fold(None, |_, end| match end {
        Some(Cause::Left) | None => Err(()),
        lost => Ok(lost),
    });
    match lost {
        Ok(Some(cause)) => Err(WorkerError::Lost { cause }),
        // The farm has told at least one session that there are no more items.
        Ok(None) | Err(()) => Ok(done.into_inner()),
    }
}

/// An item for a replica, with its session, and the channel through which the session is returned.
struct Job<T: Send + 'static, U: Send + 'static> {
    item: Item<T>,
    session: Client<Busy<T, U>>,
    link: Link,
    back: ChanOne<Client<Idle<T, U>>>,
}

/// Takes the items of a session. Returns why it was lost, if it was.
///
/// A farm leaves a session if it has given up the item, because a pipeline has failed. The farm may have
/// another pipeline, so this begins a new session.
async fn take_items<T, U, E: Engine>(
    session: Client<Idle<T, U>>,
    link: Link,
    jobs: SharedChan<Job<T, U>>,
    farm: Via<E>,
) -> Option<Cause>
where
    T: Serialize + DeserializeOwned + Send + 'static,
    U: Serialize + DeserializeOwned + Send + 'static,
{
    let (mut session, mut link) = (session, link);
    loop {
        let next = match session.await {
            Ok(work::Idle::Item(item, busy)) => {
                let (back, idle) = pipes::oneshot();
                let job = Job { item, session: busy, link: link.clone(), back };
                let Ok(()) = jobs.send(job) else { return Some(Cause::LeftHere) };
                idle.await.ok()
            }
            Ok(work::Idle::Enough) => {
                let _ = link.delivered_async().await;
                // The program may be about to end, and a QUIC connection sends its last packets in a task of
                // its own. Without them, the farm would wait until it takes this worker for lost.
                for _ in 0..LAST_TURNS {
                    yield_now().await;
                }
                return None;
            }
            Err(_) => None,
        };
        session = match (next, link.cause()) {
            (Some(next), _) => next,
            (None, Cause::Left) => {
                let Some(again) = connect_again(&farm).await else { return Some(Cause::Left) };
                link = again.1;
                again.0
            }
            (None, cause) => return Some(cause),
        };
    }
}

/// Begins a new session with a farm that has left one. Tries again if the farm has no room at the moment, or
/// no room for this peer. Returns `None` if the farm has gone.
async fn connect_again<T, U, E: Engine>(farm: &Via<E>) -> Option<(Client<Idle<T, U>>, Link)>
where
    T: Serialize + DeserializeOwned + Send + 'static,
    U: Serialize + DeserializeOwned + Send + 'static,
{
    loop {
        match work::connect_with_link_async(farm).await {
            Ok(session) => return Some(session),
            Err(ConnectError::Refused { reason: Refusal::Busy | Refusal::Sessions { .. }, .. }) => {
                time::sleep(PAUSE).await;
            }
            Err(_) => return None,
        }
    }
}

/// Works on items until there are no more sessions. Reports a panic of `f` to the farm, and returns it.
fn work_through<T, U, X: Display>(
    port: SharedPort<Job<T, U>>,
    f: &impl Fn(T) -> Result<U, X>,
    done: &AtomicU64,
) -> Result<(), Box<dyn Any + Send>>
where
    T: Send + 'static,
    U: Send + 'static,
{
    for Job { item, session, link, back } in port.iter() {
        // The farm has given up the item.
        if session.is_closed() {
            continue;
        }
        // Formatting an error runs the user's code, too.
        let work = || f(item.into_inner()).map_err(|error| error.to_string());
        let result = catch_unwind(AssertUnwindSafe(work));
        let idle = match result {
            Ok(Ok(result)) => {
                done.fetch_add(1, Ordering::Relaxed);
                session.done(result).ok()
            }
            Ok(Err(text)) => session.failed(text).ok(),
            Err(panic) => {
                drop(session.failed(format!("a panic: {}", panic_message(&*panic))));
                // The program may be about to end.
                let _ = link.delivered(CLOSING_TIMEOUT);
                return Err(panic);
            }
        };
        // Otherwise, the task of the session returns why it was lost.
        if let Some(idle) = idle {
            let _ = back.send(idle);
        }
    }
    Ok(())
}

/// Returns the message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words")
}
