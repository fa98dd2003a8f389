#!/usr/bin/env bash
# Runs the README's test command: the tests of the library in one process.
set -euo pipefail
cd "$(dirname "$0")/.."
# Incremental compilation does not help, because a clean clone is built only once.
CARGO_INCREMENTAL=0 cargo test
