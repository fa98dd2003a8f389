#!/usr/bin/env bash
# Checks `pipes` without its default feature and with it, and `pipes-skeleton`, each alone (warnings as
# errors, tests, documentation); `pipes` without the cache of freed pipes; the published packages with the
# oldest supported compiler; and `pipes` and `pipes-skeleton` for a target without threads. `pipes` with the
# feature `inspect`, which no default member and no count of instructions may have.
#
# Installs the compiler and the target's standard library for the last two. Where these are not available, it
# says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."

for package in "session-pipes --no-default-features" session-pipes session-pipes-skeleton; do
    read -ra flags <<<"--package $package"
    cargo clippy --quiet "${flags[@]}" --all-targets -- --deny warnings
    RUSTDOCFLAGS="--deny warnings" cargo doc --quiet "${flags[@]}" --no-deps
done
cargo test --quiet --package session-pipes --no-default-features
# `cargo test` runs its other tests with the same features.
cargo test --quiet --package session-pipes --doc
cargo test --quiet --package session-pipes-skeleton

cargo clippy --quiet --package session-pipes --features inspect --all-targets -- --deny warnings
RUSTDOCFLAGS="--deny warnings" cargo doc --quiet --package session-pipes --features inspect --no-deps
cargo test --quiet --package session-pipes --features inspect --doc inspect
cargo test --quiet --package pipes-deadlock-tests
has_inspect() { # has_inspect ARGUMENT…: whether these packages are built with the feature
    local tree
    tree="$(cargo tree --edges features,normal,dev "$@")"
    [[ $tree == *'session-pipes feature "inspect"'* ]]
}
has_inspect --package pipes-deadlock-tests
if has_inspect || has_inspect --package pipes-counts; then
    echo "FAILED: the feature inspect is on where no package asks for it" >&2
    exit 1
fi

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
(
    export RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_no_cache" CARGO_TARGET_DIR="$target/no-cache"
    cargo test --quiet --package session-pipes --lib
    cargo test --quiet --package pipes-tests --test memory --test returned
)

for folder in pipes pipes-skeleton pipes-remote; do
    oldest="$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$folder/Cargo.toml")"
    if command -v rustup >/dev/null &&
        { rustup run "$oldest" rustc --version || rustup toolchain install "$oldest" --profile minimal; } >/dev/null 2>&1; then
        RUSTFLAGS="${RUSTFLAGS:-} --deny warnings" CARGO_TARGET_DIR="$target/oldest" \
            cargo "+$oldest" test --quiet --package "session-$folder" --lib
    else
        echo "SKIPPED features: the compiler $oldest cannot be had"
    fi
done

ci/check-targets.sh wasm32-unknown-unknown
