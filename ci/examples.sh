#!/usr/bin/env bash
# Every example against its expected output.
set -euo pipefail
cd "$(dirname "$0")/.."
CARGO_INCREMENTAL=0 cargo test --quiet --package pipes-examples
