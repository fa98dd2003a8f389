//! Items as they become due.

use std::thread;
use std::time::{Duration, Instant};

use super::rate::{Rate, Swing};

/// An item, and when it is due, if there is a schedule.
pub type Due<T> = (T, Option<Instant>);

/// Items on a schedule, if there is a rate. The schedule is absolute: if the source is late, or the stages
/// behind it are, the next items come faster until the delay is made up.
#[derive(Debug)]
pub struct Paced<I> {
    items: I,
    rate: Option<Rate>,
    /// When the first item was requested.
    begin: Option<Instant>,
    /// When the last item was due, in seconds since then.
    last: f64,
}

impl<I: Iterator> Paced<I> {
    /// These items at this rate.
    pub fn new(items: I, rate: Option<Rate>) -> Paced<I> {
        Paced { items, rate, begin: None, last: 0.0 }
    }

    /// The next item, and when it is due.
    pub fn due(&mut self) -> Option<Due<I::Item>> {
        let item = self.items.next()?;
        let Some(rate) = &self.rate else { return Some((item, None)) };
        let begin = *self.begin.get_or_insert_with(Instant::now);
        self.last = rate.next_after(self.last).unwrap_or(self.last);
        Some((item, Some(begin + Duration::from_secs_f64(self.last))))
    }

    /// The next item, when it is due.
    #[inline(never)]
    fn in_time(&mut self) -> Option<I::Item> {
        let (item, due) = self.due()?;
        sleep_until(due);
        Some(item)
    }
}

impl<I: Iterator> Iterator for Paced<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        if self.rate.is_none() { self.items.next() } else { self.in_time() }
    }
}

/// The rate of each of several sources, which have this rate together.
pub fn part_of(rate: Rate, sources: usize) -> Rate {
    let part = |rate: f64| rate / sources as f64;
    let swing = |swing: Swing| Swing { min: part(swing.min), max: part(swing.max), ..swing };
    match rate {
        Rate::Constant(rate) => Rate::Constant(part(rate)),
        Rate::Wave(it) => Rate::Wave(swing(it)),
        Rate::Binary(it) => Rate::Binary(swing(it)),
        Rate::Increasing(it) => Rate::Increasing(swing(it)),
        Rate::Decreasing(it) => Rate::Decreasing(swing(it)),
        Rate::Spike(it, percent) => Rate::Spike(swing(it), percent),
    }
}

/// Sleeps until then, if it is in the future.
pub fn sleep_until(due: Option<Instant>) {
    if let Some(due) = due {
        thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_is_absolute() {
        let mut items = Paced::new(0..10, Some(Rate::Constant(1000.0)));
        let dues: Vec<_> = std::iter::from_fn(|| items.due()).filter_map(|(_, due)| due).collect();
        let begin = items.begin.expect("it has begun");
        assert_eq!(dues.len(), 10);
        for (number, due) in (1..).zip(dues) {
            let after = (due - begin).as_secs_f64();
            assert!((after - 0.001 * f64::from(number)).abs() < 1e-8, "{number}: {after}");
        }
    }
}
