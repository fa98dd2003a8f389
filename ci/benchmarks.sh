#!/usr/bin/env bash
# Every benchmark program once, at a small size, with every contender: do they run, and are the results right?
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --quiet --release --package pipes-benches --benches
cargo run --quiet --release -- all --quick
