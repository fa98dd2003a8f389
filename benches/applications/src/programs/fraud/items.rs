//! What travels: one transaction at a time, or batches of transactions for the same predictor.

use super::model::{Outlier, Predictor};
use super::sink::Sink;
use super::transactions::Transaction;
use super::{Fraud, Setting};

/// One transaction at a time.
pub type One = Transaction;

/// Transactions in batches.
pub type Batch = Vec<Transaction>;

/// An item.
pub trait Item: Send + Sized + 'static {
    /// What a predictor passes on.
    type Out: Send + 'static;

    /// The items of each source.
    fn sources(fraud: &Fraud, at: &Setting) -> Vec<impl Iterator<Item = Self> + Send + 'static>;
    /// Its predictor, among this many.
    fn predictor(&self, predictors: usize) -> usize;
    /// Scores it, and returns what is passed on, if anything.
    fn scored(self, predictor: &mut Predictor) -> Option<Self::Out>;
    /// A customer in what is passed on. All of them have the same predictor.
    fn key(out: &Self::Out) -> usize;
    /// Gives what is passed on to a sink.
    fn sunk(out: Self::Out, sink: &mut Sink);
}

impl Item for One {
    type Out = Outlier;

    fn sources(_: &Fraud, at: &Setting) -> Vec<impl Iterator<Item = One> + Send + 'static> {
        at.transactions()
    }

    #[inline]
    fn predictor(&self, predictors: usize) -> usize {
        predictor(self.key, predictors)
    }

    #[inline]
    fn scored(self, predictor: &mut Predictor) -> Option<Outlier> {
        predictor.scored(self)
    }

    fn key(out: &Outlier) -> usize {
        out.key as usize
    }

    #[inline]
    fn sunk(out: Outlier, sink: &mut Sink) {
        sink.take(out);
    }
}

impl Item for Batch {
    type Out = Vec<Outlier>;

    fn sources(fraud: &Fraud, at: &Setting) -> Vec<impl Iterator<Item = Batch> + Send + 'static> {
        let (size, predictors) = (fraud.batch(), fraud.predictors());
        let sources = at.transactions().into_iter().map(|transactions| Collector {
            transactions,
            size,
            open: vec![Vec::new(); predictors],
        });
        sources.collect()
    }

    fn predictor(&self, predictors: usize) -> usize {
        self.first().map_or(0, |one| predictor(one.key, predictors))
    }

    fn scored(self, predictor: &mut Predictor) -> Option<Vec<Outlier>> {
        let outliers: Vec<_> = self.into_iter().filter_map(|one| predictor.scored(one)).collect();
        (!outliers.is_empty()).then_some(outliers)
    }

    fn key(out: &Vec<Outlier>) -> usize {
        out[0].key as usize
    }

    fn sunk(out: Vec<Outlier>, sink: &mut Sink) {
        out.into_iter().for_each(|outlier| sink.take(outlier));
    }
}

/// The predictor of a customer, among this many.
#[inline]
fn predictor(key: u32, predictors: usize) -> usize {
    key as usize % predictors
}

/// Collects transactions into a batch for each predictor.
struct Collector<I> {
    transactions: I,
    size: usize,
    open: Vec<Batch>,
}

impl<I: Iterator<Item = One>> Iterator for Collector<I> {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let predictors = self.open.len();
        for one in &mut self.transactions {
            let batch = &mut self.open[one.predictor(predictors)];
            batch.push(one);
            if batch.len() == self.size {
                return Some(std::mem::replace(batch, Vec::with_capacity(self.size)));
            }
        }
        let last = self.open.iter_mut().find(|batch| !batch.is_empty())?;
        Some(std::mem::take(last))
    }
}
