#!/usr/bin/env bash
# Counts the instructions of single operations (ci/counts/), and compares them with ci/counts.txt.
# `BLESS=1 ci/counts.sh` writes these counts again.
#
# A count does not depend on how busy the machine is, so one percent more is a regression, and one percent
# less is progress that the record has to keep. But it depends on the compiler: with another one, or for
# another target, the script says so and passes. It needs valgrind, and without it does the same.
#
# Only the instructions of the program itself are counted: the library, and the standard library. How long the
# allocator and the copying of memory take depends on the C library and on the processor, so of these the
# record has only how often they are called.
#
# First an additional swap in each send, planted in a copy of the library, must be reported.
set -euo pipefail
cd "$(dirname "$0")/.."
record=ci/counts.txt
compiler="$(rustc --version) for $(rustc -vV | sed -n 's/^host: //p')"

skip() {
    echo "SKIPPED counts: $1"
    exit 0
}

recorded="$(sed -n 's/^# compiler: //p' "$record")"
[ -n "${BLESS:-}$recorded" ] || { echo "FAILED: $record names no compiler" >&2 && exit 1; }
[ -n "${BLESS:-}" ] || [ "$recorded" = "$compiler" ] || skip "the counts are those of $recorded"
command -v valgrind >/dev/null || { apt-get update -qq && apt-get install -y -qq valgrind; } >/dev/null 2>&1 || true
command -v valgrind >/dev/null || skip "valgrind is not installed"

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
# A target folder of its own, and the unchanged profile.
export CARGO_TARGET_DIR="$target/counts"
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET "${!CARGO_PROFILE_RELEASE_@}"
program="$CARGO_TARGET_DIR/release/examples/counts"
copy="$CARGO_TARGET_DIR/copy"
rm -rf "$copy"
mkdir -p "$copy"
tar --exclude=./target --exclude=./.git -cf - . | tar -xmf - -C "$copy"

compile() { # compiles the program over the library in the copy
    (cd "$copy" && cargo build --quiet --release --package pipes-counts --example counts)
}

count() { # count NAME…: for each operation prints its name, its instructions, its calls of other libraries
    local name times profile="$CARGO_TARGET_DIR/profile"
    for name in "$@"; do
        times="$(valgrind --quiet --tool=callgrind --callgrind-out-file="$profile" --toggle-collect='*counted*' \
            --compress-strings=no --compress-pos=no "$program" "$name")"
        # A line of a cost belongs to the last `ob=`, unless it is the cost of the call in the line before it.
        # A call is one of the same object, unless there is a `cob=`.
        awk -v program="$program" -v name="$name" -v times="$times" '
            /^ob=/ { own = (substr($0, 4) == program) }
            /^cob=/ { other = (substr($0, 5) != program) }
            /^calls=/ { if (own && other) calls += substr($1, 7); other = 0; getline; next }
            /^[0-9]/ { if (own) instructions += $2 }
            END { printf "%s %.2f %.2f\n", name, instructions / times, calls / times; exit !instructions }
        ' "$profile" || { echo "FAILED: nothing was counted for $name" >&2 && exit 1; }
    done
}

compare() { # compare OLD NEW: prints the counts beside each other; fails if they differ by more than 1 %
    awk '
        function row(name, old, new, old_calls, new_calls, verdict) {
            printf "%-22s %9s %9s %6s %9s %9s %s\n", name, old, new, old && new ? sprintf("%.3f", new / old) : "",
                old_calls, new_calls, verdict
            failed = failed || verdict != ""
        }
        function differs(old, new) { return new > old * 1.01 || new < old * 0.99 }
        BEGIN { print "operation               recorded       now  ratio     calls       now" }
        /^#/ { next }
        NR == FNR { instructions[$1] = $2; calls[$1] = $3; next }
        !($1 in calls) { row($1, "", $2, "", $3, "NEW"); next }
        {
            verdict = differs(instructions[$1], $2) || differs(calls[$1], $3) ? "CHANGED" : ""
            row($1, instructions[$1], $2, calls[$1], $3, verdict)
            delete calls[$1]
        }
        END {
            for (name in calls) row(name, instructions[name], "", calls[name], "", "MISSING")
            exit failed
        }
    ' "$1" "$2"
}

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
compile
mapfile -t names < <("$program")
count "${names[@]}" >"$work/now"

# The swap stores what is there, so that nothing else changes.
sed -i '/ fn publish(/a self.0.swap(self.0.load(Ordering::Relaxed), Ordering::Relaxed);' \
    "$copy/pipes/src/slot/pipe/state.rs"
compile
grep '^stream-send ' "$work/now" >"$work/send"
count stream-send >"$work/planted"
if compare "$work/send" "$work/planted" >"$work/said" || ! grep -q '^stream-send .* CHANGED$' "$work/said"; then
    cat "$work/said" >&2
    echo "FAILED: what was planted is not reported: a swap" >&2
    exit 1
fi
echo "planted, and reported: a swap"

if [ -n "${BLESS:-}" ]; then
    {
        echo "# Operation, its instructions, and how often it calls the C library; written by ci/counts.sh."
        echo "# compiler: $compiler"
        cat "$work/now"
    } >"$record"
fi
compare "$record" "$work/now" || {
    echo "FAILED: counts differ from $record. If that is intended, say why in the commit, with BLESS=1 ci/counts.sh." >&2
    exit 1
}
