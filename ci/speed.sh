#!/usr/bin/env bash
# Runs a dozen short races, each against two other libraries, and compares how much of the time of the faster
# one ours takes with the record, ci/speed.txt.
#
#   ci/speed.sh [ROW…]      only these rows
#   BLESS=1 ci/speed.sh     writes the record again, and says what became slower. A ratio above the ceiling of
#                           its row, which is what the README claims, is not written.
#
# A race of one thread fails if its ratio is more than 1.3 times the record's. A race of two threads depends on
# what else the machine does and on where its processors are, so the limit is 1.6 times the record for the
# same placement, and a try in which other programs ran does not count. On another processor than the record's
# the limit is 1.6 for all. Each row has five tries, and the first good one is enough; a row of two threads
# without one try that counts is skipped, and then those after it have one try.
set -euo pipefail
cd "$(dirname "$0")/.."
record=ci/speed.txt
touch "$record"
tries=5

# Row, processors, ceiling, ours, the other two, and the race.
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
rpc-threads       2 1.00 pipes     kanal,crossbeam              rpc --calls 20000
rpc-tasks         2 1.30 pipes     tokio,kanal                  rpc --on tasks2 --calls 50000
ROWS
}

target="$(realpath -m "${CARGO_TARGET_DIR:-target}")/release"
# The profile that users have by default, which compiles sooner than that of the figures. (Without any LTO,
# `ring --on tasks` takes a third longer.)
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET
export CARGO_PROFILE_RELEASE_LTO=false CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 TIMEFORMAT='%3R %3U %3S'
cargo build --quiet --release --package pipes-benches --package pipes-channels --bins --examples
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

processor="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)"
processor="${processor:-$(uname -m)}"
of_record="$(sed -n 's/^# processor: //p' "$record" 2>/dev/null || true)"
[ "$processor" = "$of_record" ] && one=1.3 || one=1.6

race() { # race CONTENDERS PROGRAM…: runs a race, prints our part of the faster other one's time, the
    # placement, and how many processors were busy with other programs
    local contenders="$1" program="$2" before after real user system
    shift 2
    local executable="$target/examples/pipes-channels"
    [ "$program" = ring ] && executable="$target/pipes-benches"
    before="$(busy)"
    { time "$executable" "$program" "$@" --contenders "$contenders" --repeat 9 --json >"$work/race" 2>"$work/said"; } 2>"$work/time" ||
        { cat "$work/said" >&2 && return 1; }
    after="$(busy)"
    read -r real user system <"$work/time"
    awk -v ours="${contenders%%,*}" -v busy=$((after - before)) -v used="$user $system" -v real="$real" -v tick="$(getconf CLK_TCK)" '
        function number(name) { return match($0, "\"" name "\":[0-9.e-]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0 : 0 }
        {
            median = number("median_seconds")
            if (index($0, "\"contender\":\"" ours "\"")) mine = median
            else if (!other || median < other) other = median
            near = number("near"); far = number("far"); unknown = number("mixed") + number("unknown")
        }
        END {
            split(used, own, " ")
            place = near + far == 0 ? (unknown ? "unknown" : "one") : near > far ? "near" : "far"
            printf "%.3f %s %.2f\n", mine / other, place, (busy / tick - own[1] - own[2]) / real
        }' "$work/race"
}

busy() { # prints how long all processors have been busy, in ticks
    awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat
}

is_over() { # is_over ONE OTHER: succeeds if the first number is larger
    awk -v one="$1" -v other="$2" 'BEGIN { exit !(one > other) }'
}

try() { # try PROCESSORS CONTENDERS PROGRAM…: runs a race, and prints its ratio and placement if it counts
    local processors="$1" ratio place others
    shift
    race "$@" >"$work/raced" || return 1
    read -r ratio place others <"$work/raced"
    if [ "$processors" = 1 ]; then
        echo "$ratio one"
    elif [ "$place" != unknown ] && ! is_over "$others" 0.1; then
        echo "$ratio $place"
    fi
}

limit() { # limit ROW PROCESSORS PLACE: prints the largest good ratio; without a record of this placement, by the other
    awk -v row="$1" -v place="$3" -v factor="$([ "$2" = 1 ] && echo "$one" || echo 1.6)" '
        $1 == row && (!found || $2 == place) { found = $3 }
        END { if (!found) exit 1; printf "%.3f\n", found * factor }' "$record"
}

check() { # check ROW PROCESSORS CEILING OURS OTHERS PROGRAM…: compares a row with the record
    local row="$1" processors="$2" ceiling="$3" contenders="$4,$5" number most=$tries found ratio place limit verdict=SKIPPED
    shift 5
    [ "$processors" = 1 ] || [ -z "$is_disturbed" ] || most=1
    for ((number = 1; number <= most; number++)); do
        found="$(try "$processors" "$contenders" "$@")" || return 1
        [ -n "$found" ] || continue
        read -r ratio place <<<"$found"
        limit="$(limit "$row" "$processors" "$place")" || { echo "FAILED  $row: $record has no such row" && return 1; }
        verdict=FAILED
        is_over "$ratio" "$limit" || { verdict=ok && break; }
    done
    case "$verdict" in
    SKIPPED) is_disturbed=yes && echo "SKIPPED $row of speed: other programs ran during all tries" ;;
    *) printf '%-7s %-17s %-4s %s of the time of the faster one, at most %s\n' "$verdict" "$row" "$place" "$ratio" "$limit" ;;
    esac
    [ "$verdict" != FAILED ]
}

bless() { # bless ROW PROCESSORS CEILING OURS OTHERS PROGRAM…: prints the median of the tries that count, for each placement
    local row="$1" processors="$2" ceiling="$3" contenders="$4,$5" number place median before
    shift 5
    for ((number = 1; number <= tries; number++)); do
        try "$processors" "$contenders" "$@" || return 1
    done | sort -n >"$work/tries"
    for place in one near far; do
        median="$(awk -v place="$place" '$2 == place { all[++count] = $1 } END { if (count) print all[int((count + 1) / 2)] }' "$work/tries")"
        before="$(awk -v row="$row" -v place="$place" '$1 == row && $2 == place { print $3 }' "$record")"
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

wanted=("$@") failed=0 is_disturbed=
: >"$work/record"
while read -r row processors ceiling ours others program; do
    if [ ${#wanted[@]} -gt 0 ] && ! printf '%s\n' "${wanted[@]}" | grep -qx -- "$row"; then
        grep "^$row " "$record" >>"$work/record" || true
    elif [ -n "${BLESS:-}" ]; then
        # shellcheck disable=SC2086
        bless "$row" "$processors" "$ceiling" "$ours" "$others" $program >"$work/row" ||
            { failed=1 && grep "^$row " "$record" >"$work/row" || true; }
        cat "$work/row" >>"$work/record"
    else
        # shellcheck disable=SC2086
        check "$row" "$processors" "$ceiling" "$ours" "$others" $program || failed=1
    fi
done < <(rows)
if [ -n "${BLESS:-}" ]; then
    {
        echo "# Row, placement, and our part of the time of the faster of two other libraries; written by ci/speed.sh."
        echo "# processor: $processor"
        cat "$work/record"
    } >"$record"
fi
[ "$failed" = 0 ] || { echo "FAILED: a race is slower than $record says" >&2 && exit 1; }
