#!/usr/bin/env bash
# Builds and tests the examples that are workspaces of their own, because they depend on many packages.
#
#   ci/workspaces.sh [NAME…]    only these of: iroh timely
#
# All of it runs on this machine: the one over iroh uses no relay, and looks up no address. ci/remote-long.sh
# runs this, too.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_INCREMENTAL=0 RUSTDOCFLAGS="--deny warnings"
names=("$@")
[ $# -gt 0 ] || names=(iroh timely)

check() { # check NAME
    local begin
    cd "examples/$1"
    export CARGO_TARGET_DIR="$target/$1"
    if ! cargo fetch --quiet; then
        echo "SKIPPED $1: its packages cannot be had"
        return
    fi
    cargo fmt -- --check
    cargo clippy --quiet --all-targets -- --deny warnings
    cargo doc --quiet --lib --no-deps
    begin=$SECONDS
    cargo test --quiet --no-run
    echo "$1: compiled in $((SECONDS - begin)) s"
    begin=$SECONDS
    cargo test --quiet
    echo "$1: tested in $((SECONDS - begin)) s"
}

for name in "${names[@]}"; do
    case "$name" in
    iroh | timely) (check "$name") ;;
    *)
        echo "usage: ci/workspaces.sh [iroh|timely]…" >&2
        exit 2
        ;;
    esac
done
