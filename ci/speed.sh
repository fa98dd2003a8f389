#!/usr/bin/env bash
# Runs short races, each against one or two other libraries, and compares how much of the time of the faster
# one ours takes with the record, ci/speed.txt.
#
#   ci/speed.sh [ROW…]            only these rows
#   BLESS=1 ci/speed.sh [ROW…]    writes the record again, and says what became slower
#
# A ratio above the ceiling of its row is not written. A row of two threads without a try that counts keeps
# its ratio, which may be that of another processor.
#
# A race of one thread fails if its ratio is more than 1.3 times the record's. A race of two threads depends
# on what else the machine does and on where its processors are, so the limit is 1.6 times the record for the
# same placement, or for the other one if there is none, and a try in which other programs ran does not count.
# On another processor than the record's the limit is 1.6 for all. Each row has five tries, and the first good
# one is enough. A row of two threads without one try that counts is skipped; the rows after it are skipped as
# soon as a try does not count.
set -euo pipefail
cd "$(dirname "$0")/.."
# Numbers have a point.
export LC_ALL=C
record=ci/speed.txt
tries=5

# Row, processors, ceiling, ours, the others, and the race.
rows() {
    cat <<'ROWS'
ring-tasks        1 0.70 pipes     kanal,flume                  ring --on tasks --messages 10000
ring-threads      2 1.00 pipes     crossfire,tokio              ring --messages 2000
pingpong-tasks    1 0.90 pipes     kanal,tokio                  pingpong --on tasks --rounds 200000
pingpong-threads  2 0.60 pipes     crossbeam,kanal              pingpong --rounds 20000
stream-tasks      1 0.90 pipes     kanal,flume                  stream --on tasks --messages 1000000
stream-threads    2 1.00 pipes     kanal,std                    stream --messages 1000000
oneshot           1 0.90 pipes     oneshot,crossfire            oneshot --rounds 1000000
session           1 0.20 pipes     par,std                      session --rounds 200000
session-threads   2 0.40 pipes     std,tokio                    session --on threads --rounds 20000
fanin             2 1.70 pipes     kanal,crossbeam              fanin --messages 500000
select            1 0.30 pipes     futures-unordered,crossbeam  select --endpoints 256 --messages 500000
workqueue         2 2.00 pipes     kanal,crossbeam              workqueue --messages 200000
msgsend           2 1.60 pipes-set kanal,crossbeam              msgsend --shape both --messages 500000
rpc-threads       2 1.30 pipes     kanal,crossbeam              rpc --calls 20000
rpc-tasks         2 1.30 pipes     tokio,kanal                  rpc --on tasks2 --calls 50000
broadcast-tasks   1 1.00 pipes     tokio,async-broadcast        broadcast --on tasks --messages 50000
broadcast-workers 2 1.00 pipes     tokio,async-broadcast        broadcast --messages 50000
lagging-tasks     1 1.00 pipes-lagging tokio,async-broadcast    broadcast --on tasks --messages 50000
lagging-workers   2 1.00 pipes-lagging tokio,async-broadcast    broadcast --messages 50000
watch-tasks       1 1.00 pipes     tokio                        watch --on tasks --changes 20000
watch-workers     2 1.00 pipes     tokio                        watch --receivers 1000 --changes 200
ROWS
}

wanted=("$@")
for row in "${wanted[@]}"; do
    rows | cut -d ' ' -f 1 | grep -qxF -- "$row" || { echo "speed: there is no row $row" >&2 && exit 2; }
done

processor="$(ci/processor.sh)"
of_record="$(sed -n 's/^# processor: //p' "$record" 2>/dev/null || true)"
[ "$processor" = "$of_record" ] && one=1.3 || one=1.6
if [ -n "${BLESS:-}" ] && [ "$one" != 1.3 ] && [ ${#wanted[@]} -gt 0 ]; then
    echo "speed: the record is that of another processor; write all rows" >&2 && exit 2
fi
processors="$(nproc)"

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")/release"
# The profile that users have by default. It compiles sooner than that of the figures, and without any LTO
# `ring --on tasks` would take a third longer.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET "${!CARGO_PROFILE_RELEASE_@}"
export CARGO_PROFILE_RELEASE_LTO=false CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 TIMEFORMAT='%3R %3U %3S'
cargo build --quiet --release --package pipes-benches --package pipes-channels --bins --examples
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# What is kept of the record, if it is not measured now. The limits of two threads are the same for all
# processors.
if [ "$one" = 1.3 ] || [ -z "${BLESS:-}" ]; then cat "$record"; else awk '$2 != "one"' "$record"; fi >"$work/before"

race() { # race CONTENDERS PROGRAM…: runs a race, prints our part of the faster other one's time, the
    # placement, and how many processors were busy with other programs
    local contenders="$1" program="$2" before after real user system
    shift 2
    local executable="$target/examples/pipes-channels"
    [ "$program" = ring ] && executable="$target/pipes-benches"
    before="$(busy)"
    { time "$executable" "$program" "$@" --contenders "$contenders" --repeat 9 --json >"$work/race" 2>"$work/said" </dev/null; } 2>"$work/time" ||
        { cat "$work/said" >&2 && return 1; }
    after="$(busy)"
    read -r real user system <"$work/time"
    awk -v ours="${contenders%%,*}" -v busy=$((after - before)) -v used="$user $system" -v real="$real" -v tick="$(getconf CLK_TCK)" '
        function number(name) { return match($0, "\"" name "\":[0-9.e-]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0 : 0 }
        {
            median = number("median_seconds")
            if (index($0, "\"contender\":\"" ours "\"")) mine = median
            else if (!other || median < other) other = median
            near = number("near"); far = number("far"); rounds = number("repeat"); placed = index($0, "\"placements\":{")
        }
        END {
            if (!mine || !other) { print "a contender is missing" >"/dev/stderr"; exit 1 }
            split(used, own, " ")
            place = !placed ? "one" : 2 * near > rounds ? "near" : 2 * far > rounds ? "far" : "unknown"
            printf "%.3f %s %.2f\n", mine / other, place, (busy / tick - own[1] - own[2]) / real
        }' "$work/race"
}

busy() { # prints how long all processors have been busy, in ticks
    awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat
}

is_over() { # is_over ONE OTHER: succeeds if the first number is larger
    awk -v one="$1" -v other="$2" 'BEGIN { exit !(one > other) }'
}

try() { # try THREADS CONTENDERS PROGRAM…: runs a race, and prints its ratio and placement if it counts
    local threads="$1" ratio place others
    shift
    [ "$threads" -le "$processors" ] || return 0
    race "$@" >"$work/raced" || return 1
    read -r ratio place others <"$work/raced"
    if [ "$threads" = 1 ]; then
        echo "$ratio one"
    elif [ "$place" != unknown ] && ! is_over "$others" 0.1; then
        echo "$ratio $place"
    fi
}

recorded() { # recorded ROW PLACE: prints the recorded ratio
    awk -v row="$1" -v place="$2" '$1 == row && $2 == place { print $3 }' "$work/before"
}

limit() { # limit ROW THREADS PLACE: prints the largest good ratio
    local ratio other=near
    [ "$3" != near ] || other=far
    ratio="$(recorded "$1" "$3")"
    ratio="${ratio:-$(recorded "$1" "$other")}"
    [ -n "$ratio" ] || return 1
    awk -v ratio="$ratio" -v factor="$([ "$2" = 1 ] && echo "$one" || echo 1.6)" 'BEGIN { printf "%.3f\n", ratio * factor }'
}

check() { # check ROW THREADS CEILING OURS OTHERS PROGRAM…: compares a row with the record
    local row="$1" threads="$2" contenders="$4,$5" number found ratio place limit verdict=SKIPPED
    shift 5
    for ((number = 1; number <= tries; number++)); do
        found="$(try "$threads" "$contenders" "$@")" || { echo "FAILED  $row: the race did not run" && return 1; }
        if [ -z "$found" ]; then
            [ -z "$is_disturbed" ] && continue || break
        fi
        read -r ratio place <<<"$found"
        limit="$(limit "$row" "$threads" "$place")" || { echo "FAILED  $row: $record has no such row" && return 1; }
        verdict=FAILED
        is_over "$ratio" "$limit" || { verdict=ok && break; }
    done
    case "$verdict" in
    SKIPPED) is_disturbed=yes && echo "SKIPPED $row of speed: other programs ran during the races, or there is one processor" ;;
    *) printf '%-7s %-17s %-4s %s of the time of the faster one, at most %s\n' "$verdict" "$row" "$place" "$ratio" "$limit" ;;
    esac
    [ "$verdict" != FAILED ]
}

bless() { # bless ROW THREADS CEILING OURS OTHERS PROGRAM…: prints the median of the tries that count, for each placement
    local row="$1" threads="$2" ceiling="$3" contenders="$4,$5" number place median before
    shift 5
    for ((number = 1; number <= tries; number++)); do
        try "$threads" "$contenders" "$@" || return 1
    done >"$work/tries"
    [ -s "$work/tries" ] || echo "SKIPPED $row: other programs ran during all races" >&2
    sort -n -o "$work/tries" "$work/tries"
    for place in one near far; do
        median="$(awk -v place="$place" '$2 == place { all[++count] = $1 } END { if (count) print all[int((count + 1) / 2)] }' "$work/tries")"
        before="$(recorded "$row" "$place")"
        if [ -n "$median" ] && is_over "$median" "$ceiling"; then
            echo "FAILED  $row $place: $median is above the ceiling, $ceiling" >&2
            return 1
        fi
        if [ -n "$median" ] && [ -n "$before" ] && is_over "$median" "$before"; then
            echo "slower  $row $place: $median, before $before" >&2
        fi
        [ -z "${median:-$before}" ] || echo "$row $place ${median:-$before}"
    done
}

failed=0 is_disturbed=
while read -r row threads ceiling ours others program; do
    if [ ${#wanted[@]} -gt 0 ] && ! printf '%s\n' "${wanted[@]}" | grep -qxF -- "$row"; then
        grep "^$row " "$work/before" >>"$work/record" || true
    elif [ -n "${BLESS:-}" ]; then
        # shellcheck disable=SC2086
        bless "$row" "$threads" "$ceiling" "$ours" "$others" $program >"$work/row" ||
            { failed=1 && grep "^$row " "$work/before" >"$work/row" || true; }
        cat "$work/row" >>"$work/record"
    else
        # shellcheck disable=SC2086
        check "$row" "$threads" "$ceiling" "$ours" "$others" $program || failed=1
    fi
done < <(rows)
if [ -n "${BLESS:-}" ]; then
    {
        echo "# Row, placement, and our part of the time of the faster of two other libraries; written by ci/speed.sh."
        echo "# processor: $processor"
        cat "$work/record"
    } >"$work/new"
    cp "$work/new" "$record"
fi
[ "$failed" = 0 ] || { echo "FAILED: a race is slower than it should be, or did not run" >&2 && exit 1; }
