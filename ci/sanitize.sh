#!/usr/bin/env bash
# Runs the table, the behaviour tests, the skeletons, the stress tests and all random tests under the address
# sanitizer, which also finds leaks.
#
# First the sanitizer must report a planted use of freed memory and a planted leak. The script needs an
# unstable compiler flag and the sanitizer's runtime. Without the runtime it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/planted-fault.sh
host="$(rustc -vV | sed -n 's/^host: //p')"
library="$(rustc --print sysroot)/lib/rustlib/$host/lib"
if ! compgen -G "$library/librustc*_rt.asan.*" >/dev/null; then
    echo "SKIPPED sanitize: $host has no address sanitizer"
    exit 0
fi
export RUSTC_BOOTSTRAP=1
# Memory that a thread keeps would hide the use of freed memory. The library turns that off by itself, but the
# tests have to know it, too.
export RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address --cfg pipes_no_cache"
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR="$target/asan"
# Without line tables, which take time to build. CARGO_PROFILE_DEV_DEBUG=line-tables-only adds line numbers to
# reports.
export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}" CARGO_INCREMENTAL=0
# What a sanitizer finds is on the way of each repetition, so races are repeated a tenth as often.
export PIPES_TENTH=yes PIPES_PATIENCE=300 RUST_BACKTRACE=0

cargo=(cargo)
flags=(--target "$host")
planted_fault freed 'AddressSanitizer: heap-use-after-free' <ci/planted/freed.rs
planted_fault leaked 'LeakSanitizer: detected memory leaks' <ci/planted/leaked.rs

test=(cargo test --quiet --target "$host" --package pipes-tests)
# Builds all targets at once, which uses the cores better than one after the other.
begin=$SECONDS
read -ra large <<<"${PIPES_SANITIZED:-skeleton it}"
"${test[@]}" --no-run --test={table,programs,stress,random,pipelines} "${large[@]/#/--test=}"
echo "sanitize: built, $((SECONDS - begin)) s"

# `no_threads` is skipped because it limits the address space, which a sanitizer needs. Some tests run
# without the search for leaks: some behaviour tests and scenarios forget an end or a future on purpose,
# some skeletons leave a thread, and some programs forget a future.
for name in programs table "${large[@]}"; do
    ASAN_OPTIONS=detect_leaks=0 "${test[@]}" --test "$name" -- --skip no_threads
done
"${test[@]}" --test stress --test random --test pipelines
