//! Divide and conquer.

use super::join::{Destination, Join};
use super::pool::Pool;
use super::team::Team;
use crate::failure::Failure;
use crate::run::crew::Halted;
use crate::sync::Lock;

/// The largest number of workers. No system needs more threads in one call, and each has a queue.
const MOST: usize = 1024;

/// The outcome of dividing a problem in [`divide_and_conquer`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Divided<P, R> {
    /// It is small enough to be solved at once, with this result.
    Solved(R),
    /// It is solved by solving these parts, of which there may be any number.
    Into(Vec<P>),
}

/// Solves a problem by dividing it recursively and combining the results of the parts, with `workers`
/// threads.
///
/// `divide` solves a problem or returns its parts, and `conquer` combines the results of the parts, in their
/// order, into the result of the problem. The calling thread is one of the workers, and all have ended when
/// this returns; so both functions, problems and results may borrow.
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
/// A part may be a `&mut` half of a slice, which is how to sort in place.
///
/// # Cost
///
/// Threads are started when there are parts for two of them: one for each worker but the calling one, and
/// 1024 workers at most. A worker goes depth first, so at any time each has about as many parts open as the
/// problem is deep, times the parts of a division. An idle worker takes the oldest part of another one, and
/// sleeps if there is none. A division allocates, and a part takes a few locks, which are rarely contended: a
/// part that is not divided any more should be worth some microseconds. No stack grows with the depth.
///
/// # Errors
///
/// There are no workers, or a function panics. Then the other workers stop as soon as the function that they
/// are running returns; this call waits for them, and drops open parts and results. It is not an error if the
/// system has fewer threads than workers: the calling thread is enough.
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
    let run = Run { team: &team, pool: Pool::new(workers), whole: Lock::new(None), divide, conquer };
    run.pool.push(0, [Part { problem, destination: None }].into_iter());
    let mut given_up =
        team.run(0, || false, |worker, destination| run.work(worker, destination, workers > 1));
    if !team.crew.is_stopped() {
        given_up.extend(team.run(
            workers - 1,
            || true,
            |worker, destination| run.work(worker, destination, false),
        ));
    }
    let Run { pool, whole, .. } = run;
    let result = whole.lock().take();
    let (result, ..) = team.end((result, pool, given_up))?;
    Ok(result.expect("without a failure the last part has led to it"))
}

/// A part that is not solved yet, and the destination of its result. The whole problem has none.
struct Part<P, R> {
    problem: P,
    destination: Option<Destination<R>>,
}

struct Run<'a, P, R, D, C> {
    team: &'a Team,
    pool: Pool<Part<P, R>>,
    /// The result of the whole problem.
    whole: Lock<Option<R>>,
    divide: D,
    conquer: C,
}

impl<P, R, D, C> Run<'_, P, R, D, C>
where
    D: Fn(P) -> Divided<P, R>,
    C: Fn(Vec<R>) -> R,
{
    /// Works until the run is stopped, or, if `alone`, only until there is work for others. `destination` is
    /// that of the current problem's result.
    fn work(
        &self,
        worker: usize,
        destination: &mut Option<Destination<R>>,
        alone: bool,
    ) -> Result<(), Halted> {
        loop {
            let part = self.pool.take(&self.team.crew, worker)?;
            self.team.go_on()?;
            *destination = part.destination;
            match (self.divide)(part.problem) {
                Divided::Solved(result) => self.put(result, destination)?,
                Divided::Into(parts) if parts.is_empty() => {
                    self.put((self.conquer)(Vec::new()), destination)?
                }
                Divided::Into(parts) => {
                    let count = parts.len();
                    let join = Join::new(count, destination.take());
                    // This worker takes the first part next.
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

    /// Puts a result into its destination, and goes on with the problems that it completes. The result of the
    /// whole problem ends the work.
    fn put(&self, mut result: R, destination: &mut Option<Destination<R>>) -> Result<(), Halted> {
        while let Some(here) = destination.take() {
            let Some((results, above)) = here.put(result) else { return Ok(()) };
            *destination = above;
            self.team.go_on()?;
            result = (self.conquer)(results);
        }
        *self.whole.lock() = Some(result);
        self.team.crew.stop();
        Ok(())
    }
}
