#!/usr/bin/env bash
# Runs the table, the behaviour tests, the skeletons, the stress tests and all random tests under the thread
# sanitizer. The standard library is instrumented as well. Otherwise accesses that `Arc` and `park` order
# would look like races.
#
#   ci/tsan.sh [NAME…]      only these test targets
#
# First the sanitizer must report a planted race. The script needs a nightly compiler with the sources of the
# standard library, or Debian's packages of one (TSAN_COMPILER=debian uses these at once). Without them it
# says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/planted-fault.sh
source ci/debian-rustc.sh
tests=("${@:-}")
# shellcheck disable=SC2206
[ -n "${tests[0]}" ] || tests=(table inspect stress random programs pipelines ${PIPES_SANITIZED:-skeleton it})

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

# Memory that a thread keeps would hide races at the end of a pipe. The library turns that off by itself, but
# the tests have to know it, too.
export RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=thread --cfg pipes_no_cache"
export CARGO_TARGET_DIR="$target/tsan"
# Without line tables, which take time to build. CARGO_PROFILE_DEV_DEBUG=line-tables-only adds line numbers to
# reports.
export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}" CARGO_INCREMENTAL=0
export TSAN_OPTIONS="${TSAN_OPTIONS:-} halt_on_error=1 exitcode=66"
# Everything takes ten times as long. So the tests wait longer before they report a hang, and repeat races
# less often. There are no backtraces, because those of intended panics would take most of the time.
export PIPES_TENTH=yes RUST_BACKTRACE=0
export PIPES_PATIENCE=300

flags=(-Zbuild-std --target "$host")
planted_fault raced 'ThreadSanitizer: data race' <ci/planted/raced.rs

# Builds all targets at once, which uses the cores better than one after the other.
begin=$SECONDS
"${cargo[@]}" test --quiet "${flags[@]}" --package pipes-tests --no-run "${tests[@]/#/--test=}"
echo "tsan: built, $((SECONDS - begin)) s"
for test in "${tests[@]}"; do
    begin=$SECONDS
    # `no_threads` limits the address space, which a sanitizer needs.
    "${cargo[@]}" test --quiet "${flags[@]}" --package pipes-tests --test "$test" -- --skip no_threads
    echo "tsan: $test passed, $((SECONDS - begin)) s"
done
