//! Farms in which it matters who gets which item.

use super::pipeline::Pipeline;
use super::stage::Stage;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

impl<T: Send + 'static> Pipeline<T> {
    /// A farm where all items of a key meet the same replica, in the order of the source; so each replica can keep what it knows of
    /// its keys.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// let mut seen = HashMap::new();
    /// let numbered = pipes::skeleton::from_iter(["a", "b", "a", "a"])
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
    /// A key keeps its replica busy alone: how well the work is spread is a matter of the keys.
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

    /// The same with [`Stage`]s, which are made one by one, now and here, each from its number.
    ///
    /// ```
    /// use pipes::skeleton::{filter, from_iter};
    ///
    /// // Each word once: equal words come to the same replica.
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
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        #[expect(clippy::cast_possible_truncation, reason = "any part of a hash is one")]
        self.scheduled_with(replicas, move |item, _| hasher.hash_one(key(item)) as usize, make)
    }

    /// A farm whose items are dealt out in turns: replica `k` gets every `replicas`-th, beginning with the one at `k`.
    ///
    /// Where one replica is slower than the others they wait for it; with [`parallel`](Pipeline::parallel) they do not.
    ///
    /// ```
    /// use pipes::skeleton::from_iter;
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

    /// A farm of [`Stage`]s with a scheduler of your own: it gets the item and the number of replicas, and returns which of them
    /// gets it (modulo that number). It is asked for each item, in the order of the source.
    ///
    /// ```
    /// use pipes::skeleton::{from_iter, inspect};
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
        mut self,
        replicas: usize,
        schedule: impl FnMut(&T, usize) -> usize + Send + 'static,
        make: impl FnMut(usize) -> S,
    ) -> Pipeline<S::Out>
    where
        S: Stage<T> + Send + 'static,
        S::Out: Send + 'static,
    {
        let replicas = self.plan.replicas(replicas);
        self.replicated((0..replicas).map(make).collect(), Some(Box::new(schedule)))
    }
}
