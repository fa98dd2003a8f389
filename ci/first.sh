#!/usr/bin/env bash
# The README's first command in a clean clone with downloaded packages. Prints how long it takes, and fails if that is more processor time than
# a newcomer should wait for: what is added to the benchmarks is compiled by this command.
set -euo pipefail
cd "$(dirname "$0")/.."
# Seconds of all cores together.
most=150

clone="$(mktemp -d)"
trap 'rm -rf "$clone"' EXIT
git clone --quiet . "$clone/pipes"
cd "$clone/pipes"
cargo fetch --quiet --locked
unset CARGO_TARGET_DIR
TIMEFORMAT='%0R %0U %0S'
read -r elapsed user system < <({ time cargo run --quiet --release -- ring >ring.txt 2>&1; } 2>&1)
[ -s ring.txt ] || { echo "FAILED: the first command printed nothing" >&2 && exit 1; }
used=$((user + system))
echo "first: $elapsed s, of which the cores worked $used s together; at most $most s"
[ "$used" -le "$most" ] || { echo "FAILED: the first command took $used s of processor time" >&2 && exit 1; }
