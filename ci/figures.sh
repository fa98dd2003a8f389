#!/usr/bin/env bash
# Runs the races of benches/figures/rows.txt, one after another, and keeps what each prints as JSON, a file
# for each under benches/figures/. The tables in README.md and benches/README.md are made from these files:
#
#   ci/figures.sh [TEXT…]                               only the commands with one of these texts in them
#   BLESS=1 cargo test -p pipes-benches --test figures  writes the tables again
#
# All of them take about an hour on two cores. Use a machine that does nothing else. The first line of a file
# has the command, the day, the processor, the compiler and the commit. A race whose file has the processor,
# compiler and commit of this run is not run again, so a run that was ended goes on where it was. The commit
# is the last one that changed code; code that is not committed is refused. A race that fails keeps its old
# JSON, and the others are run.
set -euo pipefail
# The words of a command are not names of files.
set -f
cd "$(dirname "$0")/.."
export LC_ALL=C
figures=benches/figures
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
unset RUSTC RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET "${!CARGO_PROFILE_RELEASE_@}"

origin() { # prints what the figures of a race are from; fails if there is code that is not committed
    local code=('*.rs' '*.c' '*.h' '*Cargo.toml' '*Cargo.lock' '*.cargo/*' 'rust-toolchain*'
        ':!tests' ':!*/tests/*' ':!models' ':!ci' ':!examples')
    [ -z "$(git status --porcelain -- "${code[@]}")" ] || { echo "figures: there is code that is not committed" >&2 && return 1; }
    printf '"processor":"%s","compiler":"%s","commit":"%s"}\n' \
        "$(ci/processor.sh)" "$(rustc --version)" "$(git log -1 --format=%h --abbrev=8 -- "${code[@]}")"
}

is_there() { # is_there FILE ORIGIN: succeeds if the file has a race of this origin
    [ -f "$1" ] && head -n 1 "$1" | grep -qF -- "$2" && [ "$(wc -l <"$1")" -gt 1 ]
}

failed=0
sed '/^#/d; s/^[^ ]* //' "$figures/rows.txt" >"$work/rows"
if [ $# -gt 0 ]; then
    printf '%s\n' "$@" >"$work/texts"
    grep -F -f "$work/texts" "$work/rows" >"$work/commands" || { echo "figures: no command has this text" >&2 && exit 2; }
else
    cp "$work/rows" "$work/commands"
fi
while read -r -u 3 command || [ -n "$command" ]; do
    origin="$(origin)" || exit 2
    file="$figures/$(tr -cs 'a-z0-9\n' - <<<"$command").json"
    ! is_there "$file" "$origin" || continue
    begin=$SECONDS
    # shellcheck disable=SC2086
    if cargo run --quiet --release -- $command --json >"$work/race" 2>"$work/said" </dev/null &&
        [ -s "$work/race" ] && [ "$(origin)" = "$origin" ]; then
        echo "{\"command\":\"$command\",\"date\":\"$(date -u +%F)\",$origin" >"$work/file"
        cat "$work/race" >>"$work/file"
        cp "$work/file" "$file.new"
        mv "$file.new" "$file"
        echo "$((SECONDS - begin)) s  $command"
    else
        failed=1
        cat "$work/said" >&2
        echo "FAILED  $command" >&2
    fi
done 3<"$work/commands"
exit "$failed"
