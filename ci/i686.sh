#!/usr/bin/env bash
# Runs the unit tests, the table, the behaviour tests, the skeletons, the stress tests and all random tests on
# a 32-bit target.
#
# First the compiler must refuse a payload that is too large for 32 bits. The script needs the target's
# standard library and a linker for it; without them it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/planted-fault.sh
source ci/platforms.sh
triple=i686-unknown-linux-gnu

skip() {
    echo "SKIPPED i686: $1"
    exit 0
}

[ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ] ||
    { command -v rustup >/dev/null && rustup target add "$triple" >/dev/null 2>&1; } ||
    skip "the standard library for $triple cannot be had"
links() {
    echo 'int main(void) { return 0; }' | cc -m32 -x c - -o /dev/null 2>/dev/null
}
links || { apt-get update -qq && apt-get install -y -qq gcc-multilib; } >/dev/null 2>&1 || true
links || skip "there is no linker for 32 bits"

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR="$target/i686"
# Without line tables, which take time to build. CARGO_PROFILE_DEV_DEBUG=line-tables-only adds line numbers to
# reports.
export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}" CARGO_INCREMENTAL=0
# On 32 bits, sizes, alignments and overflows differ. They do not depend on how often a race is repeated, so
# races are repeated a tenth as often.
export PIPES_TENTH=yes
cargo=(cargo)
flags=(--target "$triple")
dependency="session-pipes = { path = \"$PWD/pipes\" }"
for stream in 'pipes::stream' 'pipes::shared_stream' 'pipes::oneshot'; do
    planted_fault too-large 'larger than memory\|too big' <<PROGRAM
fn main() {
    drop($stream::<[u8; 0x7fff_fff4]>());
}
PROGRAM
done
passes cargo test --target "$triple" --package session-pipes --package session-pipes-skeleton --lib -- --quiet
# shellcheck disable=SC2206
tests=(table stress random programs pipelines ${PIPES_I686:-skeleton it})
passes cargo test --target "$triple" --package pipes-tests "${tests[@]/#/--test=}" -- --quiet
record "Linux on x86, 32 bits" "on a processor of 64 bits"
