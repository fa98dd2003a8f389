//! The transactions, the same in every run.

use std::sync::Arc;
use std::time::Instant;

use crate::streams::Rate;

use crate::chance::Chance;
use crate::streams::Paced;

/// The number of states.
pub const STATES: usize = 18;

/// One customer in this many is a planted fraud.
const PLANTED: u32 = 64;

/// One transaction in this many carries a time stamp.
const STAMPED: usize = 64;

/// A transaction.
#[derive(Clone, Copy, Debug)]
pub struct Transaction {
    /// The customer.
    pub key: u32,
    /// When it left its source, in microseconds since the setting was made; 0 if it has no time stamp.
    pub stamp: u32,
    /// Its state.
    pub state: u8,
}

impl Transaction {
    /// Returns `true` if its customer is a planted fraud.
    pub fn is_planted(&self) -> bool {
        self.key % PLANTED == PLANTED - 1
    }
}

/// The number of customers: about a hundred transactions each.
pub fn customers(items: u64) -> usize {
    items.div_ceil(100) as usize
}

/// The transactions of a source, as they become due. Some of them get a time stamp, in microseconds from
/// `begin`.
pub fn stamped(
    share: Arc<[Transaction]>,
    rate: Option<Rate>,
    begin: Instant,
) -> impl Iterator<Item = Transaction> + Send + 'static {
    let places = 0..share.len();
    Paced::new(places, rate).map(move |which| {
        let mut one = share[which];
        if which % STAMPED == 0 {
            one.stamp = (begin.elapsed().as_micros() as u32).max(1);
        }
        one
    })
}

/// The transactions of each source, in order. A customer belongs to one source.
pub fn transactions(items: u64, sources: usize) -> Vec<Arc<[Transaction]>> {
    let (mut chance, customers) = (Chance::new(17), customers(items) as u64);
    let mut shares = vec![Vec::new(); sources];
    for _ in 0..items {
        let mut one = Transaction { key: chance.below(customers) as u32, stamp: 0, state: 0 };
        one.state =
            if one.is_planted() { chance.below(STATES as u64) as u8 } else { usual_state(&mut chance) };
        shares[one.key as usize % sources].push(one);
    }
    shares.into_iter().map(Arc::from).collect()
}

/// A state of an honest customer: a small, middle or large amount; usual or expensive goods; and a short,
/// middle or long time since the last purchase. In percent, as `DSPBench` generates them.
fn usual_state(chance: &mut Chance) -> u8 {
    let mut among = |percent: &[u64]| {
        let drawn = chance.below(100);
        let sums = percent.iter().scan(0, |sum, part| {
            *sum += part;
            Some(*sum)
        });
        sums.take_while(|sum| *sum <= drawn).count() as u8
    };
    let (amount, goods, elapsed) = (among(&[35, 53, 12]), among(&[85, 15]), among(&[35, 45, 20]));
    (amount * 2 + goods) * 3 + elapsed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_skewed_and_customers_have_one_source() {
        let shares = transactions(200_000, 3);
        assert_eq!(shares.iter().map(|share| share.len()).sum::<usize>(), 200_000);
        let mut seen = [0.0; STATES];
        for (source, share) in shares.iter().enumerate() {
            assert!(share.iter().all(|one| one.key as usize % 3 == source));
            share.iter().filter(|one| !one.is_planted()).for_each(|one| seen[usize::from(one.state)] += 1.0);
        }
        let share = |state: usize| seen[state] / seen.iter().sum::<f64>();
        // Small, usual, short; and large, expensive, long.
        assert!((share(0) - 0.35 * 0.85 * 0.35).abs() < 0.01, "{seen:?}");
        assert!((share(17) - 0.12 * 0.15 * 0.20).abs() < 0.001, "{seen:?}");
    }
}
