//! A function applied to each item of a slice.

use super::chunks::Chunks;
use super::team::Team;
use crate::failure::Failure;

/// Maps each item, with `workers` threads, and returns the results in the order of the items.
///
/// The calling thread is one of them, and all have ended when this returns. So the items, the function's
/// captures and its results may be borrowed. An idle worker takes the next chunk of the items. Chunks become
/// smaller towards the end, so costly items need not be distributed evenly.
///
/// ```
/// use pipes_skeleton::map;
///
/// let words = ["to", "be", "or", "not"].map(String::from);
/// let longest = 2;
/// let short = map(&words, 2, |word| word.len() <= longest).expect("nothing panics");
/// assert_eq!(short, [true, true, true, false]);
/// ```
///
/// # Cost
///
/// Starts a thread for each worker except the calling thread, and no more workers than items. So the work
/// should take at least some hundred microseconds. There are `O(workers * log(items / workers))` chunks, each
/// with a lock and an allocation. Results are moved once. With one worker, this is a loop.
///
/// # Errors
///
/// Returns an error if there are no workers, or if the function panics. Then the other workers stop after
/// their current item at the latest, this call waits for them, and the results are dropped. It is not an
/// error if the system has fewer threads than workers: the calling thread is enough.
#[expect(clippy::missing_panics_doc, reason = "a vector has an item after a push")]
pub fn map<'a, T, U, F>(items: &'a [T], workers: usize, f: F) -> Result<Vec<U>, Failure>
where
    T: Sync,
    U: Send,
    F: Fn(&'a T) -> U + Sync,
{
    let team = Team::new("map", workers)?;
    let workers = workers.min(items.len());
    let chunks = Chunks::fine(items, workers);
    let is_wanted = || chunks.has_next();
    let results = team.run(workers.saturating_sub(1), is_wanted, |_, results: &mut Vec<(usize, Vec<U>)>| {
        while let Some((begin, chunk)) = chunks.next() {
            results.push((begin, Vec::with_capacity(chunk.len())));
            let (_, last) = results.last_mut().expect("it was just pushed");
            for item in chunk {
                team.check_stopped()?;
                last.push(f(item));
            }
        }
        Ok(())
    });
    let mut results: Vec<_> = team.end(results)?.into_iter().flatten().collect();
    if results.len() == 1 {
        return Ok(results.remove(0).1);
    }
    results.sort_unstable_by_key(|(begin, _)| *begin);
    let mut all = Vec::with_capacity(items.len());
    results.into_iter().for_each(|(_, chunk)| all.extend(chunk));
    Ok(all)
}

/// Calls the function once for each item, with `workers` threads.
///
/// Items are distributed as in [`map`]. The cost is the same, except for that of the results.
///
/// ```
/// use pipes_skeleton::map_in_place;
///
/// let mut numbers = [1, 2, 3, 4];
/// let factor = 10;
/// map_in_place(&mut numbers, 2, |number| *number *= factor).expect("nothing panics");
/// assert_eq!(numbers, [10, 20, 30, 40]);
/// ```
///
/// # Errors
///
/// Returns an error if there are no workers, or if the function panics; see [`map`]. After a panic, the
/// function was called for some of the items only.
pub fn map_in_place<'a, T, F>(items: &'a mut [T], workers: usize, f: F) -> Result<(), Failure>
where
    T: Send,
    F: Fn(&'a mut T) + Sync,
{
    let team = Team::new("map_in_place", workers)?;
    let workers = workers.min(items.len());
    let chunks = Chunks::fine(items, workers);
    let is_wanted = || chunks.has_next();
    team.run(workers.saturating_sub(1), is_wanted, |_, ()| {
        while let Some((_, chunk)) = chunks.next() {
            for item in chunk {
                team.check_stopped()?;
                f(item);
            }
        }
        Ok(())
    });
    team.end(())
}
