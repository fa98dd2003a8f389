//! The executable around [`pipes_remote_programs::COMMANDS`].

use std::process::ExitCode;

fn main() -> ExitCode {
    pipes_benches::cli::run(std::env::args_os(), &pipes_remote_programs::COMMANDS)
}
