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
models=(cargo test --quiet --manifest-path models/Cargo.toml --profile loom --test loom)
[ $# -eq 0 ] || exec "${models[@]}" "$@"
"${models[@]}" --no-run
# The models of pipelines take longest. They begin first, so that none of them runs alone at the end.
"${models[@]}" -- skeleton_ &
failed=""
"${models[@]}" -- --skip skeleton_ || failed=yes
wait "$!" || failed=yes
[ -z "$failed" ]
