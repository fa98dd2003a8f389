#!/usr/bin/env bash
# The behaviour, the skeletons, the stress tests, the attacks and all that is random under the address sanitizer, which also finds
# leaks.
#
# First it must report a use of freed memory and a leak that are planted. It needs a switch of the compiler that is not stable, and
# the sanitizer's runtime; without them it says so and passes.
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
export RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address"
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR="$target/asan"
# Without lines, which take time to build: CARGO_PROFILE_DEV_DEBUG=line-tables-only gives a report some.
export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}" CARGO_INCREMENTAL=0
export PIPES_PROGRAM_PATIENCE=120 PIPES_PIPELINE_PATIENCE=120 PIPES_PATIENCE=300 RUST_BACKTRACE=0

cargo=(cargo)
flags=(--target "$host")
planted_fault freed 'AddressSanitizer: heap-use-after-free' <ci/planted/freed.rs
planted_fault leaked 'LeakSanitizer: detected memory leaks' <ci/planted/leaked.rs

test=(cargo test --quiet --target "$host" --package pipes-tests)
# All at once, for that uses the cores better than one after the other.
begin=$SECONDS
"${test[@]}" --no-run --test={it,skeleton,programs,attacks,stress,random,pipelines}
echo "sanitize: built, $((SECONDS - begin)) s"

# (`no_threads` limits the address space, all of which a sanitizer takes.)
# Some tests of behaviour forget an endpoint on purpose, some of the skeletons leave a thread behind, some programs forget a future,
# and what a function returns leaks if a destructor behind it panics, as those of `fuses` and `tasks` do.
ASAN_OPTIONS=detect_leaks=0 "${test[@]}" --test it --test skeleton --test programs
ASAN_OPTIONS=detect_leaks=0 "${test[@]}" --test attacks -- hangs:: fuses memory::tasks --skip no_threads
"${test[@]}" --test attacks -- memory:: --skip fuses --skip memory::tasks
"${test[@]}" --test stress --test random --test pipelines
