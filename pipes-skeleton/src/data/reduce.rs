//! Reductions of a slice to one result.

use super::chunks::Chunks;
use super::team::Team;
use super::tree::Tree;
use crate::failure::Failure;
use crate::sync::{AtomicUsize, Ordering};
use std::collections::HashMap;
use std::hash::Hash;
use std::iter::from_fn;

/// The maximum number of chunks of a slice. They are enough for a few dozen threads to end at about the same
/// time, and so few that the cost of a chunk itself does not matter.
const CHUNKS: usize = 128;

/// Folds chunks of the items, with `workers` threads, and combines the results in the order of the items.
///
/// The result does not depend on timing or on the number of workers, to the last bit of a floating-point
/// number: where a chunk ends, and which results are combined, depends only on the number of items. The
/// result is that of a sequential fold if `combine` is associative and `identity` returns its neutral
/// element. `combine` need not be commutative. Threads are used as in [`map`](crate::map).
///
/// ```
/// use pipes_skeleton::reduce;
///
/// let numbers: Vec<f64> = (1..1000).map(|n| 1.0 / f64::from(n)).collect();
/// let sum = |workers| {
///     reduce(&numbers, workers, || 0.0, |sum, n| sum + n, |a, b| a + b)
///         .expect("nothing panics")
/// };
/// assert_eq!(sum(1).to_bits(), sum(4).to_bits());
/// ```
///
/// # Cost
///
/// There are at most 128 chunks, with one call of `identity` for each, and one call of `combine` fewer than
/// there are chunks. An empty slice is one chunk. Workers combine results as soon as they are ready. The last
/// step is done by one worker alone.
///
/// # Errors
///
/// Returns an error if there are no workers, or if a function panics; see [`map`](crate::map).
pub fn reduce<'a, T, A>(
    items: &'a [T],
    workers: usize,
    identity: impl Fn() -> A + Sync,
    fold: impl Fn(A, &'a T) -> A + Sync,
    combine: impl Fn(A, A) -> A + Sync,
) -> Result<A, Failure>
where
    T: Sync,
    A: Send,
{
    let team = Team::new("reduce", workers)?;
    let size = items.len().div_ceil(CHUNKS).max(1);
    let chunks = items.chunks(size).collect();
    reduced(team, workers, chunks, Reduction { identity, fold, combine }, |all| all)
}

/// Maps each item to pairs, with `workers` threads, and reduces the values of each key to one.
///
/// The values of a key are reduced in the order of their items, so `reduce` must be associative but need not
/// be commutative. Which values are combined first depends on the numbers of items and workers, not on
/// timing. So floating-point results are the same in every run. Keys and values may borrow from the items.
/// Threads are used as in [`map`](crate::map).
///
/// ```
/// use pipes_skeleton::map_reduce;
///
/// let lines = ["to be or", "not to be"];
/// let words =
///     map_reduce(&lines, 2, |line| line.split(' ').map(|word| (word, 1)), |a, b| a + b);
/// let words = words.expect("nothing panics");
/// assert_eq!((words["to"], words["be"], words["or"], words["not"]), (2, 2, 1, 1));
/// ```
///
/// # Cost
///
/// There is a map for each of `O(workers * log(items / workers))` chunks. Two maps are combined by inserting
/// the smaller one into the larger. More workers are faster if making the pairs is most of the work, or if
/// keys recur often. If all keys are different, one thread inserts all of them at the end. With one worker,
/// this is a loop, with another lookup for each key.
///
/// # Errors
///
/// Returns an error if there are no workers, or if a function panics, including those of a key; see
/// [`map`](crate::map).
#[expect(clippy::missing_panics_doc, reason = "a value that was reduced is put back")]
pub fn map_reduce<'a, T, I, K, V>(
    items: &'a [T],
    workers: usize,
    map: impl Fn(&'a T) -> I + Sync,
    reduce: impl Fn(V, V) -> V + Sync,
) -> Result<HashMap<K, V>, Failure>
where
    T: Sync,
    I: IntoIterator<Item = (K, V)>,
    K: Eq + Hash + Send,
    V: Send,
{
    let team = Team::new("map_reduce", workers)?;
    let reduction = Reduction {
        identity: Values::new,
        fold: |mut values: Values<K, V>, item| {
            map(item).into_iter().for_each(|(key, value)| insert(&mut values, key, value, &reduce));
            values
        },
        combine: |left: Values<K, V>, right: Values<K, V>| {
            // The left value stays the left argument of `reduce`, even if the left map is inserted into the
            // right.
            if left.len() < right.len() {
                let swapped = |a, b| reduce(b, a);
                merged(right, left, swapped)
            } else {
                merged(left, right, &reduce)
            }
        },
    };
    let all = |values: Values<K, V>| {
        let pairs = values.into_iter().map(|(key, value)| (key, value.expect(PUT_BACK)));
        pairs.collect()
    };
    let remaining = Chunks::coarse(items, workers.min(items.len()));
    // There are few chunks because each costs a map.
    let chunks = from_fn(|| remaining.next()).map(|(_, chunk)| chunk).collect();
    reduced(team, workers, chunks, reduction, all)
}

/// The value of each key. A value is taken out while it is reduced, because the function takes it by value.
/// Taking the key out with it would cost another lookup for each pair. The `Option` costs one check for each
/// key at the end.
type Values<K, V> = HashMap<K, Option<V>>;

/// The message of a check that cannot fail: after a panic no value is read.
const PUT_BACK: &str = "a value that was reduced is put back";

fn insert<K: Eq + Hash, V>(values: &mut Values<K, V>, key: K, value: V, reduce: impl Fn(V, V) -> V) {
    let reduced = values.entry(key).or_default();
    *reduced = Some(match reduced.take() {
        Some(before) => reduce(before, value),
        None => value,
    });
}

fn merged<K: Eq + Hash, V>(
    mut into: Values<K, V>,
    from: Values<K, V>,
    reduce: impl Fn(V, V) -> V,
) -> Values<K, V> {
    from.into_iter().for_each(|(key, value)| insert(&mut into, key, value.expect(PUT_BACK), &reduce));
    into
}

/// The functions of a reduction.
struct Reduction<I, F, C> {
    identity: I,
    fold: F,
    combine: C,
}

/// Reduces all items, chunk by chunk, and calls `finish` with the result. If there are no chunks, reduces an
/// empty one.
fn reduced<'a, T, A, R, I, F, C>(
    team: Team,
    workers: usize,
    chunks: Vec<&'a [T]>,
    Reduction { identity, fold, combine }: Reduction<I, F, C>,
    finish: impl FnOnce(A) -> R,
) -> Result<R, Failure>
where
    T: Sync,
    A: Send,
    I: Fn() -> A + Sync,
    F: Fn(A, &'a T) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
{
    let leaves = chunks.len().max(1);
    let tree = Tree::new(leaves);
    let next = AtomicUsize::new(0);
    // ORDERING: Relaxed, both: the counter only assigns the chunks, which were made before the threads
    // started.
    let is_wanted = || next.load(Ordering::Relaxed) < leaves;
    team.run(workers.min(leaves) - 1, is_wanted, |_, ()| {
        loop {
            let leaf = next.fetch_add(1, Ordering::Relaxed);
            if leaf >= leaves {
                return Ok(());
            }
            let mut folded = identity();
            for item in chunks.get(leaf).copied().unwrap_or_default() {
                team.check_stopped()?;
                folded = fold(folded, item);
            }
            tree.put(&team, leaf, folded, &combine)?;
        }
    });
    let result = tree.root().and_then(|all| team.catch_panic(|| finish(all)));
    let (result, _) = team.end((result, tree))?;
    Ok(result.expect("without a failure all chunks are put in"))
}
