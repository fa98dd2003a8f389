#!/usr/bin/env bash
# Runs the tests on emulated 64-bit ARM: another instruction set and other atomics, but not its weak memory,
# because qemu runs on a machine whose memory is stronger.
#
# With PIPES_ARM=part only the unit tests and the behaviour tests, with fewer repetitions. The script needs
# qemu, a linker and a C library, which Debian has; without them it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/platforms.sh
triple=aarch64-unknown-linux-gnu root=/usr/aarch64-linux-gnu
packages=(session-pipes session-pipes-skeleton) tests=pipes-tests remote=(session-pipes-remote pipes-remote-tests)

skip() {
    echo "SKIPPED arm: $1"
    exit 0
}

[ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ] ||
    { command -v rustup >/dev/null && rustup target add "$triple" >/dev/null 2>&1; } ||
    skip "the standard library for $triple cannot be had"
is_there() {
    hash qemu-aarch64 aarch64-linux-gnu-gcc 2>/dev/null && [ -e "$root/lib/libc.so.6" ]
}
is_there ||
    { apt-get update -qq && apt-get install -y -qq qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross; } >/dev/null 2>&1 || true
is_there || skip "there is no emulator, or no linker and C library for ARM"

# The emulator slows everything down, also other programs beside it.
export PIPES_PATIENCE=600
# Tests that start their own program use the emulator, too.
export PIPES_RUNNER="qemu-aarch64 -L $root"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$PIPES_RUNNER"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}" CARGO_INCREMENTAL=0
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR="$target/arm"
if [ -n "${PIPES_ARM:-}" ]; then
    [ "$PIPES_ARM" = part ] || { echo "arm: PIPES_ARM is \`part\`, or not set" >&2 && exit 2; }
    export PIPES_TENTH=yes
    cargo test --quiet --target "$triple" "${packages[@]/#/--package=}" --lib
    cargo test --quiet --target "$triple" --package "$tests" --test it
    exit
fi

passes cargo test --target "$triple" "${packages[@]/#/--package=}" --lib -- --quiet
# `no_threads` limits the address space, which would limit the emulator. `served` gives up slow readers.
passes cargo test --target "$triple" --package "$tests" \
    --test={it,table,inspect,memory,endless,returned,random,programs,pipelines,skeleton,stress} \
    -- --quiet --skip no_threads:: --skip served::
emulator="$(qemu-aarch64 --version | sed -n '1s/.*version \([0-9.]*\).*/qemu \1/p')"
record "Linux on ARM, 64 bits" "emulated: $emulator"
passes cargo test --target "$triple" --package "${remote[0]}" --all-features --lib -- --quiet
passes cargo test --target "$triple" --package "${remote[1]}" -- --quiet
record "Linux on ARM, 64 bits, between processes" "emulated: $emulator"
