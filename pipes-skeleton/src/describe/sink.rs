//! Sinks, which take the results of a pipeline.

use super::pipeline::Pipeline;
use super::running::Running;
use crate::failure::{BoxError, Failure};
use crate::run::input::Input;
use crate::run::recv::WhileOpen;
use crate::run::threads::{Stopped, ThreadGuard, Threads, WaitError};
use crate::run::work::failed;
use crate::sync::discard;
use pipes::{Chan, Port, TrySendError, sync_stream};
use std::future::Future;
use std::pin::Pin;

/// The maximum number of unread items in a port, even if there is room for more.
const MOST_UNREAD: usize = 4096;

impl<T: Send + 'static> Pipeline<T> {
    /// Runs the pipeline and collects its results.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// assert_eq!(
    ///     from_iter(1..=3).sequential(|number| number * number).collect()?,
    ///     [1, 4, 9]
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure. Results that came before it are dropped.
    pub fn collect(self) -> Result<Vec<T>, Failure> {
        self.fold(Vec::new(), |mut all, item| {
            all.push(item);
            all
        })
    }

    /// Runs the pipeline and calls the function with each result.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let mut sum = 0;
    /// from_iter(1..=3).for_each(|number| sum += number)?;
    /// assert_eq!(sum, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure. A panic of the function is a failure of the stage "sink".
    pub fn for_each(self, mut f: impl FnMut(T)) -> Result<(), Failure> {
        self.fold((), |(), item| f(item))
    }

    /// Runs the pipeline and calls the function with each result, until it returns an error.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// // Sends the results to a channel.
    /// let (mut chan, port) = pipes::stream();
    /// from_iter(1..=3).map(|number| number * number).try_for_each(|square| chan.send(square))?;
    /// drop(chan);
    /// assert_eq!(port.into_iter().collect::<Vec<_>>(), [1, 4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure. An error or a panic of the function is a failure of the stage "sink".
    pub fn try_for_each<E: Into<BoxError>>(
        self,
        mut f: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), Failure> {
        self.run(|threads, input| {
            while let Some(item) = input.next(threads)? {
                f(item).or_else(|error| failed(threads, "sink", error.into()))?;
            }
            Ok(())
        })
    }

    /// Runs the pipeline and adds its results to a collection.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let mut set = std::collections::BTreeSet::new();
    /// from_iter([3, 1, 3]).collect_into(&mut set)?;
    /// assert_eq!(set.into_iter().collect::<Vec<_>>(), [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure. Results that came before it are in the collection.
    pub fn collect_into(self, collection: &mut impl Extend<T>) -> Result<(), Failure> {
        self.for_each(|item| collection.extend(Some(item)))
    }

    /// Runs the pipeline and folds its results into an accumulator.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// assert_eq!(from_iter(1..=3).fold(0, |sum, number| sum + number)?, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure. A panic of the function is a failure of the stage "sink".
    pub fn fold<A>(self, first: A, mut f: impl FnMut(A, T) -> A) -> Result<A, Failure> {
        self.run(|threads, input| {
            let mut all = first;
            loop {
                match input.next(threads) {
                    Ok(Some(item)) => all = f(all, item),
                    Ok(None) => return Ok(all),
                    Err(stopped) => return Err(stopped),
                }
            }
        })
    }

    /// Runs the pipeline and combines its results pairwise into one. Returns `None` if there were no results.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// assert_eq!(from_iter([3, 9, 4]).reduce(i32::max)?, Some(9));
    /// assert_eq!(from_iter(Vec::<i32>::new()).reduce(i32::max)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first failure. A panic of the function is a failure of the stage "sink".
    pub fn reduce(self, mut f: impl FnMut(T, T) -> T) -> Result<Option<T>, Failure> {
        self.run(|threads, input| {
            let first = input.next(threads);
            let Ok(Some(mut all)) = first else { return first };
            loop {
                match input.next(threads) {
                    Ok(Some(item)) => all = f(all, item),
                    Ok(None) => return Ok(Some(all)),
                    Err(stopped) => return Err(stopped),
                }
            }
        })
    }

    /// Runs the pipeline and sends its results to the port. If as many results are unread as a region has
    /// room for, the pipeline waits. Dropping the port or the [`Running`] ends the pipeline.
    ///
    /// ```
    /// let (port, running) = pipes_skeleton::from_iter(0..100_u64)
    ///     .parallel(2, |number| number + 1)
    ///     .into_port();
    /// assert_eq!(port.into_iter().sum::<u64>(), 5050);
    /// running.join().expect("no stage fails");
    /// ```
    pub fn into_port(mut self) -> (Port<T>, Running) {
        // The port is a region of its own, before that of the sink.
        let in_order = self.plan.end_region(None);
        self.plan.in_order = in_order;
        let room = if self.plan.is_weighed { 1 } else { self.plan.room_with_sink() };
        let (chan, port) = sync_stream(room.clamp(1, MOST_UNREAD));
        let running = self.launch().map(|(threads, mut input, _guard)| {
            // The thread's function owns this, so that it is dropped after the other stages have been stopped
            // and the port is closed.
            let mut unsent = Vec::new();
            threads.spawn("sink".to_owned(), chan, move |threads, chan| {
                send_all(threads, &mut input, chan, &mut unsent)
            });
            threads
        });
        (port, Running::new(running))
    }

    /// Runs the sink in the calling thread, and waits until all stages have ended.
    fn run<R>(self, sink: impl FnOnce(&Threads, &mut Input<T>) -> Result<R, Stopped>) -> Result<R, Failure> {
        let (threads, mut input, guard) = self.launch()?;
        // Stored here and not returned, so that the frames of `catch_panic` need no room for it.
        let mut result = None;
        threads.catch_panic("sink", || result = sink(&threads, &mut input).ok());
        threads.catch_panic("sink", || drop(input));
        drop(guard);
        if let Err(failure) = threads.join() {
            discard(result);
            return Err(failure);
        }
        Ok(result.expect("without a failure the sink has ended"))
    }

    /// Starts all stages. The run is not over before the guard of the sink is dropped.
    pub(super) fn launch(self) -> Result<(Threads, Input<T>, ThreadGuard), Failure> {
        let Pipeline { upstream, mut plan, .. } = self;
        let in_order = plan.end_region(None);
        let threads = plan.threads()?;
        let guard = threads.register_caller();
        plan.attach_cancels(&threads);
        let input = upstream.input(&threads, None, in_order).counted(threads.metrics());
        Ok((threads, input, guard))
    }
}

/// Sends the results of a pipeline to its port, until there are no more or the port is dropped.
fn send_all<T>(
    threads: &Threads,
    input: &mut Input<T>,
    chan: &mut Chan<T>,
    unsent: &mut Vec<T>,
) -> Result<(), Stopped> {
    loop {
        match input.next_within(threads, &mut WhileOpen(chan)) {
            Ok(None) => return Ok(()),
            Ok(Some(item)) => {
                if !send(item, threads, input, chan, unsent)? {
                    break;
                }
                input.count_completed();
            }
            Err(WaitError::LimitReached) => break,
            Err(WaitError::Stopped) => return Err(Stopped),
        }
    }
    // The port was dropped.
    threads.stop();
    Err(Stopped)
}

/// Sends a result. Waits until there is room for it. Returns `false` if the port was dropped. A result that
/// cannot be sent is pushed to `unsent`.
fn send<T>(
    item: T,
    threads: &Threads,
    input: &mut Input<T>,
    chan: &mut Chan<T>,
    unsent: &mut Vec<T>,
) -> Result<bool, Stopped> {
    match chan.try_send(item) {
        Ok(()) => Ok(true),
        Err(TrySendError::Closed(item)) => {
            unsent.push(item);
            Ok(false)
        }
        Err(TrySendError::Full(item)) => {
            input.flush();
            send_later(item, threads, chan, unsent)
        }
    }
}

/// Waits until there is room for a result, and sends it. See [`send`].
fn send_later<T>(
    item: T,
    threads: &Threads,
    chan: &mut Chan<T>,
    unsent: &mut Vec<T>,
) -> Result<bool, Stopped> {
    let mut sending = chan.send_async(item);
    match threads.wait("room behind a pipeline", || None, || false, |cx| Pin::new(&mut sending).poll(cx)) {
        Ok(Ok(())) => Ok(true),
        Ok(Err(closed)) => {
            unsent.push(closed.into_payload());
            Ok(false)
        }
        Err(ended) => {
            unsent.extend(sending.into_inner());
            Err(ended.into())
        }
    }
}
