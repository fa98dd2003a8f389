//! The options with their prices, and a block of both.

use std::hint::black_box;

use super::formula::Offer;
use super::reference;
use crate::kernels::{Part, lengths};

/// The options to price: a set of options, repeated.
#[derive(Debug)]
pub struct Portfolio {
    offers: Vec<Offer>,
    prices: Vec<f32>,
    /// The expected prices of the set.
    due: Vec<f64>,
}

/// Some of the options, and the places for their prices.
#[derive(Debug)]
pub struct Block<'a> {
    offers: &'a [Offer],
    prices: &'a mut [f32],
}

/// The number of options in the set.
const SET: usize = 1000;

/// The largest error allowed in a price.
const TOLERANCE: f64 = 1e-4;

impl Portfolio {
    /// A portfolio of `size` options.
    pub fn of_size(size: usize) -> Portfolio {
        let set: Vec<_> = (0..SET.min(size) as u16).map(of_set).collect();
        let due = set.iter().map(reference::price).collect();
        Portfolio { offers: set.into_iter().cycle().take(size).collect(), prices: vec![f32::NAN; size], due }
    }

    /// Divides the options and their prices into blocks.
    pub fn parts(&mut self, count: usize) -> Vec<Block<'_>> {
        let (mut offers, mut prices) = (&self.offers[..], &mut self.prices[..]);
        let part = |length| Block {
            offers: offers.split_off(..length).unwrap_or_default(),
            prices: prices.split_off_mut(..length).unwrap_or_default(),
        };
        lengths(self.offers.len(), count).map(part).collect()
    }

    /// Sets the prices from these bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Option<()> {
        let (prices, rest) = bytes.as_chunks();
        if !rest.is_empty() || prices.len() != self.prices.len() {
            return None;
        }
        self.prices.iter_mut().zip(prices).for_each(|(to, from)| *to = f32::from_ne_bytes(*from));
        Some(())
    }

    /// Reports a price that is wrong, if any, and clears the prices.
    pub fn verify(&mut self) -> Result<(), String> {
        for (at, (price, due)) in self.prices.iter_mut().zip(self.due.iter().cycle()).enumerate() {
            let off = (f64::from(*price) - due).abs();
            // A price that was not written is NaN, and so is its difference from the expected one.
            if off.is_nan() || off >= TOLERANCE {
                return Err(format!("option {at} is priced at {price} instead of {due:.6}"));
            }
            *price = f32::NAN;
        }
        Ok(())
    }
}

impl Part for Block<'_> {
    fn work(&mut self) -> f64 {
        price_all(black_box(self.offers), black_box(self.prices));
        self.prices.len() as f64
    }
}

/// Prices options. Compiled once, for all contenders.
#[inline(never)]
fn price_all(offers: &[Offer], prices: &mut [f32]) {
    for (offer, price) in offers.iter().zip(prices) {
        *price = offer.price();
    }
}

/// Option number `which` of the set; each field has a different period.
fn of_set(which: u16) -> Offer {
    Offer {
        spot: step(40.0, 120.0, which * 7 % 41, 41),
        strike: step(40.0, 120.0, which * 11 % 37, 37),
        rate: step(0.02, 0.1, which * 5 % 9, 9),
        volatility: step(0.1, 0.65, which * 3 % 23, 23),
        years: step(0.05, 1.0, which * 13 % 31, 31),
        is_put: which % 2 == 1,
    }
}

/// Value number `which` of `count` equidistant values, of which the first and the last are given.
fn step(first: f32, last: f32, which: u16, count: u16) -> f32 {
    first + (last - first) * f32::from(which) / f32::from(count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_options_are_priced_in_any_blocks_and_then_forgotten() {
        for count in [1, 2, 3, 7, 3000] {
            let mut portfolio = Portfolio::of_size(2500);
            let priced = portfolio.parts(count).iter_mut().map(Part::work).sum::<f64>();
            assert_eq!((portfolio.verify(), priced), (Ok(()), 2500.0), "{count}");
            let told = portfolio.verify().expect_err("the prices were forgotten");
            assert!(told.starts_with("option 0 is priced at NaN instead of"), "{told}");
        }
    }
}
