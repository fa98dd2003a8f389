//! The options, and which contenders they leave out.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::streams::Suite;
use pipes_benches::files::as_text;
use pipes_benches::options::up_to;

/// The words of the search and the options of the race.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Grep {
    /// Print the lines that match this regular expression, without a race
    #[arg(value_name = "PATTERN")]
    #[serde(skip)]
    pub search: Option<String>,
    /// Files and folders to search [default: the current folder]
    #[arg(value_name = "PATH")]
    #[serde(skip)]
    pub paths: Vec<PathBuf>,
    /// Walk through each folder in the order of the names in it, and print in this order
    #[arg(long)]
    pub sorted: bool,
    /// Pattern of the race [default: `[mM]icrodevice`]
    #[arg(long, value_name = "PATTERN")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// A folder to search in the race instead of generated files, whatever the class
    #[arg(long, value_name = "FOLDER")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    pub input: Option<PathBuf>,
    /// Generated files, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000), conflicts_with = "input")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
}

impl Grep {
    /// The pattern of the race.
    pub fn pattern(&self) -> &str {
        self.pattern.as_deref().unwrap_or("[mM]icrodevice")
    }
}

/// Why a contender that is no flow of batches is left out with some options.
pub fn has_no_flow(suite: &Suite<Grep>) -> Option<&'static str> {
    if suite.program.sorted {
        return Some("it prints in any order");
    }
    suite.is_paced().then_some("its walk has no frequency")
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};
    use pipes_benches::harness::Program;
    use pipes_charts::Drawing;

    use super::Grep;
    use crate::streams::Suite;

    #[test]
    fn the_chart_over_time_names_what_the_frequency_counts() {
        for batch in ["1", "3"] {
            let command = Suite::<Grep>::augment_args(Command::new("grep"));
            let words = ["grep", "--files", "300", "--frequency", "100", "--batch", batch];
            let suite = Suite::<Grep>::from_arg_matches(&command.get_matches_from(words)).expect("options");
            let prepared = suite.setting().expect("the setting is made");
            let pipes = Suite::<Grep>::contenders().next().expect("there is one");
            pipes.run_for(&suite).expect("it can run")(&suite, &prepared).expect("it runs");
            let chart = suite.chart(&prepared).expect("there is a schedule");
            let Drawing::Panels(panels) = &chart.drawing else { panic!("{chart:?}") };
            assert_eq!(panels[0].up, "batches of files a second");
            // The area below the curve is the number of what came out.
            let (mut count, mut before) = (0.0, 0.0);
            for (seconds, rate) in &panels[0].curves[0].points {
                count += rate * (seconds - before);
                before = *seconds;
            }
            // The 300 files are in ten batches. The samples may begin late on a busy machine, and miss some.
            assert!(count < 50.0, "{count}: {chart:?}");
        }
    }
}
