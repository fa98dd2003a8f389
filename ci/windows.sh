#!/usr/bin/env bash
# Runs the tests on Windows as wine emulates it, with mingw's linker: `pipes`, `pipes-skeleton`, and
# `pipes-remote` over TCP and TLS.
#
# The script needs Debian's mingw and wine; without them it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/platforms.sh
triple=x86_64-pc-windows-gnu
packages=(session-pipes session-pipes-skeleton) tests=pipes-tests remote=session-pipes-remote remote_tests=pipes-remote-tests

skip() {
    echo "SKIPPED windows: $1"
    exit 0
}

[ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ] ||
    { command -v rustup >/dev/null && rustup target add "$triple" >/dev/null 2>&1; } ||
    skip "the standard library for $triple cannot be had"
is_there() {
    command -v x86_64-w64-mingw32-gcc >/dev/null && command -v wine >/dev/null
}
is_there || { apt-get update -qq && apt-get install -y -qq gcc-mingw-w64-x86-64 wine wine64; } >/dev/null 2>&1 || true
is_there || skip "there is no wine, or no linker for Windows"

export CARGO_PROFILE_DEV_DEBUG="${CARGO_PROFILE_DEV_DEBUG:-0}" CARGO_INCREMENTAL=0
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR="$target/windows"
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine WINEPREFIX="$target/windows/wine" WINEDEBUG=-all
mkdir -p "$WINEPREFIX"
wineboot --init >/dev/null 2>&1 || skip "wine does not start"

# The standard library's source of random numbers, which wine 8 lacks.
random="$target/windows/bcryptprimitives"
export WINEPATH="Z:${random//\//\\}"
mkdir -p "$random"
x86_64-w64-mingw32-gcc -shared -x c - -o "$random/bcryptprimitives.dll" -ladvapi32 <<'C'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) { return RtlGenRandom(bytes, length); }
C

# A wine server of its own, which ends with the script.
trap 'wineserver --kill 2>/dev/null || true' EXIT
export PIPES_PATIENCE=600
passes cargo test --target "$triple" "${packages[@]/#/--package=}" --lib -- --quiet
passes cargo test --target "$triple" --package "$tests" \
    --test={it,table,inspect,memory,endless,returned,random,programs,pipelines,skeleton,stress} -- --quiet
emulator="$(wine --version 2>/dev/null | cut -d" " -f1)"
record "Windows on x86-64" "emulated: $emulator"
passes cargo test --target "$triple" --package "$remote" --all-features --lib -- --quiet
# QUIC does not start, because wine 8 lacks an option of UDP. The last five use it, too.
no_quic=(--skip quic --skip idle_sessions --skip workers_whose_programs_end_at_once --skip lost::a_worker_with
    --skip lost::a_lost_item_does_not_go --skip lost::a_lost_item_waits_for)
passes cargo test --target "$triple" --package "$remote_tests" -- --quiet "${no_quic[@]}"
record "Windows on x86-64, between processes" "emulated: $emulator; without QUIC"
