#!/usr/bin/env bash
# Runs the tests of sessions between programs at sizes that take too long for `cargo test`. Run it by hand; it
# takes about three quarters of an hour.
#
#   ci/remote-long.sh [NAME…]    only these of: walks hostile remote-memory farm fuzz iroh timely
#
# walks      random sessions of random protocols, over memory, Unix sockets and streams that are cut anywhere;
#            with three sets of protocols (PIPES_WALKS=500 sessions of each, over each, with each window)
# hostile    strangers' bytes against a listener (PIPES_HOSTILE=1000000 streams inside of the program; a
#            thirtieth as many for each target of the fuzzer; and a crowd for ten thousand of them at the
#            sockets of each engine)
# remote-memory  sessions that do nothing (PIPES_IDLE=10000 at once), and a receiver that is much slower than
#            its peer (PIPES_FLOOD=10000000 messages)
# iroh       the example over iroh: ci/workspaces.sh, which runs alone, too
# timely     the example with timely, likewise
# farm       a farm whose workers are killed (PIPES_FARM=100000 items)
# fuzz       the targets of `tests/fuzz` are built, and run if there is `cargo fuzz` (PIPES_FUZZ=60 seconds
#            each)
#
# PIPES_RANDOM_SEED is the first protocol of the first set. A failure prints how to run it again.
set -euo pipefail
cd "$(dirname "$0")/.."
tests=("$@")
[ $# -gt 0 ] || tests=(remote-memory hostile farm walks iroh timely fuzz)
seed="${PIPES_RANDOM_SEED:-0}"
export CARGO_TARGET_DIR="$(realpath -m "${CARGO_TARGET_DIR:-target}")/remote-long"
# Between a quick build and a quick run.
export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_INCREMENTAL=0
export PIPES_WALKS="${PIPES_WALKS:-500}" PIPES_HOSTILE="${PIPES_HOSTILE:-1000000}"
export PIPES_FLOOD="${PIPES_FLOOD:-10000000}" PIPES_IDLE="${PIPES_IDLE:-10000}"
export PIPES_FARM="${PIPES_FARM:-100000}"
# The watchdog is for a whole test.
export PIPES_PATIENCE="${PIPES_PATIENCE:-7200}" RUST_BACKTRACE=0

run() { # run TEST: builds it, runs it, and prints its totals and its time
    local begin log
    log="$(mktemp)"
    cargo test --quiet --package pipes-remote-tests --test "$1" --no-run
    begin=$SECONDS
    if ! cargo test --quiet --package pipes-remote-tests --test "$1" -- --nocapture >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        echo "FAILED: $1" >&2
        exit 1
    fi
    # (In front may be the dot of a test that has passed.)
    grep -E '^\.?([{[]| *[0-9]+ |(memory|TLS|QUIC) |at rest|the most|Done )' "$log"
    rm -f "$log"
    echo "remote-long: $1, $((SECONDS - begin)) s"
}

fuzz() { # builds the targets of the fuzzer, and runs each for a while
    local begin=$SECONDS target
    cargo build --quiet --manifest-path tests/fuzz/Cargo.toml
    if ! cargo fuzz --version >/dev/null 2>&1; then
        echo "SKIPPED the fuzzer: no cargo-fuzz"
        return
    fi
    for target in stream answer; do
        # Without a sanitizer, which needs a nightly compiler: there is no unsafe code in what is run but that
        # of the slots, which has checks of its own.
        cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none "$target" -- -max_total_time="${PIPES_FUZZ:-60}"
    done
    echo "remote-long: fuzz, $((SECONDS - begin)) s"
}

for test in "${tests[@]}"; do
    case "$test" in
    walks)
        for set in 0 1000 2000; do
            export PIPES_RANDOM_SEED=$((seed + set))
            echo "remote-long: PIPES_RANDOM_SEED=$PIPES_RANDOM_SEED"
            run walks
        done
        ;;
    hostile | remote-memory | farm) run "$test" ;;
    fuzz) fuzz ;;
    # To optimise its packages would only take time.
    iroh | timely) env --unset=CARGO_PROFILE_DEV_OPT_LEVEL ci/workspaces.sh "$test" ;;
    *)
        echo "usage: ci/remote-long.sh [walks|hostile|remote-memory|farm|fuzz|iroh|timely]…" >&2
        exit 2
        ;;
    esac
done
