//! Stages that only take time: as much as those of the original took where they were measured.

use pipes_benches::work::{mix, steps_per_microsecond};

/// Microseconds of source, segmentation, extraction, vectorization, ranking and sink, one thread, as measured
/// for SPBench.
const MICROSECONDS: [u32; 6] = [1064, 2749, 318, 3945, 10_126, 15];

/// Work that takes each stage its time on this machine.
#[derive(Debug)]
pub struct Costs([u64; MICROSECONDS.len()]);

impl Costs {
    /// Measures how much work that is.
    pub fn new() -> Costs {
        let steps = steps_per_microsecond();
        Costs(MICROSECONDS.map(|time| (f64::from(time) * steps) as u64))
    }

    /// What the source makes of the number of a query.
    pub fn source(&self, number: u64) -> u64 {
        mix(number, self.0[0])
    }

    /// What a stage makes of a number.
    pub fn stage(&self, stage: usize, number: u64) -> u64 {
        mix(number, self.0[1 + stage])
    }

    /// What the sink makes of it.
    pub fn sink(&self, number: u64) -> u64 {
        mix(number, self.0[MICROSECONDS.len() - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranking_does_more_than_half_of_the_work() {
        let Costs(steps) = Costs::new();
        assert!(2 * steps[4] > steps.iter().sum() && steps[5] < steps[0] / 50);
        let costs = Costs([1, 2, 3, 4, 5, 6]);
        assert_eq!(costs.source(9), mix(9, 1));
        assert_eq!([0, 3].map(|stage| costs.stage(stage, 9)), [mix(9, 2), mix(9, 5)]);
        assert_eq!(costs.sink(9), mix(9, 6));
    }
}
