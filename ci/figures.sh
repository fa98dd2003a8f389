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
# file, and the others are run.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
figures=benches/figures
code=('*.rs' '*Cargo.toml' Cargo.lock '*.c' ':!tests' ':!*/tests/*' ':!models' ':!ci' ':!examples')
[ -z "$(git status --porcelain -- "${code[@]}")" ] || { echo "figures: there is code that is not committed" >&2 && exit 2; }
commit="$(git log -1 --format=%h --abbrev=8 -- "${code[@]}")"
source="\"processor\":\"$(ci/processor.sh)\",\"compiler\":\"$(rustc --version)\",\"commit\":\"$commit\"}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET "${!CARGO_PROFILE_RELEASE_@}"

wanted() { # wanted COMMAND TEXT…: succeeds if one of the texts is in the command, or if there are none
    local command="$1" text
    shift
    [ $# -gt 0 ] || return 0
    for text in "$@"; do [[ "$command" != *"$text"* ]] || return 0; done
    return 1
}

failed=0
sed '/^#/d; s/^[^ ]* //' "$figures/rows.txt" >"$work/commands"
while read -r -u 3 command; do
    wanted "$command" "$@" || continue
    file="$figures/$(tr -cs 'a-z0-9\n' - <<<"$command").json"
    ! head -n 1 "$file" 2>/dev/null | grep -qF -- "$source" || continue
    begin=$SECONDS
    # shellcheck disable=SC2086
    if cargo run --quiet --release -- $command --json >"$work/race" 2>"$work/said" </dev/null; then
        { echo "{\"command\":\"$command\",\"date\":\"$(date -u +%F)\",$source" && cat "$work/race"; } >"$work/file"
        cp "$work/file" "$file.new" && mv "$file.new" "$file"
        echo "$((SECONDS - begin)) s  $command"
    else
        failed=1
        cat "$work/said" >&2
        echo "FAILED  $command" >&2
    fi
done 3<"$work/commands"
exit "$failed"
