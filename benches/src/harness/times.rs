//! The times of one contender, and what follows from them.

use serde_json::{Map, Value};

/// The times of one contender, in seconds, shortest first.
#[derive(Debug)]
pub struct Times {
    /// The contender.
    pub contender: &'static str,
    seconds: Vec<f64>,
    figures: Map<String, Value>,
}

impl Times {
    /// The times of a contender; `runs` holds the time and the figures of each of its runs.
    pub fn new(contender: &'static str, mut runs: Vec<(f64, Map<String, Value>)>) -> Times {
        runs.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let seconds = runs.iter().map(|(time, _)| *time).collect();
        let figures = runs.swap_remove((runs.len() - 1) / 2).1;
        Times { contender, seconds, figures }
    }

    /// The figures that the program reports of the median run.
    pub fn figures(&self) -> &Map<String, Value> {
        &self.figures
    }

    /// The shortest time.
    pub fn min(&self) -> f64 {
        self.seconds[0]
    }

    /// The longest time.
    pub fn max(&self) -> f64 {
        self.seconds[self.seconds.len() - 1]
    }

    /// The middle time, or the mean of the middle two.
    pub fn median(&self) -> f64 {
        let middle = self.seconds.len() / 2;
        if self.seconds.len() % 2 == 1 {
            self.seconds[middle]
        } else {
            (self.seconds[middle - 1] + self.seconds[middle]) / 2.0
        }
    }

    /// The mean time.
    pub fn mean(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len() as f64
    }

    /// The standard deviation of a run, if there are at least two.
    pub fn deviation(&self) -> Option<f64> {
        let (mean, others) = (self.mean(), self.seconds.len() - 1);
        let squares: f64 = self.seconds.iter().map(|time| (time - mean).powi(2)).sum();
        (others > 0).then(|| (squares / others as f64).sqrt())
    }

    /// Half the width of the interval around the mean that contains the true mean with a confidence of 95 %,
    /// if the times are distributed normally.
    pub fn confidence(&self) -> Option<f64> {
        let runs = self.seconds.len();
        self.deviation().map(|deviation| student(runs - 1) * deviation / (runs as f64).sqrt())
    }
}

/// The factor that 97.5 % of Student's distribution with this many degrees of freedom do not exceed: from the
/// usual table, and behind its end by an approximation to two digits.
///
/// Student, The probable error of a mean (1908).
fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048,
        2.045, 2.042,
    ];
    TABLE.get(freedom - 1).copied().unwrap_or(1.96 + 2.4 / freedom as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_two() {
        let times = Times::new("any", vec![4.0, 1.0, 3.0, 2.0].into_iter().map(run).collect());
        assert_eq!((times.min(), times.median(), times.max()), (1.0, 2.5, 4.0));
        assert_eq!(times.figures()["time"], 2.0);
        let times = Times::new("any", vec![9.0, 1.0, 2.0].into_iter().map(run).collect());
        assert_eq!((times.median(), &times.figures()["time"]), (2.0, &2.0.into()));
    }

    #[test]
    fn the_mean_has_an_interval() {
        let times = Times::new("any", vec![1.0, 2.0, 3.0].into_iter().map(run).collect());
        assert_eq!((times.mean(), times.deviation()), (2.0, Some(1.0)));
        let half = times.confidence().expect("there are three");
        assert!((half - 4.303 / 3.0_f64.sqrt()).abs() < 1e-9, "{half}");
        let times = Times::new("any", vec![run(5.0)]);
        assert_eq!((times.mean(), times.deviation(), times.confidence()), (5.0, None, None));
        assert!((student(40) - 2.021).abs() < 0.005 && (student(120) - 1.98).abs() < 0.005);
    }

    /// A run that reports its time a second time.
    fn run(time: f64) -> (f64, Map<String, Value>) {
        (time, Map::from_iter([("time".to_owned(), time.into())]))
    }
}
