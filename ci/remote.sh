#!/usr/bin/env bash
# Tests protocols between processes, counts the packages that `pipes-remote` depends on, and runs the
# benchmark programs between processes at a tiny size.
#
# ci/remote-long.sh runs the same tests at full size.
set -euo pipefail
cd "$(dirname "$0")/.."
most=25
count="$(cargo tree --package pipes-remote --edges normal --target x86_64-unknown-linux-gnu --prefix none |
    sed 's/ (\*)$//' | sort -u | grep -vc '^pipes-remote ')"
echo "pipes-remote depends on $count packages, at most $most"
[ "$count" -le "$most" ] || { echo "FAILED: too many" >&2 && exit 1; }

cargo clippy --quiet --package pipes-remote --all-features --all-targets -- --deny warnings
cargo clippy --quiet --package pipes-remote --no-default-features -- --deny warnings
CARGO_INCREMENTAL=0 cargo test --quiet --package pipes-remote-tests --package pipes-remote-programs
