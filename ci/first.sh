#!/usr/bin/env bash
# Runs the README's first command on a clean clone with downloaded packages, because it compiles everything
# that is added to the library and to the harness of the benchmarks. Prints how long it takes to compile and
# to run. Fails if compiling takes more than `most` hundredths of the processor time in which two of its
# packages, `tokio` and `clap`, compile alone: seconds would say more about the machine than about the code.
# The races themselves are not counted, because some contenders spin for as long as they last.
set -euo pipefail
cd "$(dirname "$0")/.."
most=290

clone="$(mktemp -d)"
trap 'rm -rf "$clone"' EXIT
git clone --quiet . "$clone/pipes"
cd "$clone/pipes"
cargo fetch --quiet --locked
# A separate target folder, and the unchanged profile.
unset CARGO_TARGET_DIR CARGO_PROFILE_RELEASE_LTO CARGO_PROFILE_RELEASE_CODEGEN_UNITS
# Seconds, and hundredths of a second of the processors.
TIMEFORMAT='%0R %2U %2S'
{ time CARGO_TARGET_DIR=yardstick cargo build --quiet --release --package tokio --package clap 2>said.txt; } 2>times.txt ||
    { cat said.txt >&2 && exit 1; }
read -r _ user system <times.txt
yardstick=$((10#${user/./} + 10#${system/./}))
{ time cargo build --quiet --release --bin pipes-benches 2>said.txt; } 2>times.txt || { cat said.txt >&2 && exit 1; }
read -r compiled user system <times.txt
used=$((10#${user/./} + 10#${system/./}))
{ time cargo run --quiet --release -- ring >table.txt 2>said.txt; } 2>times.txt || { cat said.txt >&2 && exit 1; }
read -r ran _ <times.txt
grep -q '^pipes ' table.txt || { echo "FAILED: the first command printed no table" >&2 && exit 1; }
allowed=$((most * yardstick / 100))
echo "first: compiled in $compiled s and $((used / 100)) s of processor time, at most $((allowed / 100)) s; ran in $ran s"
[ "$used" -le "$allowed" ] || { echo "FAILED: the first command took $((used / 100)) s of processor time to compile" >&2 && exit 1; }
