#!/usr/bin/env bash
# Builds and tests the example over iroh, which is a workspace of its own with more than 200 packages. All of
# it runs on this machine: no relay is used, and no address is looked up. ci/remote-long.sh runs this, too.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR="$(realpath -m "${CARGO_TARGET_DIR:-target}")/iroh" CARGO_INCREMENTAL=0
export RUSTDOCFLAGS="--deny warnings"
cd examples/iroh
if ! cargo fetch --quiet; then
    echo "SKIPPED iroh: its packages cannot be had"
    exit 0
fi
cargo fmt -- --check
cargo clippy --quiet --all-targets -- --deny warnings
cargo doc --quiet --lib --no-deps
begin=$SECONDS
cargo test --quiet --no-run
echo "iroh: compiled in $((SECONDS - begin)) s"
begin=$SECONDS
cargo test --quiet
echo "iroh: tested in $((SECONDS - begin)) s"
