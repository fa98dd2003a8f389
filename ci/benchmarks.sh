#!/usr/bin/env bash
# Runs the tests of the programs about channels: each program once, at a tiny size, in every place where it
# runs and with every contender; the results are checked, and nothing is measured. Runs the tests of the
# charts, and draws one of a race. The applications have a script of their own, ci/applications.sh.
#
# This is the profile of the tests, so that what they have built is not built again.
set -euo pipefail
cd "$(dirname "$0")/.."
test=(cargo test --quiet --package pipes-channels --package pipes-charts)
begin=$SECONDS
"${test[@]}" --no-run
echo "benchmarks: built, $((SECONDS - begin)) s"
"${test[@]}"
echo "benchmarks: tested, $((SECONDS - begin)) s"
cargo build --quiet --package pipes-channels --package pipes-charts --benches

# Draws with the real plotting code.
charts="$(mktemp -d)"
trap 'rm -rf "$charts"' EXIT
cargo run --quiet -- oneshot --rounds 100 --repeat 1 --contenders pipes,std --plot "$charts/bars.png"
[ -s "$charts/bars.png" ]
