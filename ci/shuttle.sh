#!/usr/bin/env bash
# Whole small pipelines, with turns drawn by lot.
#
#   ci/shuttle.sh [name of a model]      SHUTTLE_RUNS=1000 by default, of each model twice
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_loom --cfg pipes_shuttle"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/shuttle"
cargo test --quiet --manifest-path models/Cargo.toml --profile loom --test shuttle "$@"
