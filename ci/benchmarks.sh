#!/usr/bin/env bash
# Runs the tests of the programs about channels, which compare many of them: each program once, at a tiny
# size, in every place where it runs and with every contender; the results are checked, and nothing is
# measured. Then draws a chart. The applications have a script of their own, ci/applications.sh.
#
# This is the profile of the tests, so that what they have built is not built again.
set -euo pipefail
cd "$(dirname "$0")/.."
begin=$SECONDS
cargo test --quiet --no-run --package pipes-channels
echo "benchmarks: built, $((SECONDS - begin)) s"
cargo test --quiet --package pipes-channels
echo "benchmarks: tested, $((SECONDS - begin)) s"
cargo build --quiet --package pipes-channels --benches

# Draws with the real plotting code.
charts="$(mktemp -d)"
trap 'rm -rf "$charts"' EXIT
cargo run --quiet -- oneshot --rounds 100 --repeat 1 --contenders pipes,std --plot "$charts/bars.png"
[ -s "$charts/bars.png" ]
