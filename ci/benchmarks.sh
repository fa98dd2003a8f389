#!/usr/bin/env bash
# Runs the tests of the benchmark programs, and then every program once, at a small size, with every
# contender, and checks the results.
#
# Nothing is measured here. So the programs are built with the checks of a debug build, and with little
# optimisation: more would take longer than their runs.
set -euo pipefail
cd "$(dirname "$0")/.."
# Two programs that take part in `grep`. Without them, the others run.
command -v rg >/dev/null && command -v grep >/dev/null || {
    { apt-get update -qq && apt-get install -y -qq ripgrep grep; } >/dev/null 2>&1 || true
}
command -v rg >/dev/null || echo "SKIPPED ripgrep as a contender of grep: it is not installed"
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1
export CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
begin=$SECONDS
cargo test --quiet --release --package pipes-channels --package pipes-applications --package pipes-graph500 \
    --package pipes-k-nucleotide
echo "benchmarks: tested, $((SECONDS - begin)) s"
cargo build --quiet --release --package pipes-channels --benches
cargo run --quiet --release -- all --quick

# These have a smaller size in `all`, which tests run without optimisation.
for options in grep "pipe4 --batch 1" "pipe4 --batch 256" "fraud --batch 1" "fraud --batch 256" \
    "ofarm --work trivial" "ofarm --work 1us" "ofarm --work 10us" "ofarm --work skewed" lanes faces ferret; do
    # shellcheck disable=SC2086
    cargo run --quiet --release -- $options --class test --repeat 1
done
for program in mandelbrot image; do
    cargo run --quiet --release -- "$program" --class test --shape all --repeat 1
done

# Draws two charts with the real plotting code.
charts="$(mktemp -d)"
trap 'rm -rf "$charts"' EXIT
cargo run --quiet --release -- oneshot --rounds 100 --repeat 1 --contenders pipes,std --plot "$charts/bars.png"
cargo run --quiet --release -- dot --size 10 --passes 2 --curve --repeat 1 --contenders pipes --plot "$charts/lines.svg"
[ -s "$charts/bars.png" ] && grep -q speed-up "$charts/lines.svg"

# An experiment: a table, a file, and curves.
cargo run --quiet --release -- mandelbrot --class test --replicas 1:2 --metrics --repeat 2 --csv "$charts/sweep.csv" \
    --plot "$charts/sweep.svg"
[ "$(wc -l <"$charts/sweep.csv")" -eq 13 ] && grep -q latency "$charts/sweep.svg"
