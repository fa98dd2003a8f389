#!/usr/bin/env bash
# Compiles for macOS and WebAssembly, or those of their targets that are named. Warnings are errors.
#
# TLS and QUIC are left out on macOS, because their cryptography needs a C compiler for it; so are the tests
# between processes, which use both.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/platforms.sh
threads=(session-pipes session-pipes-skeleton pipes-tests) no_threads=(session-pipes session-pipes-skeleton)
remote=session-pipes-remote remote_features=farm,schema
[ $# -gt 0 ] || set -- aarch64-apple-darwin x86_64-apple-darwin wasm32-unknown-unknown

export CARGO_INCREMENTAL=0 RUSTFLAGS="${RUSTFLAGS:-} --deny warnings"
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR="$target/checked"
names() { # names PACKAGE…: as a list in Markdown
    printf '`%s`, ' "$@" | sed 's/, $//'
}
for triple in "$@"; do
    [ -d "$(rustc --print sysroot)/lib/rustlib/$triple" ] ||
        { command -v rustup >/dev/null && rustup target add "$triple" >/dev/null 2>&1; } ||
        { echo "SKIPPED check-targets: the standard library for $triple cannot be had" && continue; }
    case "$triple" in
    wasm32-*)
        cargo check --quiet --target "$triple" "${no_threads[@]/#/--package=}"
        ;;
    *-apple-darwin)
        cargo check --quiet --target "$triple" "${threads[@]/#/--package=}" --all-targets
        cargo check --quiet --target "$triple" --package "$remote" --features "$remote_features" --all-targets
        record "macOS, ${triple%%-*}" "\`$triple\`" \
            "none: $(names "${threads[@]}") and \`$remote\` with \`${remote_features//,/\` and \`}\` compile"
        ;;
    *) echo "check-targets: $triple is not known" >&2 && exit 2 ;;
    esac
    echo "compiled: $triple"
done
