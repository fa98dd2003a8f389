#!/usr/bin/env bash
# Every test but the models: the README's test command.
set -euo pipefail
cd "$(dirname "$0")/.."
# A clean clone is built once.
CARGO_INCREMENTAL=0 cargo test
