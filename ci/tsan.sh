#!/usr/bin/env bash
# The behaviour, the skeletons, the stress tests, the attacks and all that is random under the thread sanitizer, with a standard
# library that is instrumented as well: without that, what `Arc` and `park` order looks like races.
#
#   ci/tsan.sh [NAME…]      other test targets than all
#
# First the sanitizer must report a race that is planted. It needs a nightly compiler with the sources of the standard library, or
# Debian's packages of one (TSAN_COMPILER=debian takes these at once); without them it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/planted-fault.sh
source ci/debian-rustc.sh
tests=("${@:-}")
[ -n "${tests[0]}" ] || tests=(stress random programs pipelines skeleton attacks it)

skip() {
    echo "SKIPPED tsan: $1"
    exit 0
}

nightly() {
    command -v rustup >/dev/null || return 1
    [ -d "$(rustc +nightly --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library" ] ||
        rustup component add rust-src --toolchain nightly >/dev/null 2>&1 ||
        rustup toolchain install nightly --profile minimal --component rust-src >/dev/null 2>&1
}

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
if [ "${TSAN_COMPILER:-nightly}" = nightly ] && nightly; then
    cargo=(cargo +nightly)
    host="$(rustc +nightly -vV | sed -n 's/^host: //p')"
elif debian_rustc "$target/debian-rustc"; then
    cargo=(cargo)
    host="$("$RUSTC" -vV | sed -n 's/^host: //p')"
else
    skip "neither a nightly compiler nor Debian's, with the sources of the standard library, can be had"
fi
[[ "$host" == x86_64-unknown-linux-gnu || "$host" == aarch64-unknown-linux-gnu ]] ||
    skip "there is no thread sanitizer for $host"

export RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=thread"
export CARGO_TARGET_DIR="$target/tsan"
# Without lines, which take time to build: CARGO_PROFILE_DEV_DEBUG=line-tables-only gives a report some.
export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}" CARGO_INCREMENTAL=0
export TSAN_OPTIONS="${TSAN_OPTIONS:-} halt_on_error=1 exitcode=66"
# Everything takes ten times as long: that nothing happens is no hang so soon, and races are repeated less often. Backtraces of panics that
# are meant would take most of the time.
export PIPES_TENTH=yes RUST_BACKTRACE=0
export PIPES_PROGRAM_PATIENCE=120 PIPES_PIPELINE_PATIENCE=120 PIPES_PATIENCE=300

flags=(-Zbuild-std --target "$host")
planted_fault raced 'ThreadSanitizer: data race' <ci/planted/raced.rs

# All at once, for that uses the cores better than one after the other.
begin=$SECONDS
"${cargo[@]}" test --quiet "${flags[@]}" --package pipes-tests --no-run "${tests[@]/#/--test=}"
echo "tsan: built, $((SECONDS - begin)) s"
for test in "${tests[@]}"; do
    begin=$SECONDS
    # (`no_threads` limits the address space, all of which a sanitizer takes. All of `fickle_keys` is in one thread.)
    "${cargo[@]}" test --quiet "${flags[@]}" --package pipes-tests --test "$test" -- \
        --skip no_threads --skip fickle_keys
    echo "tsan: $test passed, $((SECONDS - begin)) s"
done
