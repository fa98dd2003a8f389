//! The points of an experiment with a program: the values of the one option that varies.

use pipes_benches::harness::Experiment;

use super::Steps;

/// An option that may have several values.
pub struct Swept<P> {
    /// Its name.
    pub option: &'static str,
    /// Its values.
    pub values: Vec<u64>,
    /// How a value is printed.
    pub print: fn(u64) -> String,
    /// The program with one of them.
    pub with: fn(&P, u64) -> P,
}

impl<P> Swept<P> {
    /// An option whose values are numbers.
    pub fn numbers(option: &'static str, values: Option<&Steps>, with: fn(&P, u64) -> P) -> Swept<P> {
        let values = values.map_or(Vec::new(), |values| values.all().to_vec());
        Swept { option, values, print: |value| value.to_string(), with }
    }

    fn is_sweep(&self) -> bool {
        self.values.len() > 1
    }
}

/// Describes what is wrong if several options vary at once, or if runs are monitored meanwhile.
pub fn check<P>(options: &[Swept<P>], is_monitored: bool) -> Result<(), String> {
    let swept: Vec<_> =
        options.iter().filter(|option| option.is_sweep()).map(|option| option.option).collect();
    match swept[..] {
        [] => Ok(()),
        [one] if is_monitored => Err(format!("--monitor watches single values, and --{one} has several")),
        [_] => Ok(()),
        [one, other, ..] => Err(format!("only one of --{one} and --{other} can have several values")),
    }
}

/// The experiment, if an option varies or something is measured besides the time.
pub fn experiment<P: Clone>(program: &P, options: &[Swept<P>], is_measured: bool) -> Option<Experiment<P>> {
    let drawn = ("latency_p50_ms", "median latency, ms");
    let varies = options.iter().find(|option| option.is_sweep());
    let swept = varies.or_else(|| options.first().filter(|_| is_measured))?;
    let point = |value: &u64| {
        let with = if swept.is_sweep() { (swept.with)(program, *value) } else { program.clone() };
        ((swept.print)(*value), with)
    };
    Some(Experiment { option: swept.option, points: swept.values.iter().map(point).collect(), drawn })
}
