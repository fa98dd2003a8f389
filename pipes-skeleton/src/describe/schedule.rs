//! Farms in which the caller chooses the replica for each item.

use super::pipeline::Pipeline;
use super::plan::MOST_REPLICAS;
use crate::run::work::works;
use crate::stage::Stage;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

impl<T: Send + 'static> Pipeline<T> {
    /// Adds a farm in which all items with the same key go to the same replica, in the order in which they
    /// come. So a replica can keep a state for each of its keys.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// let mut seen = HashMap::new();
    /// let numbered = pipes_skeleton::from_iter(["a", "b", "a", "a"])
    ///     .keyed(
    ///         2,
    ///         |word| *word,
    ///         move |word| {
    ///             let times = seen.entry(word).or_insert(0);
    ///             *times += 1;
    ///             (word, *times)
    ///         },
    ///     )
    ///     .in_order()
    ///     .collect()
    ///     .expect("no stage fails");
    /// assert_eq!(numbered, [("a", 1), ("b", 1), ("a", 2), ("a", 3)]);
    /// ```
    ///
    /// After another farm, items come in the order of completion, and this farm begins a new order. If the
    /// order of the source matters, restore it first, with [`in_order`](Pipeline::in_order), which takes a
    /// thread here. How evenly the work is distributed depends on the keys.
    pub fn keyed<K, U, F>(
        self,
        replicas: usize,
        key: impl FnMut(&T) -> K + Send + 'static,
        f: F,
    ) -> Pipeline<U>
    where
        K: Hash,
        U: Send + 'static,
        F: FnMut(T) -> U + Clone + Send + 'static,
    {
        self.keyed_with(replicas, key, |_| f.clone())
    }

    /// Adds a farm of [`Stage`]s in which all items with the same key go to the same replica; see
    /// [`keyed`](Pipeline::keyed). `make` is called now, in this thread, with the number of each replica.
    ///
    /// ```
    /// use pipes_skeleton::{filter, from_iter};
    ///
    /// // Each word once: equal words go to the same replica.
    /// let words = from_iter(["to", "be", "or", "not", "to", "be"]);
    /// let unique = words.keyed_with(
    ///     2,
    ///     |word| *word,
    ///     |_replica| {
    ///         let mut seen = std::collections::HashSet::new();
    ///         filter(move |word: &&str| seen.insert(word.to_string()))
    ///     },
    /// );
    /// assert_eq!(unique.collect()?.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keyed_with<K: Hash, S>(
        self,
        replicas: usize,
        mut key: impl FnMut(&T) -> K + Send + 'static,
        make: impl FnMut(usize) -> S,
    ) -> Pipeline<S::Out>
    where
        S: Stage<T> + Send + 'static,
        S::Out: Send + 'static,
    {
        self.scheduled_with(replicas, move |item, _| replica_of(key(item)), make)
    }

    /// Adds a farm whose replicas get the items in turn: replica `k` gets every `replicas`-th item, beginning
    /// with item `k`, in the order in which they come; see [`keyed`](Pipeline::keyed).
    ///
    /// If one replica is slower than the others, they wait for it. With [`parallel`](Pipeline::parallel) they
    /// do not.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let squares =
    ///     from_iter(1..=4).round_robin(2, |number| number * number).in_order().collect()?;
    /// assert_eq!(squares, [1, 4, 9, 16]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn round_robin<U, F>(self, replicas: usize, f: F) -> Pipeline<U>
    where
        U: Send + 'static,
        F: FnMut(T) -> U + Clone + Send + 'static,
    {
        let mut turn = 0;
        let schedule = move |_: &T, replicas| {
            let replica = turn;
            turn = (turn + 1) % replicas;
            replica
        };
        self.scheduled_with(replicas, schedule, |_| f.clone())
    }

    /// Adds a farm of [`Stage`]s with your own scheduler. The scheduler is called for each item, in the order
    /// in which they come, with the item and the number of replicas; see [`keyed`](Pipeline::keyed). It
    /// returns the number of the replica that gets the item, modulo the number of replicas.
    ///
    /// ```
    /// use pipes_skeleton::{from_iter, inspect};
    ///
    /// // Long words to the first replica, the others to the second.
    /// let words = from_iter(["a", "protocol", "is", "a", "type"]);
    /// let all = words.scheduled_with(
    ///     2,
    ///     |word, _replicas| usize::from(word.len() < 4),
    ///     |replica| inspect(move |word| println!("{replica}: {word}")),
    /// );
    /// assert_eq!(all.collect()?.len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scheduled_with<S>(
        self,
        replicas: usize,
        schedule: impl FnMut(&T, usize) -> usize + Send + 'static,
        make: impl FnMut(usize) -> S,
    ) -> Pipeline<S::Out>
    where
        S: Stage<T> + Send + 'static,
        S::Out: Send + 'static,
    {
        self.replicated(replicas, works(replicas.min(MOST_REPLICAS), make), Some(Box::new(schedule)))
    }
}

/// Returns the number of the replica for a key, up to a multiple of all replicas. It is the same in each run.
pub(super) fn replica_of(key: impl Hash) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "any part of a hash is one")]
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(key) as usize;
    hash
}
