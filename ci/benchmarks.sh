#!/usr/bin/env bash
# Runs the tests of the benchmark programs. Among them is each program once, at a tiny size, in every place
# where it runs and with every contender; the results are checked, and nothing is measured. Then tries what
# takes several programs together: charts, and an experiment.
#
# This is the profile of the tests, so that what they have built is not built again. `all --quick` does the
# same at larger sizes in the profile of the measurements; to build that takes longer than all of this.
set -euo pipefail
cd "$(dirname "$0")/.."
# Two programs that take part in `grep`. Without them, the others run.
command -v rg >/dev/null && command -v grep >/dev/null || {
    { apt-get update -qq && apt-get install -y -qq ripgrep grep; } >/dev/null 2>&1 || true
}
command -v rg >/dev/null || echo "SKIPPED ripgrep as a contender of grep: it is not installed"
programs=(--package pipes-channels --package pipes-applications --package pipes-graph500 --package pipes-k-nucleotide)
begin=$SECONDS
cargo test --quiet --no-run "${programs[@]}"
echo "benchmarks: built, $((SECONDS - begin)) s"
cargo test --quiet "${programs[@]}"
echo "benchmarks: tested, $((SECONDS - begin)) s"
cargo build --quiet --package pipes-channels --benches

# Draws two charts with the real plotting code.
charts="$(mktemp -d)"
trap 'rm -rf "$charts"' EXIT
cargo run --quiet -- oneshot --rounds 100 --repeat 1 --contenders pipes,std --plot "$charts/bars.png"
cargo run --quiet -- dot --size 10 --passes 2 --curve --repeat 1 --contenders pipes --plot "$charts/lines.svg"
[ -s "$charts/bars.png" ] && grep -q speed-up "$charts/lines.svg"

# An experiment: a table, a file, and curves.
cargo run --quiet -- mandelbrot --class test --replicas 1:2 --metrics --repeat 2 --csv "$charts/sweep.csv" \
    --plot "$charts/sweep.svg"
[ "$(wc -l <"$charts/sweep.csv")" -eq 13 ] && grep -q latency "$charts/sweep.svg"
