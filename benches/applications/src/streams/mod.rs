//! The stream suite: what its programs share.
//!
//! ```text
//! a program ──► suite (options, contenders, verification) ──► contenders (one file each)
//!     │                                                            │
//!     └─► flow (source, stages, sink) ◄── setting (shape, farms) ◄─┘
//!                                            └─► source, parcel, gauge
//! ```
//!
//! A program implements [`Stream`] for its options and [`Flow`] for what flows; the contenders are written
//! once, for any flow.

mod contenders;
mod digest;
mod flow;
mod gauge;
mod md5;
pub mod memory;
mod observer;
mod options;
mod pace;
mod parcel;
pub mod points;
mod pools;
mod rate;
mod reorder;
mod scale;
mod setting;
mod shape;
mod source;
mod steps;
mod suite;
mod trial;

pub use digest::Digest;
pub use flow::{Flow, WINDOW};
pub use gauge::Gauge;
pub use md5::Checksum;
pub use observer::{Observer, Ran};
pub use pace::{Paced, part_of};
pub use pools::Pools;
pub use rate::Rate;
pub use reorder::Reorder;
pub use scale::{Class, Scale};
use setting::Setting;
pub use shape::Shape;
pub use steps::Steps;
pub use suite::{Prepared, Stream, Suite};
#[cfg(test)]
pub use suite::{answer, answers};
pub use trial::Trial;

#[cfg(test)]
mod tests {
    use super::reorder::Reorder;

    // The test is in this file because the lines of `reorder.rs` are counted.
    #[test]
    fn items_come_out_in_the_order_of_their_numbers() {
        let mut order = Reorder::new();
        let turns: Vec<Vec<u32>> =
            [2, 0, 1, 5, 4, 3].map(|number| order.put(number, number).collect()).into();
        assert_eq!(turns, [vec![], vec![0], vec![1, 2], vec![], vec![], vec![3, 4, 5]]);
    }
}
