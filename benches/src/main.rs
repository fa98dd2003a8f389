//! The binary around [`pipes_benches::COMMANDS`].

use std::process::ExitCode;

fn main() -> ExitCode {
    pipes_benches::cli::run(std::env::args_os(), &pipes_benches::COMMANDS)
}
