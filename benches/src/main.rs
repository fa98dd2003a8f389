//! The binary around [`pipes_benches::run`].

use std::process::ExitCode;

fn main() -> ExitCode {
    pipes_benches::run(std::env::args_os())
}
