#!/usr/bin/env bash
# Runs the loom models: every execution of each race, up to a bound on preemptions.
#
#   ci/loom.sh [NAME OF A MODEL]    LOOM_MAX_PREEMPTIONS=3 by default; more is slower and finds no less
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_loom"
# Several parts of the code are compiled at the same time.
export CARGO_PROFILE_LOOM_CODEGEN_UNITS=16
export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/loom"
cargo test --quiet --manifest-path models/Cargo.toml --profile loom --test loom "$@"
