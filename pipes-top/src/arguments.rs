//! The command line.

use clap::Parser;
use std::path::PathBuf;
use std::time::Duration;

/// Shows what the threads of running programs wait for.
///
/// A program takes part if it calls `pipes::inspect::serve(PATH)`.
///
/// Threads that wait for each other come first: red if that is certain, yellow if it is suspected.
///
/// Keys: up and down select a thread, Enter or d shows its details, s sorts by the next column, / filters,
/// q quits.
#[derive(Debug, Parser)]
#[command(version, after_help = "Ends with 1 if no process answers, and with 2 if the arguments are wrong.")]
pub struct Arguments {
    /// The socket of each process. One that is named twice counts once.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Prints the table once, as text, and what is known of deadlocks.
    #[arg(long, conflicts_with_all = ["json", "interval"])]
    pub once: bool,
    /// Prints a line of JSON for each process: an object with its `path` and its `snapshot`.
    #[arg(long, conflicts_with = "interval")]
    pub json: bool,
    /// The seconds after which the table is refreshed.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = interval)]
    pub interval: Duration,
}

/// Reads a number of seconds.
fn interval(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "it is not a number of seconds".to_owned())?;
    if (0.05..=3600.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("it must be between 0.05 and 3600".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(["pipes-top"].iter().chain(words))
    }

    #[test]
    fn arguments_that_fit_are_taken() {
        let all = parse(&["a", "b", "--interval", "0.5"]).expect("they fit");
        assert_eq!(all.paths, [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!(all.interval, Duration::from_millis(500));
        assert_eq!(parse(&["a"]).expect("it fits").interval, Duration::from_secs(1));
    }

    #[test]
    fn arguments_that_do_not_fit_are_errors() {
        for words in [
            &[][..],
            &["a", "--once", "--json"],
            &["a", "--once", "--interval", "1"],
            &["a", "--interval", "0"],
            &["a", "--interval", "-1"],
            &["a", "--interval", "nan"],
            &["a", "--interval", "soon"],
            &["a", "--twice"],
        ] {
            assert_eq!(parse(words).expect_err("they do not fit").exit_code(), 2, "{words:?}");
        }
    }
}
