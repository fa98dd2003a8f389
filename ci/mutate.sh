#!/usr/bin/env bash
# Damages pipes/src/slot, one place at a time; a model must fail each time.
#
#   ci/mutate.sh [PATTERN]      only the files whose path matches this extended regular expression
#
# First every memory ordering: Acquire and Release become Relaxed, AcqRel loses one half and then the other. Then the steps
# that only a race can miss. Prints each mutation with the first model that caught it. Fails if a mutation survives, or if an
# ordering has no mutation.
set -euo pipefail
cd "$(dirname "$0")/.."
pattern="${1:-.}"
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
copy="$target/mutate"
export CARGO_TARGET_DIR="$target/loom-mutate"
export RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_loom"
export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
# A mutation changes one line: what counts is how soon the models run again.
export CARGO_PROFILE_LOOM_OPT_LEVEL=1 CARGO_PROFILE_LOOM_CODEGEN_UNITS=16 CARGO_PROFILE_LOOM_INCREMENTAL=true

rm -rf "$copy"
mkdir -p "$copy"
tar --exclude=./target --exclude=./.git -cf - . | tar -xmf - -C "$copy"

# Models of what is above the slots themselves.
above=(set_ select_ bounded_ rendezvous_ shared_)

models() { # models FILE: the output of the models that concern a file, or of all; and whether they passed
    local which=()
    case "${1:-}" in
    '') ;;
    */ready/*) which=(set_ select_) ;;
    */bounded/*) which=(bounded_ rendezvous_) ;;
    */shared/*) which=(shared_) ;;
    */record.rs) which=(set_ shared_) ;;
    *) for name in "${above[@]}"; do which+=(--skip "$name"); done ;;
    esac
    # It ends with the first that fails: whoever prints after that has nobody to print to.
    (cd "$copy" && timeout 900 cargo test --profile loom --package pipes-tests --test loom -- --test-threads=1 "${which[@]}" 2>&1) |
        awk '{print} /^test .* FAILED/ {exit 1}'
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

mutate() { # mutate FILE SED-EXPRESSION WHERE WHAT
    local file="$1" expression="$2" where="$3" what="$4" caught
    [[ "$file" =~ $pattern ]] || return 0
    expected=$((expected + 1))
    sed -i "$expression" "$copy/$file"
    if cmp -s "$file" "$copy/$file"; then
        echo "mutate: $where: the mutation '$what' changed nothing" >&2
        return
    fi
    mutations=$((mutations + 1))
    if models "$file" >"$copy/models.log"; then
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
    printf '%-42s %-22s caught by %s\n' "$where" "$what" "$caught"
    cp "$file" "$copy/$file"
}

while IFS=: read -r file line ordering; do
    ordering="${ordering#Ordering::}"
    function="$(head -n "$line" "$file" | grep -oE 'fn [a-z_]+' | tail -n 1 | cut -c4-)"
    for weak in $(weaker "$ordering"); do
        mutate "$file" "${line}s/Ordering::${ordering}\b/Ordering::${weak}/" "$file:$line $function" "$ordering -> $weak"
    done
done < <(grep -noE 'Ordering::(AcqRel|Acquire|Release|SeqCst)' -r pipes/src/slot --include='*.rs')

mutate pipes/src/slot/half.rs 's/SEATED | SECOND/SEATED/' 'slot/half.rs change_seats' 'one seat, not two'
mutate pipes/src/slot/recv.rs 's/if self.is_seated() &&/if false \&\&/' 'slot/recv.rs leave_after_sender' 'never asks who is 2nd'
mutate pipes/src/slot/half.rs 's/self.place |= SHORT;//' 'slot/half.rs rewind' 'overruns what is full'
mutate pipes/src/slot/send.rs 's/if self.is_seated() \&\&/if false \&\&/' 'slot/send.rs leave_after_receiver' 'never asks who is 2nd'
mutate pipes/src/slot/recv.rs 's/watcher.wake();/drop(watcher);/' 'slot/recv.rs leave_watched' 'the watcher sleeps on'
mutate pipes/src/slot/waiter.rs 's/self.0.wake();/drop(self.0);/' 'slot/waiter.rs wake' 'nobody is woken'
mutate pipes/src/slot/ready/mod.rs 's/unsafe { Record::claim(seat) }.wake()/drop(unsafe { Record::claim(seat) })/' 'slot/ready ring' 'the owner is not woken'
mutate pipes/src/slot/ready/mod.rs 's/matches!(self.word.look(), Top::Asleep(_)) \&\& //' 'slot/ready is_waiting_as' 'trusts its memory'
mutate pipes/src/slot/shared/recv.rs 's/ || !self.is_called()//' 'slot/shared has_come' 'nobody will call'
mutate pipes/src/slot/record.rs 's/if Arc::get_mut(&mut self.0).is_none()/if false/' 'slot/record.rs lend' 'sits in a taken seat'

echo "mutate: $mutations mutations, $((mutations - survived)) caught, $survived survived"
[ "$mutations" -gt 0 ] && [ "$mutations" -eq "$expected" ] && [ "$survived" -eq 0 ]
