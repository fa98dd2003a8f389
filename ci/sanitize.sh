#!/usr/bin/env bash
# The behaviour, the skeletons, the stress and the random tests under the address sanitizer, which also finds leaks.
#
# It needs a switch of the compiler that is not stable, and the sanitizer's runtime; without them it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
host="$(rustc -vV | sed -n 's/^host: //p')"
library="$(rustc --print sysroot)/lib/rustlib/$host/lib"
if ! compgen -G "$library/librustc*_rt.asan.*" >/dev/null; then
    echo "sanitize: skipped, $host has no address sanitizer"
    exit 0
fi
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/asan"
# Some tests of behaviour forget an endpoint on purpose, some of the skeletons leave a thread behind.
ASAN_OPTIONS=detect_leaks=0 cargo test --quiet --target "$host" --package pipes-tests --test it --test skeleton
cargo test --quiet --target "$host" --package pipes-tests --test stress --test random
