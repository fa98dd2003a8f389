//! Code shared by the programs about streams of items: their sizes, the pools, and the order of the results.

mod digest;
mod md5;
mod pools;
pub mod reorder;
mod scale;
mod watch;

pub use digest::Digest;
pub use md5::Checksum;
pub use pools::Pools;
#[cfg(test)]
pub use scale::Class;
pub use scale::Scale;
pub use watch::Watch;

/// The number of items that a queue between two stages holds, and how far a library that keeps the order may
/// run ahead.
pub const WINDOW: usize = 512;

#[cfg(test)]
mod tests {
    use super::reorder::Reorder;

    // The test is in this file because the lines of `reorder.rs` are counted.
    #[test]
    fn items_come_out_in_the_order_of_their_numbers() {
        let mut order = Reorder::new();
        let turns: Vec<Vec<u64>> =
            [2, 0, 1, 5, 4, 3].map(|number| order.put(number, number).collect()).into();
        assert_eq!(turns, [vec![], vec![0], vec![1, 2], vec![], vec![], vec![3, 4, 5]]);
    }
}
