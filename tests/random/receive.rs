//! Receiving with any of the verbs.

use crate::endings::Ending;
use crate::player::Player;
use crate::support::poll_future;
use pipes::{Readiness, Receive, RecvError, RecvTimeoutError, TryRecvError};
use std::future::{Future, IntoFuture, poll_fn};
use std::ops::ControlFlow::{self, Break, Continue};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

/// A receiver that can be awaited.
pub trait Awaited: Receive + IntoFuture<Output = Result<<Self as Receive>::Message, RecvError>> {}

impl<E: Receive + IntoFuture<Output = Result<<E as Receive>::Message, RecvError>>> Awaited for E {}

impl Player {
    /// Receives with a random verb, or tries several, or leaves if there is no message.
    pub fn receive<E: Awaited>(&mut self, mut endpoint: E) -> ControlFlow<Ending, E::Message> {
        loop {
            self.stays()?;
            endpoint = match self.random.u64(..8) {
                0 => return ended(endpoint.recv().ok()),
                1 => return ended(awaited(endpoint.into_future()).ok()),
                2 => {
                    awaited(endpoint.ready());
                    assert_settled(&endpoint);
                    return ended(endpoint.recv().ok());
                }
                3 => {
                    assert!(endpoint.wait(None));
                    assert_settled(&endpoint);
                    return ended(endpoint.recv().ok());
                }
                4 => match endpoint.try_recv() {
                    Ok(message) => return Continue(message),
                    Err(TryRecvError::Closed) => return Break(Ending::Deserted),
                    Err(TryRecvError::Empty(endpoint)) => endpoint,
                },
                5 => match endpoint.recv_timeout(Duration::from_micros(self.random.u64(..50))) {
                    Ok(message) => return Continue(message),
                    Err(RecvTimeoutError::Closed) => return Break(Ending::Deserted),
                    Err(RecvTimeoutError::Timeout(endpoint)) => endpoint,
                },
                // A task that is polled once with a waker that does nothing, and then cancelled.
                6 => {
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
            thread::yield_now();
        }
    }
}

/// Once a wait has ended, its condition stays true.
pub fn assert_settled(receiver: &dyn Readiness) {
    assert_ne!(receiver.is_ready(), receiver.is_closed(), "there is a message, or the sender has left");
}

/// A message, or the information that the other side has left.
pub fn ended<M>(message: Option<M>) -> ControlFlow<Ending, M> {
    match message {
        Some(message) => Continue(message),
        None => Break(Ending::Deserted),
    }
}

/// Runs a future to its end on this thread.
fn awaited<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut output = None;
    run(&mut |cx| future.as_mut().poll(cx).map(|it| output = Some(it)));
    output.expect("it was run to its end")
}

/// One executor for all types of futures, so that it is compiled once.
fn run(poll: &mut dyn FnMut(&mut Context<'_>) -> Poll<()>) {
    futures::executor::block_on(poll_fn(poll));
}
