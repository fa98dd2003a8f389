//! One result of all items of a slice.

use super::failure::Failure;
use super::team::Team;
use super::tree::Tree;
use crate::sync::{AtomicUsize, Ordering};
use std::collections::HashMap;
use std::hash::Hash;

/// Into how many chunks a slice is divided at most: enough for some dozen threads to end at about the same time, and few enough that
/// what a chunk costs beside its items does not matter.
const CHUNKS: usize = 128;

/// Folds chunks of the items, in so many threads at once, and combines what they come to, in the order of the items.
///
/// What comes out does not depend on time, nor on the number of workers, to the last bit of a floating-point number: where a chunk ends
/// and what is combined with what follows from the number of items only. It is what a sequential fold gives if `combine` is associative
/// and `identity` is its neutral element; that it is commutative is not needed. The threads are those of [`map`](super::map).
///
/// ```
/// use pipes::skeleton::reduce;
///
/// let numbers: Vec<f64> = (1..1000).map(|n| 1.0 / f64::from(n)).collect();
/// let sum = |workers| {
///     reduce(&numbers, workers, || 0.0, |sum, n| sum + n, |a, b| a + b).expect("nothing panics")
/// };
/// assert_eq!(sum(1).to_bits(), sum(4).to_bits());
/// ```
///
/// # Cost
///
/// At most 128 chunks, each with one call of `identity`, and one of `combine` less than there are chunks. An empty slice is one
/// chunk. Workers combine what is ready as they go; the last combining is done by one of them alone.
///
/// # Errors
///
/// There are no workers, or a function panics; see [`map`](super::map).
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
    reduced(Team::new("reduce", workers)?, workers, items, Reduction { identity, fold, combine }, |all| all)
}

/// Makes pairs of each item, in so many threads at once, and reduces the values of each key to one.
///
/// The values of a key are reduced in the order of their items: `reduce` has to be associative, not commutative. How is decided as in
/// [`reduce`](reduce()), so that floating-point values come out the same in every run, with any number of workers. Keys and values may
/// borrow from the items.
///
/// ```
/// use pipes::skeleton::map_reduce;
///
/// let lines = ["to be or", "not to be"];
/// let words = map_reduce(&lines, 2, |line| line.split(' ').map(|word| (word, 1)), |a, b| a + b);
/// let words = words.expect("nothing panics");
/// assert_eq!((words["to"], words["be"], words["or"], words["not"]), (2, 2, 1, 1));
/// ```
///
/// # Cost
///
/// That of a [`reduce`](reduce()) to one map a chunk, where two maps are combined by inserting the smaller one into the larger. It pays where
/// making the pairs is the work, or keys come again and again; if all keys are different, then one thread alone inserts half of them.
///
/// # Errors
///
/// There are no workers, or a function panics, be it one of a key; see [`map`](super::map).
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
    let reduction = Reduction {
        identity: Values::new,
        fold: |values, item| {
            map(item).into_iter().fold(values, |values, (key, value)| insert(values, key, value, &reduce))
        },
        combine: |left: Values<K, V>, right: Values<K, V>| {
            // The left value stays the left one, whichever map is inserted into the other.
            if left.len() < right.len() {
                let swapped = |a, b| reduce(b, a);
                merged(right, left, swapped)
            } else {
                merged(left, right, &reduce)
            }
        },
    };
    let all =
        |values: Values<K, V>| values.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
    reduced(Team::new("map_reduce", workers)?, workers, items, reduction, all)
}

/// The values of keys. One is taken out while it is reduced.
type Values<K, V> = HashMap<K, Option<V>>;

fn insert<K: Eq + Hash, V>(
    mut values: Values<K, V>,
    key: K,
    value: V,
    reduce: impl Fn(V, V) -> V,
) -> Values<K, V> {
    let place = values.entry(key).or_default();
    *place = Some(match place.take() {
        Some(before) => reduce(before, value),
        None => value,
    });
    values
}

fn merged<K: Eq + Hash, V>(
    into: Values<K, V>,
    from: Values<K, V>,
    reduce: impl Fn(V, V) -> V,
) -> Values<K, V> {
    let pairs = from.into_iter().filter_map(|(key, value)| Some((key, value?)));
    pairs.fold(into, |into, (key, value)| insert(into, key, value, &reduce))
}

/// The functions of a reduction.
struct Reduction<I, F, C> {
    identity: I,
    fold: F,
    combine: C,
}

/// Reduces all items, and finishes what comes out.
fn reduced<'a, T, A, R, I, F, C>(
    team: Team,
    workers: usize,
    items: &'a [T],
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
    let size = items.len().div_ceil(CHUNKS).max(1);
    let chunks = items.len().div_ceil(size).max(1);
    let tree = Tree::new(chunks);
    let next = AtomicUsize::new(0);
    team.run(workers.min(chunks) - 1, |_, ()| {
        loop {
            // ORDERING: Relaxed. It only tells the chunks apart; the items were there before the threads.
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                return Ok(());
            }
            let mut folded = identity();
            for item in items.chunks(size).nth(chunk).unwrap_or_default() {
                team.go_on()?;
                folded = fold(folded, item);
            }
            tree.put(&team, chunk, folded, &combine)?;
        }
    });
    let result = tree.root().and_then(|all| team.guarded(|| finish(all)));
    let (result, _) = team.end((result, tree))?;
    Ok(result.expect("without a failure all chunks are put in"))
}
