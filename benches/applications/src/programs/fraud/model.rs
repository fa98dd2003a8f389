//! The Markov model, and the predictors that score customers with it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use super::transactions::{STATES, Transaction};
use crate::streams::Gauge;

/// A score above this one is passed on.
const SUSPICIOUS: f64 = 0.96;

/// For each state, and each state that may follow it, the probability that another one follows.
#[derive(Debug)]
pub struct Model([[f64; STATES]; STATES]);

impl Model {
    /// Counts which state follows which one for the same customer.
    pub fn trained<'a>(transactions: impl Iterator<Item = &'a Transaction>, customers: usize) -> Model {
        let mut last: Vec<Option<u8>> = vec![None; customers];
        let mut counts = [[0_u64; STATES]; STATES];
        for one in transactions {
            if let Some(before) = last[one.key as usize].replace(one.state) {
                counts[usize::from(before)][usize::from(one.state)] += 1;
            }
        }
        Model(counts.map(|row| {
            // A state that nothing has followed yet may be followed by any one.
            let all = row.iter().sum::<u64>().max(1) as f64;
            row.map(|count| 1.0 - count as f64 / all)
        }))
    }
}

/// A transaction that is passed on.
#[derive(Clone, Copy, Debug)]
pub struct Outlier {
    /// The customer.
    pub key: u32,
    /// The number of earlier transactions of that customer.
    pub position: u32,
    /// The time stamp of the transaction.
    pub stamp: u32,
    /// Its score.
    pub score: f64,
}

/// The customers of one predictor.
#[derive(Debug)]
pub struct Predictor {
    model: Arc<Model>,
    window: usize,
    gauge: Gauge,
    customers: HashMap<u32, Customer>,
}

/// What a predictor remembers of a customer.
#[derive(Debug, Default)]
struct Customer {
    transactions: u32,
    /// The last states, oldest first.
    states: Vec<u8>,
}

impl Predictor {
    /// A predictor that scores the last `window` states.
    pub fn new(model: Arc<Model>, window: usize, gauge: Gauge) -> Predictor {
        Predictor { model, window, gauge, customers: HashMap::new() }
    }

    /// Records a transaction, and returns it if its score is suspicious.
    #[inline]
    pub fn scored(&mut self, one: Transaction) -> Option<Outlier> {
        if !self.gauge.is_on() {
            return self.score(one);
        }
        let begun = Instant::now();
        let outlier = self.score(one);
        self.gauge.worked(0, begun);
        self.gauge.passed(1);
        outlier
    }

    fn score(&mut self, Transaction { key, stamp, state }: Transaction) -> Option<Outlier> {
        let customer = self.customers.entry(key).or_default();
        let position = customer.transactions;
        customer.transactions += 1;
        if customer.states.len() == self.window {
            customer.states.remove(0);
        }
        customer.states.push(state);
        if customer.states.len() < self.window {
            return None;
        }
        let steps = customer.states.windows(2);
        let sum: f64 = steps.map(|step| self.model.0[usize::from(step[0])][usize::from(step[1])]).sum();
        let score = sum / (self.window - 1) as f64;
        (score > SUSPICIOUS).then_some(Outlier { key, position, stamp, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_happened_is_suspicious() {
        let of = |state| Transaction { key: 0, stamp: 0, state };
        let usual: Vec<_> = (0..100).map(|number| of(number % 2)).collect();
        let model = Arc::new(Model::trained(usual.iter(), 1));
        let mut predictor = Predictor::new(model, 3, Gauge::default());
        assert!(usual.iter().all(|one| predictor.scored(*one).is_none()));
        assert!(predictor.scored(of(5)).is_none(), "one usual step, and an unknown one");
        let outlier = predictor.scored(of(5)).expect("two unknown steps");
        assert_eq!((outlier.key, outlier.position, outlier.score), (0, 101, 1.0));
    }
}
