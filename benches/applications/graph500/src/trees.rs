//! The results of a run: a tree for each search, and the time it took.

use std::borrow::Cow;
use std::io;
use std::mem::take;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The parent of a vertex that was not reached.
pub const NOBODY: i32 = -1;
/// The content of a tree's memory before a search. It differs from every parent and from [`NOBODY`], so
/// entries that a search does not write are detected.
pub const UNWRITTEN: i32 = i32::MIN;

/// The parents of all vertices, for each search.
#[derive(Debug)]
enum Trees {
    /// Written by one thread, or by the owner of each part.
    Plain(Vec<Vec<i32>>),
    /// Written by threads that may write the same entry.
    Atomic(Vec<Vec<AtomicI32>>),
}

/// Unused memory for trees: page faults on first use would be a large part of a short search.
#[derive(Debug, Default)]
pub struct TreePool {
    plain: Mutex<Vec<Vec<i32>>>,
    atomic: Mutex<Vec<Vec<AtomicI32>>>,
}

/// The results of a run. When it is dropped, its memory goes back to the pool, and the results are cleared.
#[derive(Debug)]
pub struct Found {
    trees: Trees,
    seconds: Vec<f64>,
    pool: Arc<TreePool>,
}

impl TreePool {
    /// Runs searches, which write their trees to memory of the pool and return the seconds of each. They
    /// must not rely on the initial contents of that memory.
    pub fn plain(
        self: &Arc<TreePool>,
        searches: usize,
        vertices: usize,
        run: impl FnOnce(&mut [Vec<i32>]) -> io::Result<Vec<f64>>,
    ) -> io::Result<Found> {
        let mut trees = take(&mut *self.plain.lock().unwrap_or_else(PoisonError::into_inner));
        trees.resize_with(searches, || vec![UNWRITTEN; vertices]);
        let seconds = run(&mut trees)?;
        Ok(Found { trees: Trees::Plain(trees), seconds, pool: self.clone() })
    }

    /// Like [`plain`](TreePool::plain), for threads that may write the same entry.
    pub fn atomic(
        self: &Arc<TreePool>,
        searches: usize,
        vertices: usize,
        run: impl FnOnce(&mut [Vec<AtomicI32>]) -> io::Result<Vec<f64>>,
    ) -> io::Result<Found> {
        let mut trees = take(&mut *self.atomic.lock().unwrap_or_else(PoisonError::into_inner));
        trees.resize_with(searches, || (0..vertices).map(|_| AtomicI32::new(UNWRITTEN)).collect());
        let seconds = run(&mut trees)?;
        Ok(Found { trees: Trees::Atomic(trees), seconds, pool: self.clone() })
    }
}

impl Found {
    /// The time of each search.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// The parents that one search has found.
    pub fn parents(&self, search: usize) -> Cow<'_, [i32]> {
        match &self.trees {
            Trees::Plain(trees) => Cow::Borrowed(&trees[search]),
            Trees::Atomic(trees) => {
                Cow::Owned(trees[search].iter().map(|parent| parent.load(Ordering::Relaxed)).collect())
            }
        }
    }
}

impl Drop for Found {
    fn drop(&mut self) {
        match &mut self.trees {
            Trees::Plain(trees) => {
                trees.iter_mut().for_each(|tree| tree.fill(UNWRITTEN));
                *self.pool.plain.lock().unwrap_or_else(PoisonError::into_inner) = take(trees);
            }
            Trees::Atomic(trees) => {
                trees.iter_mut().flatten().for_each(|parent| *parent.get_mut() = UNWRITTEN);
                *self.pool.atomic.lock().unwrap_or_else(PoisonError::into_inner) = take(trees);
            }
        }
    }
}

/// Searches from one root after another, and times each search, from before the root is visited until the
/// tree is in memory.
pub fn each<'a, P>(
    roots: &[u32],
    trees: &'a mut [Vec<P>],
    mut search: impl FnMut(u32, &'a mut [P]) -> io::Result<()>,
) -> io::Result<Vec<f64>> {
    let timed = |(root, tree): (&u32, &'a mut Vec<P>)| {
        let start = Instant::now();
        search(*root, tree)?;
        Ok(start.elapsed().as_secs_f64())
    };
    roots.iter().zip(trees).map(timed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contender that writes nothing is not credited with the previous one's trees.
    #[test]
    fn trees_are_forgotten() {
        let pool = Arc::default();
        let plain = |value: Option<i32>| {
            let run = |trees: &mut [Vec<i32>]| {
                trees.iter_mut().zip(value).for_each(|(tree, value)| tree.fill(value));
                Ok(Vec::new())
            };
            TreePool::plain(&pool, 1, 3, run).expect("nothing fails").parents(0).into_owned()
        };
        let atomic = |value: Option<i32>| {
            let run = |trees: &mut [Vec<AtomicI32>]| {
                let written = trees.iter().flatten().zip(value.into_iter().cycle());
                written.for_each(|(parent, value)| parent.store(value, Ordering::Relaxed));
                Ok(Vec::new())
            };
            TreePool::atomic(&pool, 1, 3, run).expect("nothing fails").parents(0).into_owned()
        };
        assert_eq!((plain(Some(2)), atomic(Some(2))), (vec![2; 3], vec![2; 3]));
        assert_eq!((plain(None), atomic(None)), (vec![UNWRITTEN; 3], vec![UNWRITTEN; 3]));
    }
}
