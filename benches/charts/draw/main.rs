//! Draws the chart that stdin describes, to stdout.

mod bars;
mod canvas;
mod lines;
mod panels;
mod style;

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use pipes_charts::{Chart, Format};

fn main() -> ExitCode {
    let name = env::args_os().nth(1).unwrap_or_default();
    let format = match name.to_str().unwrap_or_default().parse() {
        Ok(format) => format,
        Err(problem) => return failed(2, &problem),
    };
    drawn(format).map_or_else(|error| failed(1, &error), |()| ExitCode::SUCCESS)
}

fn drawn(format: Format) -> Result<(), Box<dyn Error>> {
    let chart: Chart = serde_json::from_reader(io::stdin().lock())?;
    let mut out = io::stdout().lock();
    out.write_all(&canvas::file(&chart, format)?)?;
    out.flush()?;
    Ok(())
}

fn failed(code: u8, problem: &dyn std::fmt::Display) -> ExitCode {
    // An error is ignored: if stderr is closed, the exit code alone reports the problem.
    let _ = writeln!(io::stderr(), "{problem}");
    ExitCode::from(code)
}
