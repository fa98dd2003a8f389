#!/usr/bin/env bash
# Runs the tests of the slot and of the cache of freed pipes, and small versions of the others, under Miri:
# borrows, provenance, races, weak memory, leaks.
#
#   ci/miri.sh         a selection that takes nine minutes on two cores; MIRI_SEED=n repeats an earlier run
#   ci/miri.sh deep    more seeds, and all of `it` that Miri can run; takes hours
#   ci/miri.sh big     only the jobs of the selection that run on a big-endian machine
#   ci/miri.sh run FLAGS -- ARGUMENTS
#                      `cargo miri test ARGUMENTS` with more flags, such as those of a seed that has failed
#
# First Miri must report a planted use of freed memory and a planted data race. Miri is part of a nightly
# compiler, and it interprets the standard library's sources for each target. Without these the script says so
# and passes. The targets need no linker.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/planted-fault.sh
source ci/platforms.sh
deep="" only="" target="$(realpath -m "${CARGO_TARGET_DIR:-target}")/miri"

skip() {
    echo "SKIPPED miri: $1"
    exit 0
}

command -v rustup >/dev/null || skip "there is no rustup to ask for a nightly compiler"
cargo +nightly miri --version >/dev/null 2>&1 ||
    rustup component add miri rust-src --toolchain nightly >/dev/null 2>&1 ||
    rustup toolchain install nightly --profile minimal --component miri,rust-src >/dev/null 2>&1 ||
    skip "no nightly compiler with Miri can be had"
[ -d "$(rustc +nightly --print sysroot)/lib/rustlib/src/rust/library" ] ||
    rustup component add rust-src --toolchain nightly >/dev/null 2>&1 ||
    skip "the sources of the standard library cannot be had"

# Two processors, because with one no thread looks again before it parks. Strict provenance, because the code
# casts no integer to a pointer.
base="-Zmiri-strict-provenance -Zmiri-num-cpus=2"
# Freed memory is reused at the same address as soon as possible, also by other threads, which exposes code
# that identifies things by their address alone. A higher preemption rate switches threads more often in the
# middle of a step.
races="-Zmiri-preemption-rate=0.03 -Zmiri-address-reuse-rate=1.0 -Zmiri-address-reuse-cross-thread-rate=1.0"
trees="-Zmiri-tree-borrows"

case "${1:-}" in
"") ;;
deep) deep=yes ;;
big) only=s390x-unknown-linux-gnu ;;
run)
    shift
    flags="$base"
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        flags+=" $1"
        shift
    done
    shift || true
    MIRIFLAGS="${MIRIFLAGS:-} $flags" CARGO_TARGET_DIR="$target/by-hand" exec cargo +nightly miri test "$@"
    ;;
*)
    echo "usage: ci/miri.sh [deep | big | run FLAGS -- ARGUMENTS]" >&2
    exit 2
    ;;
esac

mkdir -p "$target"
logs="$(mktemp -d)"
trap 'rm -rf "$logs"; kill $(jobs -p) 2>/dev/null || true' EXIT

# Runs a program that Miri must report.
planted() { # planted NAME MESSAGE
    (
        export CARGO_TARGET_DIR="$target" MIRIFLAGS="$base $races"
        cargo=(cargo +nightly miri) flags=()
        planted_fault "$1" "Undefined Behavior: $2" <"ci/planted/$1.rs"
    )
}

cores="$(nproc)"
# A test that repeats a race as often as outside Miri would run for hours. A job that takes longer than this
# has failed.
limit=$([ -n "$deep" ] && echo 0 || echo 15m)

# Starts a command in the background, and at most one for each core at a time.
start() {
    while [ "$(jobs -rp | wc -l)" -ge "$cores" ]; do
        wait -n || true
    done
    "$@" &
}

run() { # run NAME TARGET FLAGS ARGUMENT…
    local name="$1" triple="$2" flags="$3" begin=$SECONDS log
    shift 3
    log="$(mktemp -p "$logs")"
    if MIRIFLAGS="${MIRIFLAGS:-} $base $flags" CARGO_TARGET_DIR="$target" RUST_BACKTRACE=0 \
        timeout "$limit" cargo +nightly miri test --quiet --target "$triple" "$@" >"$log" 2>&1; then
        printf 'ok      %-10s %-26s %4d s  %s\n' "$name" "$triple" $((SECONDS - begin)) "$flags"
        [ "$triple" != "$big" ] || { echo "Running ($name-0)" && cat "$log"; } >>"$tested"
    else
        printf 'FAILED  %-10s %-26s %4d s  %s\n' "$name" "$triple" $((SECONDS - begin)) "$flags"
        grep -E 'Undefined Behavior|FAILING SEED|panicked at|memory leaked' "$log" | sort | uniq -c || true
        grep -m 1 -A 45 -E 'error:|panicked at' "$log" || tail -n 60 "$log"
        touch "$logs/failed"
    fi
}

job() { # job NAME TARGET FLAGS ARGUMENT…
    [ "${only:-$2}" != "$2" ] || start run "$@"
}

# Builds everything that runs on a target.
build() { # build TARGET --test=NAME…
    CARGO_TARGET_DIR="$target" cargo +nightly miri test --quiet --target "$1" --package session-pipes --lib \
        --no-run &&
        CARGO_TARGET_DIR="$target" cargo +nightly miri test --quiet --target "$1" --package pipes-tests --no-run \
            "${@:2}" || touch "$logs/failed"
}

intel=x86_64-unknown-linux-gnu narrow=i686-unknown-linux-gnu big=s390x-unknown-linux-gnu
slot=(--package session-pipes --lib -- --test-threads=1 slot wait)
# The races of the slot's own tests.
short=(--package session-pipes --lib -- --test-threads=1 slot::ready::tests slot::shared::queue::tests)
stress=(--package pipes-tests --test stress -- --test-threads=1)
random=(--package pipes-tests --test random -- --test-threads=1 sessions_end_well)
programs=(--package pipes-tests --test programs)
table=(--package pipes-tests --test table -- --test-threads=1)
# To make a ring of thousands of slots takes longer than all else in a group. The short ring, `lagging`, shows
# the same.
groups=(--skip lagging_long::)
# Sessions, sets, selections. (All kinds of streams are in `stress` and `programs`. The tests of `acceptance`
# look for sleeping threads in /proc, or take too long; that of `panics` reads the sources.)
it=(--package pipes-tests --test it -- --test-threads=1 --skip acceptance:: --skip panics::)
# What other threads see of a sleep.
inspect=(--package pipes-tests --test inspect -- --test-threads=1 threads ends::sets ends::selections)
filters=(generated::payloads relays sets::verbs selects::arms)

# Jobs with many seeds try other seeds in each run.
first="${MIRI_SEED:-$RANDOM}"
echo "miri: MIRI_SEED=$first"
seeds() { # seeds QUICK DEEP: how many
    local many="$1"
    [ -z "$deep" ] || many="$2"
    echo "-Zmiri-many-seeds=$first..$((first + many))"
}

# Miri has two models of borrows, stacked and tree, and there are two targets beside the usual one. The seed
# chooses one of each, so later runs use the others; `deep` uses all of them.
models=("" "$trees") others=("$narrow" "$big")
if [ -z "$deep" ]; then
    models=("${models[first % 2]}") others=("${only:-${others[first / 2 % 2]}}")
fi

# The standard library is built for all targets at the same time.
for triple in "${others[@]}"; do
    start cargo +nightly miri setup --quiet --target "$triple" >"$logs/setup-$triple" 2>&1
done
cargo +nightly miri setup --quiet >"$logs/setup" 2>&1 || skip "the standard library cannot be built for Miri"
planted freed 'memory access failed: alloc[0-9]* has been freed'
planted raced 'Data race'
[ -n "$only" ] || build "$intel" --test={table,stress,random,programs,it,inspect}
wait

# The longest jobs come first, so that no core is idle at the end, and the first of them runs while the other
# targets are built. Those with many seeds use all cores.
for model in "${models[@]}"; do
    job stress "$intel" "$races $model -Zmiri-seed=$((1 + first % 2))" "${stress[@]}"
done
for triple in "${others[@]}"; do
    start build "$triple" --test={random,programs}
done
job table "$intel" "$races -Zmiri-seed=7" "${table[@]}" "${groups[@]}" reentrance::
for model in "${models[@]}"; do
    job slot "$intel" "$model" "${slot[@]}"
    job it "$intel" "$model" "${it[@]}" "${filters[@]}"
    job random "$intel" "$model -Zmiri-seed=$((3 + first % 2))" "${random[@]}"
    job inspect "$intel" "$races $model $(seeds 1 50)" "${inspect[@]}"
done
job table "$intel" "$races $trees -Zmiri-seed=8" "${table[@]}" "${groups[@]}" consuming:: room::
for triple in "${others[@]}"; do
    job slot "$triple" "" "${slot[@]}"
    [ -z "$deep" ] || job stress "$triple" "-Zmiri-seed=5" "${stress[@]}" races:: shared::
    job random "$triple" "-Zmiri-seed=6" "${random[@]}"
done
for model in "${models[@]}"; do
    job races "$intel" "$races $model $(seeds 5 200)" "${short[@]}"
    job programs "$intel" "$races $model $(seeds 3 200)" "${programs[@]}"
done
for triple in "${others[@]}"; do
    job programs "$triple" "$races $trees $(seeds 1 50)" "${programs[@]}"
done
if [ -n "$deep" ]; then
    for seed in 10 11; do
        for triple in "$intel" "$narrow" "$big"; do
            job it "$triple" "$races -Zmiri-seed=$seed" "${it[@]}"
            job it "$triple" "$races $trees -Zmiri-seed=$seed" "${it[@]}"
        done
    done
    job table "$intel" "$races $trees $(seeds 0 4)" "${table[@]}"
    # All sizes and alignments of payloads, and keys and receivers that lie.
    job it "$intel" "$races $trees $(seeds 0 4)" "${it[@]}" hostile_code lost_wakeups
    job stress "$intel" "$races $(seeds 0 30)" "${stress[@]}"
    job stress "$intel" "$races $trees $(seeds 0 30)" "${stress[@]}"
fi

wait
if [ -e "$logs/failed" ]; then
    echo "miri: FAILED"
    exit 1
fi
echo "miri: passed"
[ ! -s "$tested" ] || record "Linux on s390x, big-endian" "interpreted by Miri"
