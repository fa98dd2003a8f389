//! A view of our own pipeline while it runs.

use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use indicatif::{ProgressBar, ProgressStyle};
use pipes_skeleton::{Metrics, Pipeline};

use crate::usage::Usage;

/// The interval at which the view is drawn.
const BEAT: Duration = Duration::from_millis(200);

/// The metrics of the pipeline while it is shown. Timed runs are never measured.
#[derive(Debug, Default)]
pub struct Watch(Mutex<Option<Metrics>>);

impl Watch {
    /// The pipeline, measured if it is being shown.
    pub fn over<T: Send + 'static>(&self, pipeline: Pipeline<T>) -> Pipeline<T> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(metrics) => pipeline.measured(metrics),
            None => pipeline,
        }
    }

    /// Runs this once with the pipeline measured. Shows the pipeline while it runs, if stderr is a terminal,
    /// and in any case prints its picture to stderr at the end.
    pub fn show<R>(&self, run: impl FnOnce() -> io::Result<R>) -> io::Result<()> {
        let metrics = Metrics::new();
        self.set(Some(metrics.clone()));
        let ran = thread::scope(|scope| {
            // Owned by this closure, so that the view ends even if the run panics.
            let (_running, over) = channel::<()>();
            scope.spawn(|| draw(&metrics, over));
            run()
        });
        self.set(None);
        ran?;
        // An error is ignored: stderr may be closed.
        let _ = writeln!(io::stderr(), "{}", picture(&metrics));
        Ok(())
    }

    fn set(&self, metrics: Option<Metrics>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = metrics;
    }
}

/// Returns the picture of the pipeline, and what the process uses, where that is known.
fn picture(metrics: &Metrics) -> String {
    let usage = Usage::now().map_or(String::new(), |usage| format!("; {usage}"));
    format!("{}{usage}", metrics.report())
}

/// Draws the picture repeatedly, until the run is over.
fn draw(metrics: &Metrics, over: Receiver<()>) {
    let view = ProgressBar::new_spinner();
    // If the template does not parse, the default one stays.
    if let Ok(style) = ProgressStyle::with_template("{msg}") {
        view.set_style(style);
    }
    while let Err(RecvTimeoutError::Timeout) = over.recv_timeout(BEAT) {
        let last = metrics.throughput(Duration::from_secs(1));
        view.set_message(format!("{}{last:.0} items in the last second", picture(metrics)));
        view.tick();
    }
    view.finish_and_clear();
}
