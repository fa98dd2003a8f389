#!/usr/bin/env bash
# Compares the output of every example with the expected one.
set -euo pipefail
cd "$(dirname "$0")/.."
CARGO_INCREMENTAL=0 cargo test --quiet --package pipes-examples
