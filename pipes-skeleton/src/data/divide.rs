//! Divide and conquer.

use super::join::{Destination, Join};
use super::pool::Pool;
use super::team::Team;
use crate::failure::Failure;
use crate::run::threads::Stopped;
use crate::sync::Lock;

/// The maximum number of workers. No call needs more threads, and each has a queue.
const MOST: usize = 1024;

/// The outcome of dividing a problem in [`divide_and_conquer`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Divided<P, R> {
    /// The problem was solved, with this result.
    Solved(R),
    /// The problem has these parts, of which there may be any number.
    Into(Vec<P>),
}

/// Solves a problem by dividing it recursively and combining the results of the parts, with `workers`
/// threads.
///
/// `divide` solves a problem or returns its parts, and `conquer` combines the results of the parts, in their
/// order, into the result of the problem. The calling thread is one of the workers, and all have ended when
/// this returns. So both functions, problems and results may borrow.
///
/// ```
/// use pipes_skeleton::{Divided, divide_and_conquer};
///
/// let numbers: Vec<u64> = (0..10_000).collect();
/// let sum = divide_and_conquer(
///     &numbers[..],
///     2,
///     |part| match part {
///         small if small.len() <= 1000 => Divided::Solved(small.iter().sum()),
///         large => {
///             let (left, right) = large.split_at(large.len() / 2);
///             Divided::Into(vec![left, right])
///         }
///     },
///     |sums| sums.into_iter().sum::<u64>(),
/// );
/// assert_eq!(sum.expect("nothing panics"), 49_995_000);
/// ```
///
/// A part may be a `&mut` half of a slice, for example to sort in place.
///
/// # Cost
///
/// Threads are started when there are parts for two of them: one for each worker except the calling thread.
/// There are at most 1024 workers. A worker goes depth first, so the number of its open parts is about the
/// depth of the problem, times the number of parts of a division. An idle worker takes the oldest part of
/// another one, and sleeps if there is none. A division allocates, and a part takes a few locks, which are
/// rarely contended. So a part that is not divided any more should take some microseconds. No stack grows
/// with the depth.
///
/// # Errors
///
/// Returns an error if there are no workers, or if a function panics. Then the other workers stop as soon as
/// the function that they are running returns, this call waits for them, and open parts and results are
/// dropped. It is not an error if the system has fewer threads than workers: the calling thread is enough.
#[expect(clippy::missing_panics_doc, reason = "without a failure there is a result")]
pub fn divide_and_conquer<P, R>(
    problem: P,
    workers: usize,
    divide: impl Fn(P) -> Divided<P, R> + Sync,
    conquer: impl Fn(Vec<R>) -> R + Sync,
) -> Result<R, Failure>
where
    P: Send,
    R: Send,
{
    let team = Team::new("divide_and_conquer", workers)?;
    let workers = workers.min(MOST);
    let solver = Solver { team: &team, pool: Pool::new(workers), whole: Lock::new(None), divide, conquer };
    solver.pool.push(0, [Part { problem, destination: None }].into_iter());
    let mut unfinished =
        team.run(0, || false, |worker, destination| solver.work(worker, destination, workers > 1));
    if !team.threads.is_stopped() {
        unfinished.extend(team.run(
            workers - 1,
            || true,
            |worker, destination| solver.work(worker, destination, false),
        ));
    }
    let Solver { pool, whole, .. } = solver;
    let result = whole.lock().take();
    let (result, ..) = team.end((result, pool, unfinished))?;
    Ok(result.expect("without a failure there is a result"))
}

/// A part that is not solved yet, and the destination of its result. The whole problem has no destination.
struct Part<P, R> {
    problem: P,
    destination: Option<Destination<R>>,
}

/// The functions of the caller, and the state that the workers share.
struct Solver<'a, P, R, D, C> {
    team: &'a Team,
    pool: Pool<Part<P, R>>,
    /// The result of the whole problem.
    whole: Lock<Option<R>>,
    divide: D,
    conquer: C,
}

impl<P, R, D, C> Solver<'_, P, R, D, C>
where
    D: Fn(P) -> Divided<P, R>,
    C: Fn(Vec<R>) -> R,
{
    /// Solves parts until the run is stopped. If `alone` is `true`, returns as soon as there is work for
    /// others. `destination` is where the result of the current part goes.
    fn work(
        &self,
        worker: usize,
        destination: &mut Option<Destination<R>>,
        alone: bool,
    ) -> Result<(), Stopped> {
        loop {
            let part = self.pool.take(&self.team.threads, worker)?;
            self.team.check_stopped()?;
            *destination = part.destination;
            match (self.divide)(part.problem) {
                Divided::Solved(result) => self.put(result, destination)?,
                Divided::Into(parts) if parts.is_empty() => {
                    self.put((self.conquer)(Vec::new()), destination)?
                }
                Divided::Into(parts) => {
                    let count = parts.len();
                    let join = Join::new(count, destination.take());
                    // In reverse order, because this worker takes the last part next, and should begin with
                    // the first.
                    let parts = parts.into_iter().enumerate().rev();
                    let open =
                        |(index, problem)| Part { problem, destination: Some(Destination::of(&join, index)) };
                    self.pool.push(worker, parts.map(open));
                    if alone && count > 1 {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Puts a result into its destination. If that completes a problem, does the same with the problem's
    /// result. Stops the run if it is the result of the whole problem.
    fn put(&self, mut result: R, destination: &mut Option<Destination<R>>) -> Result<(), Stopped> {
        while let Some(here) = destination.take() {
            let Some((results, parent)) = here.put(result) else { return Ok(()) };
            *destination = parent;
            self.team.check_stopped()?;
            result = (self.conquer)(results);
        }
        *self.whole.lock() = Some(result);
        self.team.threads.stop();
        Ok(())
    }
}
