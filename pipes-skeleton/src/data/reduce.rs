//! Reductions of a slice to one result.

use super::shares::Shares;
use super::team::Team;
use super::tree::Tree;
use crate::failure::Failure;
use crate::sync::{AtomicUsize, Ordering};
use std::collections::HashMap;
use std::hash::Hash;
use std::iter::from_fn;

/// The largest number of chunks of a slice: enough for some dozen threads to end at about the same time, and
/// few enough that the cost of a chunk itself does not matter.
const CHUNKS: usize = 128;

/// Folds chunks of the items, with `workers` threads, and combines the results in the order of the items.
///
/// The result does not depend on timing or on the number of workers, to the last bit of a floating-point
/// number: where a chunk ends, and which results are combined, depends only on the number of items. It is the
/// result of a sequential fold if `combine` is associative and `identity` is its neutral element; `combine`
/// need not be commutative. The threads are those of [`map`](crate::map).
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
/// At most 128 chunks, one call of `identity` for each, and one call of `combine` fewer than there are
/// chunks. An empty slice is one chunk. Workers combine results that are ready as they go; the last step is
/// done by one of them alone.
///
/// # Errors
///
/// There are no workers, or a function panics; see [`map`](crate::map).
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
/// The values of a key are reduced in the order of their items: `reduce` has to be associative, not
/// commutative. Which values are combined first depends on the number of items and of workers, not on timing:
/// floating-point results are the same in every run. Keys and values may borrow from the items. The threads
/// are those of [`map`](crate::map).
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
/// One map for each of `O(workers * log(items / workers))` shares; two maps are combined by inserting the
/// smaller one into the larger. It pays off if making the pairs is most of the work, or if keys recur often:
/// if all keys are different, one thread inserts all of them at the end. With one worker it is a loop, with
/// one more lookup for each key.
///
/// # Errors
///
/// There are no workers, or a function panics, including those of a key; see [`map`](crate::map).
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
            // The left value remains the left argument of `reduce`, whichever map is inserted into the other.
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
    let shares = Shares::coarse(items, workers.min(items.len()));
    // There are few chunks, because each costs a map.
    let chunks = from_fn(|| shares.next()).map(|(_, share)| share).collect();
    reduced(team, workers, chunks, reduction, all)
}

/// The value of each key. A value is taken out while it is reduced, because the function takes it by value.
/// Taking the key out with it would cost a second lookup for each pair; the `Option` costs one check for each
/// key at the end.
type Values<K, V> = HashMap<K, Option<V>>;

/// The message of a check that cannot fail: after a panic no value is read.
const PUT_BACK: &str = "a value that was reduced is put back";

fn insert<K: Eq + Hash, V>(values: &mut Values<K, V>, key: K, value: V, reduce: impl Fn(V, V) -> V) {
    let place = values.entry(key).or_default();
    *place = Some(match place.take() {
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

/// Reduces all items, chunk by chunk, and calls `finish` with the result. If there are no chunks, it reduces
/// an empty one.
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
    // ORDERING: Relaxed, both: the counter only assigns the chunks, which were there before the threads.
    let is_left = || next.load(Ordering::Relaxed) < leaves;
    team.run(workers.min(leaves) - 1, is_left, |_, ()| {
        loop {
            let leaf = next.fetch_add(1, Ordering::Relaxed);
            if leaf >= leaves {
                return Ok(());
            }
            let mut folded = identity();
            for item in chunks.get(leaf).copied().unwrap_or_default() {
                team.go_on()?;
                folded = fold(folded, item);
            }
            tree.put(&team, leaf, folded, &combine)?;
        }
    });
    let result = tree.root().and_then(|all| team.guarded(|| finish(all)));
    let (result, _) = team.end((result, tree))?;
    Ok(result.expect("without a failure all chunks are put in"))
}
