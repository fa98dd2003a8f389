#!/usr/bin/env bash
# Runs the tests of the applications, a workspace of its own in benches/applications/. Among them is each
# program once, at a tiny size, in every place where it runs and with every contender; the results are
# checked, and nothing is measured. Then runs two of them with the root's command, which builds and starts
# them.
#
# This is the profile of the tests and the root's target folder, so that what other tests have built is not
# built again. `all --quick` does the same at larger sizes in the profile of the measurements; to build that
# takes longer than all of this.
set -euo pipefail
cd "$(dirname "$0")/.."
CARGO_TARGET_DIR="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR
# Two programs that take part in `grep`. Without them, the others run.
command -v rg >/dev/null && command -v grep >/dev/null || {
    { apt-get update -qq && apt-get install -y -qq ripgrep grep; } >/dev/null 2>&1 || true
}
command -v rg >/dev/null || echo "SKIPPED ripgrep as a contender of grep: it is not installed"
# The package of the applications alone, with the features that the command builds it with below; otherwise
# that would compile it once more.
for packages in applications "graph500 k-nucleotide remote-programs"; do
    test=(cargo test --quiet --manifest-path benches/applications/Cargo.toml)
    for package in $packages; do
        test+=(--package "pipes-$package")
    done
    begin=$SECONDS
    "${test[@]}" --no-run
    echo "$packages: built, $((SECONDS - begin)) s"
    "${test[@]}"
    echo "$packages: tested, $((SECONDS - begin)) s"
done

# Curves, and an experiment: a table, a file, and its chart.
charts="$(mktemp -d)"
trap 'rm -rf "$charts"' EXIT
cargo run --quiet -- dot --size 10 --passes 2 --curve --repeat 1 --contenders pipes --plot "$charts/lines.svg"
grep -q speed-up "$charts/lines.svg"
cargo run --quiet -- mandelbrot --class test --replicas 1:2 --metrics --repeat 2 --csv "$charts/sweep.csv" \
    --plot "$charts/sweep.svg"
[ "$(wc -l <"$charts/sweep.csv")" -eq 13 ] && grep -q latency "$charts/sweep.svg"
