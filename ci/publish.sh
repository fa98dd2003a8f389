#!/usr/bin/env bash
# Checks whether the packages can be published as they are. Run it by hand, before a release.
#
#   ci/publish.sh            changes nothing, and says at the end what it would publish
#   ci/publish.sh --really   publishes the packages in the order of their dependencies, and tags the commit
set -euo pipefail
cd "$(dirname "$0")/.."
really=false
case "$*" in
'') ;;
--really) really=true ;;
*) echo "usage: ci/publish.sh [--really]" >&2 && exit 2 ;;
esac

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR="$target"
mapfile -t packages < <(ci/package.sh list)
version="$(sed -n '/^\[workspace.package\]/,/^$/ s/^version = "\(.*\)"/\1/p' Cargo.toml)"
tag="v$version"

docs() { # as the documentation host makes them
    local package wasm=wasm32-unknown-unknown
    cargo +nightly --version >/dev/null 2>&1 || { echo "SKIPPED docs: there is no nightly compiler" && return; }
    export RUSTDOCFLAGS="--cfg docsrs --deny warnings" CARGO_TARGET_DIR="$target/docsrs"
    for package in "${packages[@]}"; do
        cargo +nightly doc --quiet --no-deps --all-features --package "$package"
    done
    grep -q 'Available on.*crate feature.*proto' "$CARGO_TARGET_DIR/doc/pipes/macro.proto.html" ||
        { echo "FAILED: the page of proto! does not say which feature it needs" && return 1; }
    if [ -d "$(rustc +nightly --print sysroot)/lib/rustlib/$wasm" ] ||
        { command -v rustup >/dev/null && rustup target add --toolchain nightly "$wasm" >/dev/null 2>&1; }; then
        cargo +nightly doc --quiet --no-deps --all-features --package session-pipes --target "$wasm"
    else
        echo "SKIPPED docs: the standard library for $wasm cannot be had"
    fi
}

semver() { # against the last version
    local last
    last="$(git describe --tags --abbrev=0 --match 'v*' HEAD^ 2>/dev/null)" ||
        { echo "there is no tag: this is the first release" && return; }
    export PATH="$target/tools/bin:$PATH"
    cargo semver-checks --version >/dev/null 2>&1 ||
        cargo install --quiet --locked --root "$target/tools" cargo-semver-checks >/dev/null 2>&1 ||
        { echo "SKIPPED semver: cargo-semver-checks cannot be had" && return; }
    # It knows neither macros nor programs.
    cargo semver-checks --baseline-rev "$last" --all-features \
        --package session-pipes --package session-pipes-skeleton --package session-pipes-remote
}

licences() { # of all that the packages depend on: each part that `AND` joins must offer an allowed one
    cargo tree "${packages[@]/#/--package=}" --all-features --edges no-dev --target all --prefix none \
        --format '{p}: {l}' | sed 's/ (\*)$//' | sort -u | awk -F ': ' '
            BEGIN {
                split("Apache-2.0 BSD-3-Clause ISC MIT Unicode-3.0 Unlicense Zlib", list, " ")
                for (one in list) allowed[list[one]]
            }
            /./ {
                good = parts = split($2, part, " AND ")
                for (i = 1; i <= parts; i++) {
                    one = 0
                    choices = split(part[i], choice, / OR |\//)
                    for (j = 1; j <= choices; j++) { gsub(/[()]/, "", choice[j]); one += choice[j] in allowed }
                    good = good && one
                }
                if (!good) { print "FAILED: the licence of " $0; failed = 1 }
            }
            END { if (NR < 50) { print "FAILED: the list is too short to be true"; failed = 1 }; exit failed }
        '
}

changelog() {
    local file
    for file in CHANGELOG.md pipes-skeleton/CHANGELOG.md; do
        grep -qE "^## \[?${version//./\\.}\]?( |$)" "$file" || { echo "FAILED: $file has no section $version" && return 1; }
    done
}

tag() { # the tag is new, or that of this commit
    local tagged
    tagged="$(git rev-parse --quiet --verify "refs/tags/$tag^{commit}")" || return 0
    [ "$tagged" = "$(git rev-parse HEAD)" ] || { echo "FAILED: $tag is another commit" && return 1; }
}

tree() {
    [ -z "$(git status --porcelain)" ] || { echo "FAILED: there are changes that are not committed" && return 1; }
}

failed=()
check() { # check NAME COMMAND: runs it, and says how it went
    local log status
    log="$(mktemp)"
    # `set -e` has no effect in a condition.
    set +e
    (set -e && "$2") >"$log" 2>&1
    status=$?
    set -e
    if [ "$status" -eq 0 ]; then echo "ok      $1"; else failed+=("$1") && echo "FAILED  $1"; fi
    tail -n 40 "$log"
    rm -f "$log"
}
check package ci/package.sh
check docs docs
check semver semver
check licences licences
check versions ci/versions.sh
check changelog changelog
check tag tag
check tree tree

echo "in this order: ${packages[*]/%/ $version}; then the tag $tag"
if [ ${#failed[@]} -gt 0 ]; then
    echo "publish: nothing can be published yet: ${failed[*]}" >&2
    exit 1
fi
$really || { echo "publish: nothing was published; ci/publish.sh --really does it" && exit 0; }
for package in "${packages[@]}"; do
    cargo publish --package "$package"
done
git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null || git tag "$tag"
