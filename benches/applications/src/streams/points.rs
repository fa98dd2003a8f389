//! The points of an experiment with a program: the values of the one option that varies.

use pipes_benches::harness::Experiment;

use super::Steps;

/// An option that may have several values.
pub struct Swept<'a, P> {
    /// Its name.
    pub option: &'static str,
    /// Its values.
    pub values: Option<&'a Steps>,
    /// The program with one of them.
    pub with: fn(&P, u64) -> P,
}

impl<P> Swept<'_, P> {
    fn is_sweep(&self) -> bool {
        self.values.is_some_and(|values| values.all().len() > 1)
    }
}

/// Describes what is wrong if several options vary at once, or if runs are monitored meanwhile.
pub fn check<P>(options: &[Swept<'_, P>], is_monitored: bool) -> Result<(), String> {
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
pub fn experiment<P: Clone>(
    program: &P,
    options: &[Swept<'_, P>],
    is_measured: bool,
) -> Option<Experiment<P>> {
    let drawn = ("latency_p50_ms", "median latency, ms");
    if let Some(Swept { option, values: Some(values), with }) =
        options.iter().find(|option| option.is_sweep())
    {
        let points = values.all().iter().map(|value| (*value, with(program, *value))).collect();
        return Some(Experiment { option, points, drawn });
    }
    let Swept { option, values, .. } = options.first()?;
    let value = values.map_or(1, Steps::first);
    is_measured.then(|| Experiment { option, points: vec![(value, program.clone())], drawn })
}
