#!/usr/bin/env bash
# Checks that the published packages compile with the oldest versions of other packages that their manifests
# allow: those that the manifests name, beside the newest of the rest; and the oldest of all.
#
# Works in a copy, without what only tests depend on, so the lock file of the tree neither matters nor
# changes. Without the registry, it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
folders=(pipes-macros pipes pipes-skeleton pipes-remote)
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")/versions"
copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT

cp -r README.md "${folders[@]}" "$copy"
# The profiles name packages that are not there.
sed -e '/^\[profile/,$d' -e '/^default-members/d' -e '/^exclude/d' \
    -e 's/^members = .*/members = ["pipes", "pipes-macros", "pipes-remote", "pipes-skeleton"]/' Cargo.toml >"$copy/Cargo.toml"
for folder in "${folders[@]}"; do
    awk '/^\[/ { left_out = /dev-dependencies/ } !left_out' "$folder/Cargo.toml" >"$copy/$folder/Cargo.toml"
done
cd "$copy"
export CARGO_TARGET_DIR="$target"
cargo update --quiet || { echo "SKIPPED versions: the registry cannot be reached" && exit 0; }

check() { # check HOW FEATURES…: compiles without features and with these, with the versions that HOW selects
    local how="$1"
    shift
    # The options are unstable: they need a nightly compiler or this variable.
    RUSTC_BOOTSTRAP=1 cargo update --quiet -Z "$how" || { echo "FAILED: $how: a lower bound is too low" >&2 && exit 1; }
    cargo check --quiet --workspace --no-default-features
    cargo check --quiet --workspace "$@"
}

check direct-minimal-versions --all-features
# Without `quic`: the oldest packages behind `quinn` do not compile with each other.
remote=session-pipes-remote
check minimal-versions --features $remote/farm,$remote/schema,$remote/tls
