//! The vectors, and a part of both.

use std::hint::black_box;

use crate::kernels::{Part, lengths};

/// Two vectors.
#[derive(Debug)]
pub struct Vectors {
    left: Vec<f64>,
    right: Vec<f64>,
}

/// One part of each vector, in the same place.
#[derive(Debug)]
pub struct Pair<'a> {
    left: &'a [f64],
    right: &'a [f64],
}

/// The number of sums kept at a time: enough to keep the floating-point units busy.
const LANES: usize = 8;

/// The limits of the whole numbers, so small that no sum is rounded.
const LEFT: u64 = 61;
const RIGHT: u64 = 29;

impl Vectors {
    /// Vectors with this many elements.
    pub fn of_size(size: usize) -> Vectors {
        let below = |limit: u64| (0..limit).cycle().take(size).map(|number| number as f64).collect();
        Vectors { left: below(LEFT), right: below(RIGHT) }
    }

    /// Divides the vectors into parts.
    pub fn parts(&self, count: usize) -> Vec<Pair<'_>> {
        let (mut left, mut right) = (&self.left[..], &self.right[..]);
        let part = |length| Pair {
            left: left.split_off(..length).unwrap_or_default(),
            right: right.split_off(..length).unwrap_or_default(),
        };
        lengths(self.left.len(), count).map(part).collect()
    }

    /// The expected product, computed in whole numbers.
    pub fn due(&self) -> u64 {
        (0..self.left.len() as u64).map(|at| (at % LEFT) * (at % RIGHT)).sum()
    }
}

impl Pair<'_> {
    /// The product of this part.
    pub fn sum(&self) -> f64 {
        dot(black_box(self.left), black_box(self.right))
    }
}

impl Part for Pair<'_> {
    fn work(&mut self) -> f64 {
        self.sum()
    }
}

/// The dot product. Compiled once, for all contenders.
#[inline(never)]
fn dot(left: &[f64], right: &[f64]) -> f64 {
    let ((left, left_rest), (right, right_rest)) = (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest = left_rest.iter().zip(right_rest).map(|(left, right)| left * right);
    sums.into_iter().chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_that_of_the_definition_in_any_parts() {
        for size in [1, 7, 8, 9, 1000] {
            let vectors = Vectors::of_size(size);
            let one_by_one: f64 =
                vectors.left.iter().zip(&vectors.right).map(|(left, right)| left * right).sum();
            assert_eq!(one_by_one, vectors.due() as f64);
            for count in [1, 2, 3, 9] {
                let sum: f64 = vectors.parts(count).iter().map(Pair::sum).sum();
                assert_eq!(sum, one_by_one, "{size} in {count}");
            }
        }
    }
}
