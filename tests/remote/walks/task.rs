//! Walks in tasks.

use crate::endings::{Ending, Records};
use crate::player::Player;
use crate::receive::{Awaited, assert_settled, ended};
use crate::support::poll_future;
use pipes::TryRecvError;
use std::future::{Future, poll_fn};
use std::ops::ControlFlow::{self, Break, Continue};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::task::yield_now;
use tokio::time::timeout;

/// One side of a session, to be run in a task.
pub type TaskWalk = Box<dyn for<'a> FnOnce(&'a mut Player) -> Walking<'a> + Send>;

/// A walk that has begun.
pub type Walking<'a> = Pin<Box<dyn Future<Output = Ending> + Send + 'a>>;

/// One step that has begun.
pub type Step<'a, A> = Pin<Box<dyn Future<Output = ControlFlow<Ending, A>> + Send + 'a>>;

/// A walk from a function that takes one step.
pub fn walk_in_task<A: Send + 'static>(start: A, step: fn(A, &mut Player) -> Step<'_, A>) -> TaskWalk {
    Box::new(move |player| {
        Box::pin(async move {
            let mut at = start;
            loop {
                match step(at, player).await {
                    Continue(next) => at = next,
                    Break(ending) => return ending,
                }
            }
        })
    })
}

impl Player {
    /// Plays a session of at most `budget` messages.
    pub async fn play_in_task(mut self, id: u64, budget: u64, walk: TaskWalk) -> Records {
        let outer = self.begin(id, budget);
        let mut walking = walk(&mut self);
        let ending = poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| walking.as_mut().poll(cx))) {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        });
        let ending = ending.await;
        drop(walking);
        self.end(outer, ending);
        self.into_records()
    }

    /// Receives with a random verb, or tries several, or leaves if there is no message.
    pub async fn receive_in_task<E>(&mut self, mut endpoint: E) -> ControlFlow<Ending, E::Message>
    where
        E: Awaited + Send,
        E::IntoFuture: Send,
        E::Message: Send,
    {
        loop {
            self.stays()?;
            endpoint = match self.random.below(6) {
                0 => return ended(endpoint.into_future().await.ok()),
                1 => {
                    endpoint.ready().await;
                    assert_settled(&endpoint);
                    match endpoint.try_recv() {
                        Ok(message) => return Continue(message),
                        Err(TryRecvError::Closed) => return Break(Ending::Deserted),
                        Err(TryRecvError::Empty(_)) => panic!("it was ready"),
                    }
                }
                2 => match endpoint.try_recv() {
                    Ok(message) => return Continue(message),
                    Err(TryRecvError::Closed) => return Break(Ending::Deserted),
                    Err(TryRecvError::Empty(endpoint)) => endpoint,
                },
                // A wait that is given up when the time is over, and one that is polled once.
                3 => {
                    let mut future = endpoint.recv_async();
                    match timeout(Duration::from_micros(self.random.below(50)), &mut future).await {
                        Ok(message) => return ended(message.ok()),
                        Err(_) => match future.into_inner() {
                            Some(endpoint) => endpoint,
                            None => panic!("it has not received"),
                        },
                    }
                }
                4 => {
                    let mut future = endpoint.recv_async();
                    match poll_future(&mut future, Waker::noop()) {
                        Poll::Ready(message) => return ended(message.ok()),
                        Poll::Pending => future.into_inner().expect("it has not received"),
                    }
                }
                _ => {
                    if endpoint.poll_ready(&mut Context::from_waker(Waker::noop())).is_ready() {
                        assert_settled(&endpoint);
                    }
                    endpoint
                }
            };
            yield_now().await;
        }
    }
}
