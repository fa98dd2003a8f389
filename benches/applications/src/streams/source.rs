//! The source of a run: items as they become due, alone or in batches.

use std::thread;
use std::time::{Duration, Instant};

use pipes::skeleton::Rate;

use super::gauge::Gauge;
use super::parcel::{Load, Parcel};

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

impl Timing {
    /// Whether each item travels alone.
    fn is_one_by_one(&self) -> bool {
        self.batch == 1
    }
}

/// An item, and when it is due, if there is a schedule.
type Due<T> = (T, Option<Instant>);

/// The items of a flow, with numbers and time stamps. The schedule is absolute: if the source is late, or the
/// stages behind it are, the next items come faster until the delay is made up.
#[derive(Debug)]
pub struct Parcels<I: Iterator> {
    items: I,
    timing: Timing,
    gauge: Gauge,
    number: u32,
    /// When the first item was requested.
    begin: Option<Instant>,
    /// When the last item was due, in seconds since then.
    last: f64,
    /// An item that was too late for the batch before it.
    late: Option<Due<I::Item>>,
}

impl<I: Iterator> Parcels<I> {
    /// All of these items.
    pub fn new(items: I, timing: Timing, gauge: Gauge) -> Parcels<I> {
        Parcels { items, timing, gauge, number: 0, begin: None, last: 0.0, late: None }
    }

    /// The next item, and when it is due.
    fn due(&mut self) -> Option<Due<I::Item>> {
        if let Some(late) = self.late.take() {
            return Some(late);
        }
        let item = self.items.next()?;
        let Some(rate) = &self.timing.rate else { return Some((item, None)) };
        let begin = *self.begin.get_or_insert_with(Instant::now);
        self.last = rate.next_after(self.last).unwrap_or(self.last);
        Some((item, Some(begin + Duration::from_secs_f64(self.last))))
    }

    /// The next item, alone.
    #[inline]
    fn one(&mut self) -> Option<(u32, Load<I::Item>)> {
        let item = if self.timing.rate.is_none() { self.items.next() } else { self.one_in_time() }?;
        Some((self.gauge.stamp(), Load::One(item)))
    }

    /// The next item, when it is due.
    #[inline(never)]
    fn one_in_time(&mut self) -> Option<I::Item> {
        let (item, due) = self.due()?;
        sleep_until(due);
        Some(item)
    }

    /// The next items until the batch is full, or its time is over, or nothing is left. Its time stamp is
    /// that of the first item. A source that is asked for its next item cannot be interrupted; but where
    /// there is a schedule, a batch does not wait for an item that is due after its time.
    #[inline(never)]
    fn batch(&mut self) -> Option<(u32, Load<I::Item>)> {
        let (item, due) = self.due()?;
        sleep_until(due);
        let stamp = self.gauge.stamp();
        let close = self.timing.interval.map(|interval| Instant::now() + interval);
        let mut batch = Vec::with_capacity(self.timing.batch.min(1024));
        batch.push(item);
        while batch.len() < self.timing.batch && close.is_none_or(|close| Instant::now() < close) {
            let Some((item, due)) = self.due() else { break };
            if close.zip(due).is_some_and(|(close, due)| due > close) {
                sleep_until(close);
                self.late = Some((item, due));
                break;
            }
            sleep_until(due);
            batch.push(item);
        }
        Some((stamp, Load::Batch(Box::new(batch))))
    }
}

impl<I: Iterator> Iterator for Parcels<I> {
    type Item = Parcel<I::Item>;

    #[inline]
    fn next(&mut self) -> Option<Parcel<I::Item>> {
        let (born, load) = if self.timing.is_one_by_one() { self.one() } else { self.batch() }?;
        let number = self.number;
        self.number = number.wrapping_add(1);
        Some(Parcel { number, born, load })
    }
}

fn sleep_until(due: Option<Instant>) {
    if let Some(due) = due {
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(timing: Timing) -> Vec<u64> {
        Parcels::new(0..10, timing, Gauge::default()).map(|parcel| parcel.load.len()).collect()
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

    #[test]
    fn the_schedule_is_absolute() {
        let timing = Timing { rate: Some(Rate::Constant(1000.0)), batch: 1, interval: None };
        let mut parcels = Parcels::new(0..10, timing, Gauge::default());
        let dues: Vec<_> = std::iter::from_fn(|| parcels.due()).filter_map(|(_, due)| due).collect();
        let begin = parcels.begin.expect("it has begun");
        for (number, due) in (1..).zip(dues) {
            let after = (due - begin).as_secs_f64();
            assert!((after - 0.001 * f64::from(number)).abs() < 1e-8, "{number}: {after}");
        }
    }
}
