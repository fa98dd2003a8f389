#!/usr/bin/env bash
# Runs the shuttle models: whole small pipelines under a random scheduler.
#
#   ci/shuttle.sh [NAME OF A MODEL]    SHUTTLE_RUNS=1000 by default, with each of two schedulers
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_loom --cfg pipes_shuttle"
# Several parts of the code are compiled at the same time.
export CARGO_PROFILE_LOOM_CODEGEN_UNITS=16
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/shuttle"
cargo test --quiet --manifest-path models/skeleton/Cargo.toml --profile loom --test shuttle "$@"
