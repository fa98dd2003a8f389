//! The progress bar of a race, on stderr when that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that is redrawn between runs and never during one: it has no ticking thread.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for this many runs; a silent one shows nothing.
    pub fn new(program: &'static str, runs: u64, silent: bool) -> Progress {
        // The target draws nothing if stderr is not a terminal.
        let target = if silent { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(runs), target).with_prefix(program);
        // If the template does not parse, the default one stays.
        if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        Progress(bar)
    }

    /// Updates the number of runs.
    pub fn expect(&self, runs: u64) {
        self.0.set_length(runs);
    }

    /// Begins the next run, which is this contender's.
    pub fn next(&self, contender: &'static str) {
        self.0.set_message(contender);
        self.0.inc(1);
    }

    /// Removes the bar from the screen.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
