//! An auction between web pages: `cargo run --release`, and open the address that it prints, twice.

use ::auction::{House, app};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use tokio::net::TcpListener;
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: auction [ADDRESS [SECONDS]]

Builds the page, and serves it. ADDRESS is a host and a port, 127.0.0.1:8080 if it is not given. A lot is sold
when there was no bid for SECONDS, 20 if they are not given.";

type Failed = Box<dyn Error>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (address, seconds) = match words[..] {
        [] => ("127.0.0.1:8080", Ok(20)),
        [address] if !address.starts_with('-') => (address, Ok(20)),
        [address, seconds] => (address, seconds.parse()),
        _ => return wrong(),
    };
    match seconds {
        Ok(seconds @ 1..=3600) => match run(address, Duration::from_secs(seconds)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("auction: {error}");
                ExitCode::FAILURE
            }
        },
        _ => wrong(),
    }
}

fn wrong() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

#[tokio::main]
async fn run(address: &str, patience: Duration) -> Result<(), Failed> {
    let files = build()?;
    let listener = TcpListener::bind(address).await.map_err(|error| format!("{address}: {error}"))?;
    println!("http://{}", listener.local_addr()?);
    let house = House::new(patience);
    tokio::spawn(house.clone().sell());
    axum::serve(listener, app(house, files)).await?;
    Ok(())
}

/// Compiles the page. Returns the folder of what a browser loads.
fn build() -> Result<PathBuf, Failed> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(here.join("target"), PathBuf::from);
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--package", "auction-page", "--profile", "page"])
        .args(["--target", "wasm32-unknown-unknown", "--target-dir"])
        .arg(&target)
        .current_dir(here)
        .status()?;
    if !built.success() {
        return Err(
            "the page does not compile; for its target, run `rustup target add wasm32-unknown-unknown`"
                .into(),
        );
    }
    let files = target.join("page");
    let compiled = target.join("wasm32-unknown-unknown/page/auction_page.wasm");
    Bindgen::new().input_path(compiled).web(true)?.typescript(false).generate(&files)?;
    for file in fs::read_dir(here.join("page/static"))? {
        let file = file?;
        fs::copy(file.path(), files.join(file.file_name()))?;
    }
    Ok(files)
}
