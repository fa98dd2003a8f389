#!/usr/bin/env bash
# Packs each published package, builds it from the package, and checks that it has the files and fields that a
# registry shows. `ci/package.sh list` only prints their names, in the order of publishing.
set -euo pipefail
cd "$(dirname "$0")/.."
# Their folders have the same names without `session-`.
packages=(session-pipes-macros session-pipes session-pipes-skeleton session-pipes-remote session-pipes-top)
case "$*" in
'') ;;
list) printf '%s\n' "${packages[@]}" && exit 0 ;;
*) echo "usage: ci/package.sh [list]" >&2 && exit 2 ;;
esac
# Cargo keeps what it unpacked, by name and version, in a folder of a local registry, and would check these
# old sources again.
for package in "${packages[@]}"; do
    rm -rf "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/"$package"-[0-9]*
done
cargo package --quiet --allow-dirty "${packages[@]/#/--package=}"
for package in "${packages[@]}"; do
    list="$(cargo package --quiet --allow-dirty --list --package "$package")"
    for file in README.md LICENSE-MIT LICENSE-APACHE; do
        grep -qx "$file" <<<"$list" || { echo "FAILED: $package has no $file" >&2 && exit 1; }
    done
    for field in description license readme keywords categories rust-version; do
        grep -qE "^$field(\.workspace)? = " "${package#session-}/Cargo.toml" ||
            { echo "FAILED: $package has no $field" >&2 && exit 1; }
    done
done
