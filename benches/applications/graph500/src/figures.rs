//! The output block of the Graph500 specification.

use serde_json::{Map, Value};

/// What was searched, and how fast.
#[derive(Debug)]
pub struct Figures<'a> {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of edges of the input.
    pub edges: usize,
    /// The seconds of kernel 1.
    pub construction: f64,
    /// The seconds of each search.
    pub seconds: &'a [f64],
    /// The number of edges that each search has traversed.
    pub traversed: &'a [u64],
}

impl Figures<'_> {
    /// The block: all names with their values, in the order of the specification.
    pub fn block(&self) -> Map<String, Value> {
        let mut block = Map::new();
        let mut put = |name: &str, value: Value| block.insert(name.to_owned(), value);
        put("SCALE", self.vertices.checked_ilog2().into());
        put("edgefactor", number(self.edges as f64 / self.vertices as f64));
        put("NBFS", self.seconds.len().into());
        put("construction_time", self.construction.into());
        let traversed: Vec<f64> = self.traversed.iter().map(|edges| *edges as f64).collect();
        let rates: Vec<f64> = self.seconds.iter().zip(&traversed).map(|(time, edges)| edges / time).collect();
        for (name, values) in [("time", self.seconds), ("nedge", &traversed), ("TEPS", &rates)] {
            for (order, value) in
                ["min", "firstquartile", "median", "thirdquartile", "max"].into_iter().zip(orders(values))
            {
                put(&format!("{order}_{name}"), number(value));
            }
            let (kind, (mean, deviation)) =
                if name == "TEPS" { ("harmonic_", harmonic(values)) } else { ("", arithmetic(values)) };
            put(&format!("{kind}mean_{name}"), number(mean));
            put(&format!("{kind}stddev_{name}"), number(deviation));
        }
        block
    }
}

/// A number, without a fraction if it is whole.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { (value as i64).into() } else { value.into() }
}

/// The minimum, the quartiles with the median between them, and the maximum.
fn orders(values: &[f64]) -> [f64; 5] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    // A quartile lies between the two places that are nearest to it from below and from above.
    let between = |one: usize, other: usize| f64::midpoint(sorted[one], sorted[other]);
    [
        sorted[0],
        between((n - 1) / 4, n / 4),
        between((n - 1) / 2, n / 2),
        between(n - 1 - (n - 1) / 4, n - 1 - n / 4),
        sorted[n - 1],
    ]
}

/// The mean, and the standard deviation of a sample, which is zero for a single value.
fn arithmetic(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 })
}

/// The harmonic mean, and its counterpart of the standard deviation.
fn harmonic(rates: &[f64]) -> (f64, f64) {
    let times: Vec<f64> = rates.iter().map(|rate| 1.0 / rate).collect();
    let (mean, deviation) = arithmetic(&times);
    let n = rates.len() as f64;
    (1.0 / mean, if n > 1.0 { deviation / (mean * mean * (n - 1.0).sqrt()) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_where_the_specification_has_them() {
        assert_eq!(orders(&[5.0, 1.0, 3.0, 2.0, 4.0]), [1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(orders(&[4.0, 1.0, 3.0, 2.0]), [1.0, 1.5, 2.5, 3.5, 4.0]);
        assert_eq!(orders(&[7.0]), [7.0; 5]);
        let sixty_four: Vec<f64> = (0..64).map(f64::from).collect();
        assert_eq!(orders(&sixty_four), [0.0, 15.5, 31.5, 47.5, 63.0]);
    }

    #[test]
    fn means_and_deviations_are_those_of_samples() {
        assert_eq!(arithmetic(&[2.0, 4.0, 6.0]), (4.0, 2.0));
        assert_eq!(arithmetic(&[3.0]), (3.0, 0.0));
        // The times are 1, 1/2 and 1/4. Their mean is 7/12. The deviation of the rates is that of the times,
        // divided by the square of the mean and by √2.
        let (mean, deviation) = harmonic(&[1.0, 2.0, 4.0]);
        assert!((mean - 12.0 / 7.0).abs() < 1e-12, "{mean}");
        let (_, of_times) = arithmetic(&[1.0, 0.5, 0.25]);
        assert!((deviation - of_times * (144.0 / 49.0) / 2_f64.sqrt()).abs() < 1e-12, "{deviation}");
        assert_eq!(harmonic(&[5.0]), (5.0, 0.0));
    }

    #[test]
    fn the_block_has_every_line_in_order() {
        let figures = Figures {
            vertices: 16,
            edges: 256,
            construction: 0.5,
            seconds: &[0.5, 0.25],
            traversed: &[200, 200],
        };
        let block = figures.block();
        let names: Vec<&str> = block.keys().map(String::as_str).collect();
        assert_eq!(
            names[..6],
            ["SCALE", "edgefactor", "NBFS", "construction_time", "min_time", "firstquartile_time"]
        );
        assert_eq!(names[9..11], ["mean_time", "stddev_time"]);
        assert_eq!(names[23..], ["harmonic_mean_TEPS", "harmonic_stddev_TEPS"]);
        assert_eq!(
            (&block["SCALE"], &block["edgefactor"], &block["NBFS"]),
            (&4.into(), &16.into(), &2.into())
        );
        assert_eq!(
            (&block["min_nedge"], &block["min_TEPS"], &block["max_TEPS"]),
            (&200.into(), &400.into(), &800.into())
        );
        assert!((block["harmonic_mean_TEPS"].as_f64().expect("a number") - 1600.0 / 3.0).abs() < 1e-9);
    }
}
