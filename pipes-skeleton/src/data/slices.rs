//! A function applied to each item of a slice.

use super::shares::Shares;
use super::team::Team;
use crate::failure::Failure;

/// Maps each item, with `workers` threads, and returns the results in the order of the items.
///
/// The calling thread is one of them, and all have ended when this returns; so the items, the function's
/// captures and its results may be borrowed. An idle worker takes the next share of the items, towards the
/// end one by one, so costly items need not be spread evenly.
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
/// A thread for each worker but the calling one, and no more workers than items; so the work should be worth
/// some hundred microseconds. `O(workers * log(items / workers))` shares, each with a lock and an allocation.
/// Results are moved once, unless there is only one worker, for which this is a loop.
///
/// # Errors
///
/// There are no workers, or the function panics. Then the other workers stop, at the latest after their
/// current item; this call waits for them, and drops the results. It is not an error if the system has fewer
/// threads than workers: the calling thread is enough.
#[expect(clippy::missing_panics_doc, reason = "a vector has an item after a push")]
pub fn map<'a, T, U, F>(items: &'a [T], workers: usize, f: F) -> Result<Vec<U>, Failure>
where
    T: Sync,
    U: Send,
    F: Fn(&'a T) -> U + Sync,
{
    let team = Team::new("map", workers)?;
    let workers = workers.min(items.len());
    let shares = Shares::fine(items, workers);
    let is_left = || shares.is_left();
    let made = team.run(workers.saturating_sub(1), is_left, |_, made: &mut Vec<(usize, Vec<U>)>| {
        while let Some((begin, share)) = shares.next() {
            made.push((begin, Vec::with_capacity(share.len())));
            let (_, last) = made.last_mut().expect("it was just pushed");
            for item in share {
                team.go_on()?;
                last.push(f(item));
            }
        }
        Ok(())
    });
    let mut made: Vec<_> = team.end(made)?.into_iter().flatten().collect();
    if made.len() == 1 {
        return Ok(made.remove(0).1);
    }
    made.sort_unstable_by_key(|(begin, _)| *begin);
    let mut all = Vec::with_capacity(items.len());
    made.into_iter().for_each(|(_, share)| all.extend(share));
    Ok(all)
}

/// Calls the function once for each item, with `workers` threads.
///
/// Items are distributed as in [`map`], at the same cost, without that of the results.
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
/// There are no workers, or the function panics; see [`map`]. After a panic some items were worked on, and
/// others were not.
pub fn map_in_place<'a, T, F>(items: &'a mut [T], workers: usize, f: F) -> Result<(), Failure>
where
    T: Send,
    F: Fn(&'a mut T) + Sync,
{
    let team = Team::new("map_in_place", workers)?;
    let workers = workers.min(items.len());
    let shares = Shares::fine(items, workers);
    let is_left = || shares.is_left();
    team.run(workers.saturating_sub(1), is_left, |_, ()| {
        while let Some((_, share)) = shares.next() {
            for item in share {
                team.go_on()?;
                f(item);
            }
        }
        Ok(())
    });
    team.end(())
}
