#!/usr/bin/env bash
# Tests protocols between processes, counts the packages that `pipes-remote` depends on with each engine, and
# tests `pipes-top`, which asks processes for what their threads wait for.
# The benchmark programs between processes are tested by ci/applications.sh.
#
# ci/remote-long.sh runs the same tests at full size.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/platforms.sh

weigh() { # weigh FEATURES MOST: fails if more packages than these are needed
    local count
    count="$(cargo tree --package session-pipes-remote --features "$1" --edges normal \
        --target x86_64-unknown-linux-gnu --prefix none | sed 's/ (\*)$//' | sort -u | grep -vc '^session-pipes-remote ')"
    echo "pipes-remote${1:+ with $1} depends on $count packages, at most $2"
    [ "$count" -le "$2" ] || { echo "FAILED: too many" >&2 && exit 1; }
}
weigh "" 25
weigh farm 25
weigh ws 48
weigh tls 42
weigh quic 56

cargo clippy --quiet --package session-pipes-remote --all-features --all-targets -- --deny warnings
cargo clippy --quiet --package session-pipes-remote --no-default-features -- --deny warnings
cargo clippy --quiet --package session-pipes-remote --features tls -- --deny warnings
cargo clippy --quiet --package session-pipes-remote --features farm -- --deny warnings
cargo clippy --quiet --package session-pipes-remote --features ws -- --deny warnings
# A page links only to what is there. What a page says, and what it links to, depends on one feature each, so
# these sets have each combination of any two of them: the wire, `farm` and `schema`.
for features in "" farm,schema tls,farm tls,schema quic quic,farm,schema ws ws,tls; do
    RUSTDOCFLAGS="--deny warnings" cargo doc --quiet --package session-pipes-remote --features "$features" --no-deps
done
# Both at once, so that the library and what it depends on are built with one set of features.
export CARGO_INCREMENTAL=0
passes cargo test --package session-pipes-remote --package pipes-remote-tests --all-features -- --quiet
# ci/lint.sh checks it.
passes cargo test --package session-pipes-top -- --quiet
record "Linux on x86-64, between processes" "one machine"
