#!/usr/bin/env bash
# Weakens every memory ordering in pipes/src/slot, one at a time; a model must fail each time.
#
#   ci/mutate.sh
#
# Acquire and Release become Relaxed, AcqRel loses one half and then the other. Prints each mutation with the first model
# that caught it. Fails if a mutation survives, or if the number of mutations is not what the orderings call for.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
copy="$target/mutate"
export CARGO_TARGET_DIR="$target/loom-mutate"
export RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_loom"
export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"

rm -rf "$copy"
mkdir -p "$copy"
tar --exclude=./target --exclude=./.git -cf - . | tar -xmf - -C "$copy"

models() { # the output of all models, and whether they passed
    (cd "$copy" && timeout 600 cargo test --profile loom --package pipes-tests --test loom -- --test-threads=1 2>&1)
}

weaker() { # what an ordering is weakened to
    case "$1" in
    AcqRel) echo "Acquire Release" ;;
    Acquire | Release) echo "Relaxed" ;;
    SeqCst) echo "AcqRel" ;;
    esac
}

if ! models >"$copy/models.log"; then
    cat "$copy/models.log" >&2
    echo "mutate: the models fail on the code as it is" >&2
    exit 1
fi

mutations=0 survived=0 expected=0
while IFS=: read -r file line ordering; do
    ordering="${ordering#Ordering::}"
    for weak in $(weaker "$ordering"); do
        expected=$((expected + 1))
        cp "$file" "$copy/$file"
        sed -i "${line}s/Ordering::${ordering}\b/Ordering::${weak}/" "$copy/$file"
        if cmp -s "$file" "$copy/$file"; then
            echo "mutate: $file:$line: the mutation changed nothing" >&2
            continue
        fi
        mutations=$((mutations + 1))
        function="$(head -n "$line" "$file" | grep -oE 'fn [a-z_]+' | tail -n 1 | cut -c4-)"
        if models >"$copy/models.log"; then
            survived=$((survived + 1))
            caught="NOBODY: the mutation survives"
        elif ! grep -q '^running ' "$copy/models.log"; then
            tail -n 20 "$copy/models.log" >&2
            caught="NOBODY: the mutation does not compile"
            survived=$((survived + 1))
        else
            # The first that failed; or, where a destructor panicked in a panic, the one that the process died in.
            caught="$(awk '/^test .* FAILED/ {print $2; exit}' "$copy/models.log")"
            caught="${caught:-$(awk '/^test .* \.\.\./ && !/ok$/ {name = $2} END {print name}' "$copy/models.log")}"
        fi
        printf '%-32s %-12s %-8s -> %-8s caught by %s\n' "$file:$line" "$function" "$ordering" "$weak" "$caught"
        cp "$file" "$copy/$file"
    done
done < <(grep -noE 'Ordering::(AcqRel|Acquire|Release|SeqCst)' -r pipes/src/slot --include='*.rs')

echo "mutate: $mutations mutations, $((mutations - survived)) caught, $survived survived"
[ "$mutations" -gt 0 ] && [ "$mutations" -eq "$expected" ] && [ "$survived" -eq 0 ]
