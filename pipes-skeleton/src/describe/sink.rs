//! Sinks, which take the results of a pipeline. A sink runs in the calling thread.

use super::pipeline::Pipeline;
use super::running::Running;
use crate::failure::Failure;
use crate::run::crew::{Badge, Crew, Ended, Halted};
use crate::run::recv::WhileOpen;
use crate::run::supply::Supply;
use crate::sync::discard;
use pipes::{Chan, Port, TrySendError, sync_stream};
use std::future::Future;
use std::pin::Pin;

/// The largest number of unread items in a port, even if the setting of `hand_over` is larger.
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
    /// The first failure; results that came before it are dropped.
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
    /// The first failure. A panic of the function is a failure of the stage "sink".
    pub fn for_each(self, mut f: impl FnMut(T)) -> Result<(), Failure> {
        self.fold((), |(), item| f(item))
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
    /// The first failure. A panic of the function is a failure of the stage "sink".
    pub fn fold<A>(self, first: A, mut f: impl FnMut(A, T) -> A) -> Result<A, Failure> {
        self.run(|crew, supply| {
            let mut all = first;
            loop {
                match supply.next(crew) {
                    Ok(Some(item)) => all = f(all, item),
                    Ok(None) => return Ok(all),
                    Err(halted) => return Err(halted),
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
    /// The first failure. A panic of the function is a failure of the stage "sink".
    pub fn reduce(self, mut f: impl FnMut(T, T) -> T) -> Result<Option<T>, Failure> {
        self.run(|crew, supply| {
            let first = supply.next(crew);
            let Ok(Some(mut all)) = first else { return first };
            loop {
                match supply.next(crew) {
                    Ok(Some(item)) => all = f(all, item),
                    Ok(None) => return Ok(Some(all)),
                    Err(halted) => return Err(halted),
                }
            }
        })
    }

    /// Runs the pipeline and sends its results to the port. At most [`hand_over`](Pipeline::hand_over)
    /// results are unread; then the pipeline waits. Dropping the port ends the pipeline, and so does dropping
    /// the [`Running`].
    ///
    /// ```
    /// let (port, running) = pipes_skeleton::from_iter(0..100_u64)
    ///     .parallel(2, |number| number + 1)
    ///     .into_port();
    /// assert_eq!(port.into_iter().sum::<u64>(), 5050);
    /// running.join().expect("no stage fails");
    /// ```
    pub fn into_port(self) -> (Port<T>, Running) {
        let (chan, port) = sync_stream(self.plan.room.clamp(1, MOST_UNREAD));
        let running = self.launch().map(|(crew, mut supply, _seat)| {
            // The thread's function owns it, so that it is dropped when the other stages have been stopped
            // and the port is closed.
            let mut unsent = Vec::new();
            crew.spawn("sink".to_owned(), chan, move |crew, chan| {
                send_all(crew, &mut supply, chan, &mut unsent)
            });
            crew
        });
        (port, Running::new(running))
    }

    /// Runs the sink in the calling thread, and waits until all stages have ended.
    fn run<R>(self, sink: impl FnOnce(&Crew, &mut Supply<T>) -> Result<R, Halted>) -> Result<R, Failure> {
        let (crew, mut supply, seat) = self.launch()?;
        // Not returned through the guard, whose frames would each have room for it.
        let mut result = None;
        crew.guarded("sink", || result = sink(&crew, &mut supply).ok());
        crew.guarded("sink", || drop(supply));
        drop(seat);
        if let Err(failure) = crew.join() {
            discard(result);
            return Err(failure);
        }
        Ok(result.expect("a sink that does not come to its end has failed, or a stage has"))
    }

    /// Starts all stages. The run is not over before the badge of the sink is dropped.
    pub(super) fn launch(self) -> Result<(Crew, Supply<T>, Badge), Failure> {
        let Pipeline { origin, mut plan } = self;
        let crew = plan.crew()?;
        let seat = crew.seat();
        let supply = origin.supply(&crew, None, plan.limits()).ends(crew.metrics());
        plan.expose(&crew);
        Ok((crew, supply, seat))
    }
}

/// Sends the results of a pipeline to its port, until there are no more or the port is dropped.
fn send_all<T>(
    crew: &Crew,
    supply: &mut Supply<T>,
    chan: &mut Chan<T>,
    unsent: &mut Vec<T>,
) -> Result<(), Halted> {
    loop {
        match supply.next_within(crew, &mut WhileOpen(chan)) {
            Ok(None) => return Ok(()),
            Ok(Some(item)) => {
                if !send(item, crew, supply, chan, unsent)? {
                    break;
                }
                supply.came_out();
            }
            Err(Ended::Late) => break,
            Err(Ended::Halted) => return Err(Halted),
        }
    }
    // The port was dropped.
    crew.stop();
    Err(Halted)
}

/// Sends one result, as soon as there is room. Returns `false` if the port was dropped. A result that is not
/// sent is pushed to `unsent`.
fn send<T>(
    item: T,
    crew: &Crew,
    supply: &mut Supply<T>,
    chan: &mut Chan<T>,
    unsent: &mut Vec<T>,
) -> Result<bool, Halted> {
    match chan.try_send(item) {
        Ok(()) => Ok(true),
        Err(TrySendError::Closed(item)) => {
            unsent.push(item);
            Ok(false)
        }
        Err(TrySendError::Full(item)) => {
            supply.give_back();
            send_later(item, crew, chan, unsent)
        }
    }
}

/// Waits for room, and sends.
fn send_later<T>(item: T, crew: &Crew, chan: &mut Chan<T>, unsent: &mut Vec<T>) -> Result<bool, Halted> {
    let mut sending = chan.send_async(item);
    match crew.until(|| None, || false, |cx| Pin::new(&mut sending).poll(cx)) {
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
