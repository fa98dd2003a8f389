#!/usr/bin/env bash
# Plants faults in a copy of the library, and runs tests that must report them. Run it by hand; it takes a
# while.
#
#   ci/planted.sh orderings [PATTERN]   ci/planted/orderings.txt: the thread sanitizer must report each weak
#                                       ordering in random programs
#   ci/planted.sh faults [--all] [TEXT] ci/planted/faults.toml: some test must report each fault whose name or
#                                       file has TEXT. With --all, it writes ci/planted/caught.txt: which
#                                       tests report each fault; what this has already is not run again.
#                                       With --check, it only looks whether each fault fits the code
#
# PATTERN is an extended regular expression that selects weak orderings. The list has one in each line: a
# file, a sed expression and the damage in words, separated by ` ;; `. They are planted one at a time, which
# needs a nightly compiler with the sources of the standard library. Prints each with the time until it was
# reported. Fails if one is not reported within LIMIT seconds (120), does not compile, or changes nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = faults ]; then
    exec cargo run --quiet --package pipes-planted --example planted -- "${@:2}"
fi
if [ "${1:-}" != orderings ]; then
    echo "usage: ci/planted.sh orderings [PATTERN] | faults [--all|--check] [TEXT]" >&2
    exit 2
fi
pattern="${2:-.}" limit="${LIMIT:-120}"
flags=(-Zbuild-std --target "$(rustc -vV | sed -n 's/^host: //p')")
export RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=thread"
export TSAN_OPTIONS="${TSAN_OPTIONS:-} halt_on_error=1"
export PIPES_PROGRAMS=endless
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
copy="$target/planted"
export CARGO_TARGET_DIR="$target/planted-orderings"
# A fault changes one line, so a quick build matters, and so does running many seeds.
export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_INCREMENTAL=true RUST_BACKTRACE=0

rm -rf "$copy"
mkdir -p "$copy"
tar --exclude=./target --exclude=./.git -cf - . | tar -xmf - -C "$copy"

tests() { # tests [ARGUMENT…]
    (cd "$copy" && timeout "$limit" cargo +nightly test --quiet --package pipes-tests --test programs "${flags[@]}" "$@") \
        >"$copy/tests.log" 2>&1
}

compile() {
    limit=0 tests --no-run
}

if ! compile || ! PIPES_PROGRAM_SECONDS=10 tests; then
    tail -n 40 "$copy/tests.log" >&2
    echo "planted: the tests fail on the code as it is" >&2
    exit 1
fi

planted=0 reported=0

plant() { # plant FILE SED-EXPRESSION WHAT
    local file="$1" expression="$2" what="$3" begin status verdict
    planted=$((planted + 1))
    sed -i "$expression" "$copy/$file"
    if cmp -s "$file" "$copy/$file"; then
        verdict="NOT REPORTED: it changes nothing"
    elif ! compile; then
        tail -n 20 "$copy/tests.log" >&2
        verdict="NOT REPORTED: it does not compile"
    else
        begin=$SECONDS status=0
        tests || status=$?
        case "$status" in
        0 | 124) verdict="NOT REPORTED" ;;
        *)
            reported=$((reported + 1))
            verdict="reported after $((SECONDS - begin)) s"
            ;;
        esac
    fi
    printf '%-32s %-52s %s\n' "${file#pipes*/src/}" "$what" "$verdict"
    cp "$file" "$copy/$file"
}

while IFS= read -r line; do
    [[ -z "$line" || "$line" == '#'* ]] && continue
    [[ "$line" =~ $pattern ]] || continue
    file="${line%% ;; *}" rest="${line#* ;; }"
    plant "$file" "${rest% ;; *}" "${rest##* ;; }"
done <ci/planted/orderings.txt

echo "planted: $planted faults, $reported reported"
[ "$planted" -gt 0 ] && [ "$planted" -eq "$reported" ]
