#!/usr/bin/env bash
# Runs the README's first command on a clean clone with downloaded packages, because it compiles everything
# that is added to the library and to the harness of the benchmarks. Prints how long it takes. Fails if it
# takes more than `most` times the processor time in which two of its packages, `tokio` and `clap`, compile
# alone: seconds would say more about the machine than about the code.
set -euo pipefail
cd "$(dirname "$0")/.."
most=3

clone="$(mktemp -d)"
trap 'rm -rf "$clone"' EXIT
git clone --quiet . "$clone/pipes"
cd "$clone/pipes"
cargo fetch --quiet --locked
# A separate target folder, and the unchanged profile.
unset CARGO_TARGET_DIR CARGO_PROFILE_RELEASE_LTO CARGO_PROFILE_RELEASE_CODEGEN_UNITS
TIMEFORMAT='%0R %0U %0S'
{ time CARGO_TARGET_DIR=yardstick cargo build --quiet --release --package tokio --package clap 2>said.txt; } 2>times.txt ||
    { cat said.txt >&2 && exit 1; }
read -r _ user system <times.txt
yardstick=$((user + system))
{ time cargo run --quiet --release -- ring >table.txt 2>said.txt; } 2>times.txt || { cat said.txt >&2 && exit 1; }
read -r elapsed user system <times.txt
grep -q '^pipes ' table.txt || { echo "FAILED: the first command printed no table" >&2 && exit 1; }
used=$((user + system))
echo "first: $elapsed s, $used s of processor time; at most $most times $yardstick s"
[ "$used" -le $((most * yardstick)) ] || { echo "FAILED: the first command took $used s of processor time" >&2 && exit 1; }
