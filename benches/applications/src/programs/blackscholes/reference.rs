//! The reference for all prices: computed in double precision, with the normal distribution computed
//! differently.

use super::formula::Offer;

/// The value of the option.
pub fn price(offer: &Offer) -> f64 {
    let [spot, strike, rate, volatility, years] =
        [offer.spot, offer.strike, offer.rate, offer.volatility, offer.years].map(f64::from);
    let deviation = volatility * years.sqrt();
    let d1 = ((spot / strike).ln() + (rate + volatility * volatility / 2.0) * years) / deviation;
    let discounted = strike * (-rate * years).exp();
    let call = spot * normal(d1) - discounted * normal(d1 - deviation);
    // Put-call parity: a call minus a put is worth the share minus the discounted strike price.
    if offer.is_put { call - spot + discounted } else { call }
}

/// The normal distribution by the series x + x³/3 + x⁵/15 + …, in which each term is the previous one times
/// x² divided by the next odd number.
fn normal(x: f64) -> f64 {
    // So far out the series would lose all its digits, and the result differs from 0 or 1 by less than 1e-15.
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_is_that_of_the_tables() {
        let known = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.96, 0.024_997_895_148_220),
            (3.0, 0.998_650_101_968_370),
        ];
        for (x, due) in known {
            assert!((normal(x) - due).abs() < 1e-14, "{x}: {} instead of {due}", normal(x));
        }
        assert_eq!([normal(9.0), normal(-9.0)], [1.0, 0.0]);
    }

    #[test]
    fn the_prices_are_those_that_are_known() {
        let offer =
            |is_put| Offer { spot: 42.0, strike: 40.0, rate: 0.1, volatility: 0.2, years: 0.5, is_put };
        // Hull, Options, Futures, and Other Derivatives, gives 4.76 and 0.81.
        for (is_put, due) in [(false, 4.759_422), (true, 0.808_599)] {
            assert!((price(&offer(is_put)) - due).abs() < 2e-6, "{}", price(&offer(is_put)));
        }
    }
}
