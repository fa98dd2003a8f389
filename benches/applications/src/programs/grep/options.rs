//! The options, and what they ask for: a race or a search.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::batch::words;
use super::destination::Destination;
use super::flow::{Folders, Printed};
use super::query::{Query, Show, compiled};
use super::tree::Tree;
use super::walk::Roots;
use super::{ignore, processes, tool};
use crate::streams::{Class, Stream, Suite};
use pipes_benches::failure::Failure;
use pipes_benches::files::as_text;
use pipes_benches::harness::Contender;
use pipes_benches::options::up_to;

/// The options of a search; all others are those of the race.
const OF_SEARCH: [&str; 6] =
    ["ignore-case", "line-number", "count", "files-with-matches", "hidden", "sorted"];

/// The options of the search and of the race.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Grep {
    /// Search for this regular expression and print what matches, without a race
    #[arg(value_name = "PATTERN")]
    #[serde(skip_serializing_if = "Option::is_none", rename = "pattern")]
    words: Option<String>,
    /// Files and folders to search [default: the current folder]
    #[arg(value_name = "PATH")]
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "all_as_text", rename = "input")]
    paths: Vec<PathBuf>,
    /// Ignore the case of letters
    #[arg(short, long)]
    #[serde(skip)]
    ignore_case: bool,
    /// Print the number of each line
    #[arg(short = 'n', long)]
    #[serde(skip)]
    line_number: bool,
    /// Print how many lines of each file match
    #[arg(short, long)]
    #[serde(skip)]
    count: bool,
    /// Print the names of the files that match
    #[arg(short = 'l', long)]
    #[serde(skip)]
    files_with_matches: bool,
    /// Also search files and folders whose names begin with a dot, as the race does
    #[arg(long)]
    #[serde(skip)]
    hidden: bool,
    /// Walk through each folder in the order of the names in it, and print in this order
    #[arg(long)]
    sorted: bool,
    /// Run the race although there is a PATTERN
    #[arg(long)]
    #[serde(skip)]
    race: bool,
    /// Pattern of the race [default: `[mM]icrodevice`]
    #[arg(long, value_name = "PATTERN", conflicts_with = "words")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    /// A folder to search in the race instead of generated files, whatever the class
    #[arg(long, value_name = "FOLDER", conflicts_with = "paths")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    input: Option<PathBuf>,
    /// Generated files, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000), conflicts_with_all = ["input", "paths"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<u64>,
}

/// Why a contender that is no flow of batches is left out with some options.
pub fn has_no_flow(suite: &Suite<Grep>) -> Option<&'static str> {
    if suite.program.sorted {
        return Some("it prints in any order");
    }
    suite.is_paced().then_some("its walk has no frequency")
}

/// Paths for display, even if they are not valid text.
fn all_as_text<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    serializer.serialize_str(&names.join(" "))
}

impl Grep {
    /// The pattern of the race.
    pub fn pattern(&self) -> &str {
        self.words.as_ref().or(self.pattern.as_ref()).map_or("[mM]icrodevice", String::as_str)
    }

    /// Searches for the pattern, and prints.
    fn search(&self, pattern: &str) -> ExitCode {
        let matcher = match compiled(pattern, self.ignore_case) {
            Ok(matcher) => matcher,
            Err(problem) => return tool::refuse(&problem),
        };
        let show = match (self.files_with_matches, self.count) {
            (true, _) => Show::Name,
            (false, true) => Show::Count,
            (false, false) => Show::Lines,
        };
        let roots = Roots {
            paths: self.paths.clone(),
            hidden: self.hidden,
            sorted: self.sorted,
            destination: Destination::of_stdout().filter(|_| show == Show::Lines),
        };
        let (names, numbers) = (roots.need_names(), self.line_number);
        tool::run(Query { matcher, show, names, numbers, all_text: false }, &roots)
    }

    /// The folders that the race searches, if they are not generated.
    fn folders(&self) -> Vec<PathBuf> {
        let folders: Vec<_> = self.input.iter().chain(&self.paths).cloned().collect();
        if folders.is_empty() && self.words.is_some() && self.files.is_none() {
            vec![PathBuf::from(".")]
        } else {
            folders
        }
    }
}

impl Stream for Grep {
    const NAME: &'static str = "grep";
    const ABOUT: &'static str = "Search folders for a pattern, or race to do so; one op is one file";
    const UNIT: &'static str = "files";
    const ITEMS: &'static str = "batches of files";
    const VARIANTS: &'static [&'static [&'static str]] = &[&[], &["--sorted"]];
    const QUICK: &'static [&'static str] = &["--files", "200"];
    const OWN: &'static [Contender<Suite<Grep>>] = &[ignore::CONTENDER, processes::RG, processes::GREP];

    type Flow = Folders;

    fn check(&self) -> Result<(), String> {
        let of_search =
            [self.ignore_case, self.line_number, self.count, self.files_with_matches, self.hidden];
        if let Some(which) = of_search.iter().position(|given| *given) {
            return Err(format!("--{} belongs to a search: a PATTERN without --race", OF_SEARCH[which]));
        }
        if self.pattern().contains('\n') {
            return Err("the pattern of a race is one line".to_owned());
        }
        compiled(self.pattern(), false).map(drop)
    }

    fn tool(&self, given: &[&str]) -> Option<Result<ExitCode, Failure>> {
        let pattern = self.words.as_ref().filter(|_| !self.race)?;
        let other = given.iter().find(|name| !OF_SEARCH.contains(name));
        Some(other.map_or_else(
            || Ok(self.search(pattern)),
            |other| {
                Err(Failure::Arguments(format!(
                    "grep: --{other} is an option of the race, which a PATTERN has only with --race"
                )))
            },
        ))
    }

    fn flow(&self, class: Class) -> io::Result<Folders> {
        let query = Query::text(self.pattern()).map_err(io::Error::other)?;
        let folders = self.folders();
        for folder in &folders {
            let problem = match folder.metadata() {
                Ok(data) if data.is_dir() => continue,
                Ok(_) => "it is no folder".to_owned(),
                Err(error) => words(&error),
            };
            return Err(io::Error::other(format!("{} could not be searched: {problem}", folder.display())));
        }
        let (tree, passes) = if folders.is_empty() {
            let (files, passes) =
                class.of([(4_000, 1), (20_000, 2), (20_000, 20), (20_000, 120), (20_000, 400)]);
            let passes = if self.files.is_some() { 1 } else { passes };
            (Some(Tree::new(self.files.unwrap_or(files))?), passes)
        } else {
            (None, 1)
        };
        let generated = tree.iter().flat_map(|tree| std::iter::repeat_n(tree.path(), passes));
        let paths: Vec<_> =
            folders.iter().map(PathBuf::as_path).chain(generated).map(Path::to_owned).collect();
        // Only the default pattern finds what was planted.
        let planted = tree.as_ref().filter(|_| self.pattern.is_none() && self.words.is_none());
        let planted = planted.map(|tree| passes * tree.planted);
        let roots = Roots { sorted: self.sorted, ..Roots::all(paths) };
        Folders::new(query, self.pattern(), roots, tree, planted)
    }

    fn figures(&self, _: &Folders, printed: &Printed) -> Map<String, Value> {
        printed.figures()
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};
    use pipes_benches::harness::Program;
    use pipes_charts::Drawing;

    use super::*;

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
