//! Prints the public items of crates, a line each: `api CRATE.json…`, of the documentation as JSON.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    for path in env::args_os().skip(1) {
        match public_api::Builder::from_rustdoc_json(&path).omit_blanket_impls(true).build() {
            // What is implemented for a type without a public path is of no use outside.
            Ok(api) => api
                .items()
                .map(|item| item.to_string())
                .filter(|item| !item.contains("::slot::"))
                .for_each(|item| println!("{item}")),
            Err(error) => {
                eprintln!("api: {}: {error}", path.display());
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
