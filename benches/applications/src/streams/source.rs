//! The source of a run: items as they become due, alone or in batches.

use std::time::{Duration, Instant};

use super::gauge::Gauge;
use super::pace::{Due, Paced, sleep_until};
use super::parcel::Parcel;
use super::rate::Rate;

/// When items leave the source, and how many together.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The rate of the items; without one, the source does not wait.
    pub rate: Option<Rate>,
    /// The most items in a batch.
    pub batch: usize,
    /// The time after which an incomplete batch leaves.
    pub interval: Option<Duration>,
}

/// The items of a flow, with numbers and time stamps.
#[derive(Debug)]
pub struct Parcels<I: Iterator> {
    items: Paced<I>,
    batch: usize,
    interval: Option<Duration>,
    gauge: Gauge,
    number: u32,
    /// An item that was too late for the batch before it.
    late: Option<Due<I::Item>>,
}

impl<I: Iterator> Parcels<I> {
    /// All of these items.
    pub fn new(items: I, timing: Timing, gauge: Gauge) -> Parcels<I> {
        let Timing { rate, batch, interval } = timing;
        Parcels { items: Paced::new(items, rate), batch, interval, gauge, number: 0, late: None }
    }

    /// The next items until the batch is full, or its time is over, or nothing is left. Its time stamp is
    /// that of the first item. A source that is asked for its next item cannot be interrupted; but where
    /// there is a schedule, a batch does not wait for an item that is due after its time.
    #[inline(never)]
    fn next_batch(&mut self, number: u32) -> Option<Parcel<I::Item>> {
        let (item, due) = self.due()?;
        sleep_until(due);
        self.gauge.left(number);
        let close = self.interval.map(|interval| Instant::now() + interval);
        let mut batch = Vec::with_capacity(self.batch.min(1024));
        batch.push(item);
        while batch.len() < self.batch && close.is_none_or(|close| Instant::now() < close) {
            let Some((item, due)) = self.due() else { break };
            if close.zip(due).is_some_and(|(close, due)| due > close) {
                sleep_until(close);
                self.late = Some((item, due));
                break;
            }
            sleep_until(due);
            batch.push(item);
        }
        Some(Parcel::Batch { number, items: Box::new(batch) })
    }

    fn due(&mut self) -> Option<Due<I::Item>> {
        self.late.take().or_else(|| self.items.due())
    }
}

impl<I: Iterator> Iterator for Parcels<I> {
    type Item = Parcel<I::Item>;

    #[inline]
    fn next(&mut self) -> Option<Parcel<I::Item>> {
        let number = self.number;
        self.number = number.wrapping_add(1);
        if self.batch > 1 {
            return self.next_batch(number);
        }
        let item = self.items.next()?;
        if self.gauge.is_on() {
            self.gauge.left(number);
        }
        Some(Parcel::One { number, item })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(timing: Timing) -> Vec<u64> {
        Parcels::new(0..10, timing, Gauge::default()).map(|parcel| parcel.len()).collect()
    }

    #[test]
    fn batches_are_full_or_the_last() {
        let of = |batch| sizes(Timing { rate: None, batch, interval: None });
        assert_eq!(of(1), [1; 10]);
        assert_eq!(of(4), [4, 4, 2]);
        assert_eq!(of(usize::MAX), [10]);
    }

    #[test]
    fn a_batch_whose_time_is_over_leaves_before_the_next_item_is_due() {
        let rate = Some(Rate::Constant(100.0));
        let interval = Some(Duration::ZERO);
        assert_eq!(sizes(Timing { rate, batch: usize::MAX, interval }), [1; 10]);
    }
}
