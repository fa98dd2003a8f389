#!/usr/bin/env bash
# Runs the README's test command: the tests of the library in one process.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/platforms.sh
# Incremental compilation does not help, because a clean clone is built only once.
export CARGO_INCREMENTAL=0
passes cargo test
record "Linux on x86-64" "one machine"
