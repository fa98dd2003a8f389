//! Virtual patience, and runtimes.

use std::future::{Future, IntoFuture};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;

/// Longer than anything takes in virtual time.
const LONG: Duration = Duration::from_secs(7 * 24 * 3600);

/// A runtime of this thread in virtual time: it passes when there is nothing else to do.
pub fn virtually() -> Runtime {
    Builder::new_current_thread().enable_all().start_paused(true).build().expect("it can be had")
}

/// A runtime with this many threads.
pub fn runtime(threads: usize) -> Runtime {
    Builder::new_multi_thread().worker_threads(threads).enable_all().build().expect("threads can be had")
}

/// What the future comes to. A future that hangs is a panic: virtual time passes at once when nothing else
/// happens.
#[track_caller]
pub fn within<T>(future: impl IntoFuture<Output = T>) -> impl Future<Output = T> {
    let place = std::panic::Location::caller();
    async move {
        match timeout(LONG, future).await {
            Ok(result) => result,
            Err(_) => panic!("it hangs at {place}"),
        }
    }
}

/// Lets everything come to rest: two minutes pass.
pub async fn rest() {
    tokio::time::sleep(Duration::from_secs(120)).await;
}

/// The tasks of this runtime.
pub fn tasks() -> usize {
    Handle::current().metrics().num_alive_tasks()
}

/// Lets everything come to rest, and asserts that there are only so many tasks then.
#[track_caller]
pub fn at_rest(base: usize) -> impl Future<Output = ()> {
    let place = std::panic::Location::caller();
    async move {
        rest().await;
        assert_eq!(tasks(), base, "tasks are left, at {place}");
    }
}
