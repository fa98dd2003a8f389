#!/usr/bin/env bash
# Checks that the public interface is the one listed in ci/api.txt. `BLESS=1 ci/api.sh` writes the list again.
# Each change of the interface needs a line in CHANGELOG.md.
set -euo pipefail
cd "$(dirname "$0")/.."
# The output of rustdoc differs between versions. The list was made with this one.
compiler=1.95
case "$(rustc --version)" in
"rustc $compiler."*) ;;
*) echo "SKIPPED api: the list is that of rustc $compiler" && exit 0 ;;
esac

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
# JSON output is unstable, so it needs a nightly compiler or this variable. Only rustdoc gets it: with it
# everything would be compiled once more.
mkdir -p "$target/api"
printf '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n' >"$target/api/rustdoc"
chmod +x "$target/api/rustdoc"
files=()
for crate in pipes_macros pipes pipes_skeleton pipes_remote; do
    RUSTDOC="$target/api/rustdoc" cargo rustdoc --quiet --package "session-${crate//_/-}" --all-features --lib -- \
        -Z unstable-options --output-format json
    files+=("$target/doc/$crate.json")
done
list="$(cargo run --quiet --manifest-path ci/api/Cargo.toml --target-dir "$target" -- "${files[@]}")"
[ "$(wc -l <<<"$list")" -ge 500 ] || { echo "FAILED: the list is too short to be true" >&2 && exit 1; }
if [ -n "${BLESS:-}" ]; then
    echo "$list" >ci/api.txt
fi
diff ci/api.txt - <<<"$list" || {
    echo "FAILED: the public interface has changed. Say so in CHANGELOG.md, then run BLESS=1 ci/api.sh." >&2
    exit 1
}
