//! Which buckets of a hash table are looked into: the query-directed probing of Lv, Josephson, Wang, Charikar
//! and Li ("Multi-Probe LSH: Efficient Indexing for High-Dimensional Similarity Search", 2007).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of hash functions of a table.
pub const FUNCTIONS: usize = 6;

/// For each hash function, the number of the slot that a point falls into. Together they name a bucket.
pub type Slots = [i32; FUNCTIONS];

/// Widths of slots are counted in this part of one.
const FINE: f32 = 1024.0;

/// Yields the bucket of a point, and then the others, beginning with those that are most likely to contain
/// what is near the point. `positions` are those of the point, in slots that are one wide.
pub fn buckets(positions: [f32; FUNCTIONS]) -> impl Iterator<Item = Slots> {
    let home = positions.map(|position| position.floor() as i32);
    let mut steps = steps(positions);
    steps.sort_unstable();
    // Sets of steps, as bits, whose sums of squares are the keys. The first one is the cheapest step.
    let mut heap = BinaryHeap::from([Reverse((steps[0].square, 1_u32))]);
    let next = move || {
        loop {
            let Reverse((square, set)) = heap.pop()?;
            let last = set.ilog2() as usize;
            if let Some(next) = steps.get(last + 1) {
                // The last step is exchanged for the next one, or the next one is added.
                heap.push(Reverse((square - steps[last].square + next.square, set + (1 << last))));
                heap.push(Reverse((square + next.square, set | 2 << last)));
            }
            if let Some(slots) = stepped(home, &steps, set) {
                return Some(slots);
            }
        }
    };
    std::iter::once(home).chain(std::iter::from_fn(next))
}

/// A step to the slot beside that of the point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    /// The square of the distance to that slot.
    square: u32,
    function: usize,
    side: i32,
}

/// All steps, to either side.
fn steps(positions: [f32; FUNCTIONS]) -> [Step; 2 * FUNCTIONS] {
    std::array::from_fn(|number| {
        let (function, is_up) = (number / 2, number % 2 == 1);
        let part = positions[function] - positions[function].floor();
        let (distance, side) = if is_up { (1.0 - part, 1) } else { (part, -1) };
        Step { square: ((FINE * distance) as u32).pow(2), function, side }
    })
}

/// The bucket after these steps, unless two of them are to both sides of a slot.
fn stepped(mut slots: Slots, steps: &[Step], set: u32) -> Option<Slots> {
    let mut functions = 0;
    for step in (0..steps.len()).filter(|step| set >> step & 1 == 1).map(|step| steps[step]) {
        if functions >> step.function & 1 == 1 {
            return None;
        }
        functions |= 1 << step.function;
        slots[step.function] += step.side;
    }
    Some(slots)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The sum of the squares of the distances to a bucket, in the same parts.
    fn square(positions: [f32; FUNCTIONS], bucket: Slots) -> u32 {
        let home = positions.map(|position| position.floor() as i32);
        steps(positions)
            .into_iter()
            .filter(|step| bucket[step.function] == home[step.function] + step.side)
            .map(|step| step.square)
            .sum()
    }

    #[test]
    fn the_likeliest_buckets_come_first_and_each_once() {
        let positions = [0.1, 3.25, -1.5, 7.9, -0.2, 2.6];
        let all: Vec<_> = buckets(positions).collect();
        assert_eq!(all[0], [0, 3, -2, 7, -1, 2]);
        // The nearest border is that of the fourth function.
        assert!(all[1] == [0, 3, -2, 8, -1, 2] || all[1] == [-1, 3, -2, 7, -1, 2], "{:?}", all[1]);
        assert!(all.is_sorted_by_key(|bucket| square(positions, *bucket)));
        // To no side, to the one or to the other, for each function.
        assert_eq!(all.len(), 3_usize.pow(FUNCTIONS as u32));
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }

    #[test]
    fn a_point_on_a_border_is_in_one_bucket() {
        let all: Vec<_> = buckets([2.0; FUNCTIONS]).take(2).collect();
        assert_eq!((all[0], all[1].iter().sum::<i32>()), ([2; FUNCTIONS], 2 * FUNCTIONS as i32 - 1));
    }
}
