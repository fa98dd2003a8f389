#!/usr/bin/env bash
# Checks formatting, clippy and rustdoc with warnings as errors, clippy also on the code that only the models
# compile, the public interface, and whether the planted faults fit the code.
set -euo pipefail
cd "$(dirname "$0")/.."
CARGO_TARGET_DIR="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR
# The root, and the applications.
workspaces=(Cargo.toml benches/applications/Cargo.toml)
for workspace in "${workspaces[@]}"; do
    cargo fmt --manifest-path "$workspace" --all -- --check
done
cargo fmt --all --manifest-path models/Cargo.toml -- --check
cargo fmt --manifest-path ci/api/Cargo.toml -- --check
cargo fmt --manifest-path tests/fuzz/Cargo.toml -- --check
for workspace in "${workspaces[@]}"; do
    cargo clippy --quiet --manifest-path "$workspace" --workspace --all-targets -- --deny warnings
done
RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_loom" CARGO_TARGET_DIR="$CARGO_TARGET_DIR/loom" \
    cargo clippy --quiet --manifest-path models/Cargo.toml --profile loom --lib --test loom -- --deny warnings
# Shuttle's locks are large, and so is every error that contains one.
RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_loom --cfg pipes_shuttle" CARGO_TARGET_DIR="$CARGO_TARGET_DIR/shuttle" \
    cargo clippy --quiet --manifest-path models/skeleton/Cargo.toml --profile loom --lib --test shuttle -- --deny warnings --allow clippy::result_large_err
for workspace in "${workspaces[@]}"; do
    RUSTDOCFLAGS="--deny warnings" cargo doc --quiet --manifest-path "$workspace" --workspace --no-deps --document-private-items
done
# The public pages. ci/features.sh makes those of `pipes` and `pipes-skeleton`, and ci/remote.sh those of
# `pipes-remote`.
RUSTDOCFLAGS="--deny warnings" cargo doc --quiet --package session-pipes-macros --no-deps
ci/api.sh
ci/planted.sh faults --check
