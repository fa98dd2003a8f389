#!/usr/bin/env bash
# Damages pipes/src/wait, pipes/src/slot, permits and rendezvous of pipes/src/stream, pipes/src/shared_port,
# window.rs of pipes/src/remote and sessions.rs of pipes/src/service, one place at a time. A model must fail
# each time.
#
#   ci/mutate.sh            what the record does not answer for, and ten random mutations; without a valid
#                           record all
#   ci/mutate.sh all        all mutations
#   ci/mutate.sh PATTERN    only the files whose path matches this extended regular expression
#
# First every memory ordering is weakened: Acquire and Release become Relaxed, AcqRel loses one half and then
# the other. Then steps are damaged whose absence only a race can show. Prints each mutation with a model that
# caught it. Fails if a mutation survives, changes nothing or does not compile. (Unit tests are not mutated,
# because no model compiles them.)
#
# A run in which all mutations were caught writes ci/mutations.txt: each mutation with its model. It begins
# with hashes of what determines the result. The key is that of the models, the compiler, and what all mutated
# code uses: if it is another one, the record is not valid. Each folder of mutated code has a hash of its own:
# if it is another one, all mutations in this folder are made again. Ten random ones stand for those in the
# other folders; they must be caught by the models in the record. MUTATE_SEED=n draws the same ten again.
set -euo pipefail
cd "$(dirname "$0")/.."
pattern="${1:-}"
record=ci/mutations.txt
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
work="$target/mutate"
export RUSTFLAGS="${RUSTFLAGS:-} --cfg pipes_loom"
export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
# A mutation changes one line, so a quick build matters more than fast models.
unset CARGO_INCREMENTAL
export CARGO_PROFILE_LOOM_OPT_LEVEL=1 CARGO_PROFILE_LOOM_CODEGEN_UNITS=16 CARGO_PROFILE_LOOM_INCREMENTAL=true RUST_BACKTRACE=0

rm -rf "$work"
mkdir -p "$work"

folders=(pipes/src/slot/{bounded,broadcast,pipe,prefetch,ready,shared} pipes/src/stream/{permits,rendezvous} pipes/src/shared_port
    pipes/src/{broadcast,watch} pipes/src/remote/window.rs pipes/src/service/sessions.rs)

contents() { # contents FIND-ARGUMENT…: prints the files found, without unit tests, and without comments
    find "$@" -type f -not -name '*.md' -not -name tests.rs -not -path '*/tests/*' | LC_ALL=C sort | xargs sed -E '/^ *(\/\/|$)/d'
}

key() { # prints a hash of what determines which models catch the mutations of all folders
    {
        # What the models do not run is left out.
        contents pipes/src/slot -maxdepth 1 -not -name cache.rs
        contents pipes/src/wait -not -name budget.rs -not -name spin.rs
        contents pipes/src/sync -not -name native.rs
        contents models/loom
        # The pipelines have models of their own.
        sed '/^name = "pipes-skeleton"$/,/^$/d' models/Cargo.lock | cat models/Cargo.toml -
        rustc -vV
        echo "$LOOM_MAX_PREEMPTIONS"
    } | sha256sum | cut -d' ' -f1
}

heads() { # prints the first lines of a record of the code as it is
    local folder
    echo "key $(key)"
    for folder in "${folders[@]}"; do
        echo "folder $folder $(contents "$folder" | sha256sum | cut -d' ' -f1)"
    done
}

weaker() { # weaker ORDERING: prints the orderings that it is weakened to
    case "$1" in
    AcqRel) echo "Acquire Release" ;;
    Acquire | Release) echo "Relaxed" ;;
    SeqCst) echo "AcqRel" ;;
    esac
}

mutation() { # mutation FILE SED-EXPRESSION WHERE WHAT: adds it to the list
    printf '%s\t%s\t%s\t%s\n' "$@" >>"$work/list"
}

list() { # writes the list of all mutations
    local file line ordering function weak where
    local -A seen=()
    while IFS=: read -r file line ordering; do
        ordering="${ordering#Ordering::}"
        function="$(head -n "$line" "$file" | grep -oE 'fn [a-z_]+' | tail -n 1 | cut -c4-)"
        # Several in one function are counted, because numbers of lines change with each comment.
        where="$file $function"
        seen[$where]=$((${seen[$where]:-0} + 1))
        [ "${seen[$where]}" -eq 1 ] || where+=" ${seen[$where]}"
        for weak in $(weaker "$ordering"); do
            mutation "$file" "${line}s/Ordering::${ordering}\b/Ordering::${weak}/" "$where" "$ordering -> $weak"
        done
    done < <(grep -noE 'Ordering::(AcqRel|Acquire|Release|SeqCst)' -r pipes/src/slot pipes/src/stream/permits pipes/src/wait --include='*.rs' --exclude=tests.rs -H | LC_ALL=C sort -t: -k1,1 -k2,2n)

    local slot=pipes/src/slot wait=pipes/src/wait
    mutation $wait/waiter_cell.rs 's/(REGISTERED | SECOND))/REGISTERED)/' 'wait/waiter_cell.rs changed' 'one cell, not two'
    mutation $slot/pipe/recv.rs 's/if self.registration().is_registered() &&/if false \&\&/' 'slot/pipe/recv.rs leave_after_sender' 'never asks who is 2nd'
    mutation $slot/pipe/half.rs 's/self.position |= LAST_UNUSED;//' 'slot/pipe/half.rs rewind' 'overruns what is full'
    mutation $slot/pipe/send.rs 's/if self.registration().is_registered() \&\&/if false \&\&/' 'slot/pipe/send.rs leave_after_receiver' 'never asks who is 2nd'
    mutation $slot/pipe/recv.rs 's/watcher.wake();/drop(watcher);/' 'slot/pipe/recv.rs leave_watched' 'the watcher sleeps on'
    mutation $slot/pipe/half.rs 's/count - out_of_use - self.index()/count - self.index()/' 'slot/pipe/half.rs slots_left' 'overruns what is full'
    mutation $slot/pipe/run.rs 's/self.change_cells();//' 'slot/pipe/run.rs receive_run' 'one cell, not two'
    mutation $slot/bounded/run.rs '/fn put_run/,/^    }/ s/if index > 0/if true/' 'slot/bounded/run.rs put_run' 'looks for no waiter'
    mutation $slot/bounded/run.rs '/fn receive_run/,/^    }/ s/if index > 0/if true/' 'slot/bounded/run.rs receive_run' 'looks for no waiter'
    mutation $wait/waiter.rs 's/self.0.wake();/drop(self.0);/' 'wait/waiter.rs wake' 'no side is woken'
    mutation $slot/ready/token.rs 's/unsafe { SharedWaiter::take(cell) }.wake()/drop(unsafe { SharedWaiter::take(cell) })/' 'slot/ready notify' 'the owner is not woken'
    mutation $slot/ready/list.rs 's/matches!(self.word.look(), Top::Asleep(_)) \&\& //' 'slot/ready is_waiting_as' 'trusts its memory'
    mutation $slot/shared/recv.rs 's/ || !self.is_in_place()//' 'slot/shared has_come' 'no side will wake it'
    mutation $slot/shared/pins.rs 's/self.count.load(Ordering::Acquire) == 0/true/' 'slot/shared/pins is_idle' 'sees no pinned sender'
    mutation $wait/shared_waiter.rs 's/if Arc::get_mut(&mut self.0).is_none()/if false/' 'wait/shared_waiter.rs lend' 'uses a taken cell'
    local remote=pipes/src/remote/window.rs sessions=pipes/src/service/sessions.rs
    mutation $remote 's/if let Some((_, waker)) = waiting {/if let (true, Some((_, waker))) = (false, waiting) {/' 'remote/window.rs drop' 'the pump is not woken'
    mutation $remote 's/waiting.take_if(|(least, _)| \*least <= count)/waiting.take_if(|(least, _)| *least < count)/' 'remote/window.rs drop' 'the pump is woken late'
    mutation $sessions '/fn poll_closing/,/^    }/ s/if under_way.closing {/if false {/' 'service/sessions.rs poll_closing' 'overlooks the wish to end'
    mutation $sessions '/fn poll_ended/,/^    }/ s/if under_way.count == 0 {/if false {/' 'service/sessions.rs poll_ended' 'overlooks the end'
    mutation $sessions '/fn drop/,/^    }/ s/if under_way.count == 0 {/if false {/' 'service/sessions.rs drop' 'the service is not woken'
    local permits=pipes/src/stream/permits/mod.rs
    mutation $permits 's/|| self.back.wait() {/|| { let _ = self.back.wait(); true } {/' 'stream/permits collect_or_wait' 'joins the line at once'
    mutation $permits '/fn collect(/,/^    }/ s/if self.free.take(count) {/if false {/' 'stream/permits collect' 'overlooks what is free'
    mutation $permits 's/wakes.push(waker);/drop(waker);/' 'stream/permits serve' 'no sender is woken'
    mutation $permits 's/drop(self.permits.release(self.count));//' 'stream/permits drop' 'keeps what it does not need'
    mutation $permits 's/self.permits.free.take_all()/0/' 'stream/permits poll' 'leaves what is free to others'
    mutation $permits 's/self.count - lacking }/0 }/' 'stream/permits end' 'keeps what it was granted'
    mutation $permits 's/DeferredWakes::of(queue.wakers.take())/DeferredWakes::default()/' 'stream/permits close' 'no sender is woken'
    mutation $permits 's/queue.closed = true;//' 'stream/permits close' 'no sender is refused'
    local rendezvous=pipes/src/stream/rendezvous
    mutation $rendezvous/sender.rs '/fn poll_send/,/^    }/ s/wake(receiver);/drop(receiver);/' 'stream/rendezvous poll_send' 'the receiver is not woken'
    mutation $rendezvous/sender.rs '/fn withdraw/,/^    }/ s/state.first == First::Promised/false/' 'stream/rendezvous withdraw' 'takes back what is promised'
    mutation $rendezvous/sender.rs '/fn drop/,/^    }/ s/if state.senders == 0 {/if false {/' 'stream/rendezvous drop' 'the receiver is not woken'
    mutation $rendezvous/receiver.rs '/fn leave/,/^    }/ s/drop(senders);/std::mem::forget(senders);/' 'stream/rendezvous leave' 'no sender is woken'
    mutation $rendezvous/receiver.rs '/fn next/,/^    }/ s/wakes.push(sender);/drop(sender);/' 'stream/rendezvous next' 'the sender is not woken'
    local prefetch=$slot/prefetch/mod.rs group=pipes/src/shared_port
    mutation $prefetch 's/let is_vacant = .*;/let is_vacant = |_: \&usize| true;/' 'slot/prefetch fill' 'fills a slot in use'
    mutation $prefetch 's/slot.mark.occupy();//' 'slot/prefetch fill' 'leaves the slot vacant'
    mutation $group/shared.rs 's/if !self.buffer.is_empty() {/if false {/' 'shared_port wake_next_or_register' 'overlooks the buffer'
    mutation $group/look.rs '/fn look(/,/^    }/ s/self.leave(ticket);/*ticket = None;/' 'shared_port look' 'wakes no other one'
    mutation $group/look.rs '/fn look_at_port/,/^    }/ s/if self.buffer.take(into) {/if false {/' 'shared_port look_at_port' 'overtakes the buffer'
    mutation $group/look.rs '/fn leave_place/,/^    }/ s/let _next = self.wake_next_or_register.*;/();/' 'shared_port leave_place' 'wakes no other one'
    mutation $wait/waiters.rs '/fn has_come/,/^    }/ s/!list.contains(ticket)/false/' 'wait/waiters has_come' 'sleeps unregistered'
    mutation $wait/waiters.rs '/fn enter/,/^    }/ s/word & mark == 0/word \& MARKS == 0/' 'wait/waiters enter' 'trusts the mark of another shard'
    mutation $wait/waiters.rs '/fn wake_all/,/^    }/ s/!(WAITED_FOR << shard)/!MARKS/' 'wait/waiters wake_all' 'clears the marks of other shards'
    mutation $slot/broadcast/state.rs '/fn mark/,/^    }/ s/fetch_or(WAITED_FOR, /load(/' 'slot/broadcast mark' 'waits unmarked'
    mutation $slot/broadcast/state.rs '/fn leave/,/^    }/ s/self.0.fetch_sub(ONE, Ordering::AcqRel)/({ let word = self.0.load(Ordering::Acquire); self.0.store(word - ONE, Ordering::Release); word })/' 'slot/broadcast leave' 'leaves in two steps'
    mutation $slot/broadcast/ring.rs '/fn leave_line/,/^    }/ s/self.serve(tail, wakes);//' 'slot/broadcast leave_line' 'wakes no other one'
    mutation $wait/sleepers.rs 's/let asleep = self.0.asleep.lock().take();/let asleep = None::<Asleep>;/' 'wait/sleepers.rs wake' 'others follow the pointer after the sleep'
    mutation $wait/park.rs 's/if parker.flag.is_set() .* else { sleep() }/sleep()/' 'wait/park.rs wait_until' 'trusts the token'
}

# The models of the code above the slots of a pipe.
above=(broadcast_ watch_ set_ select_ bounded_ rendezvous_ shared_ prefetch_ wait_ semaphore_)

models() { # models COPY [FILE [MODEL]]: runs all models, those that concern a file, or one; prints their output and fails if one fails
    local copy="$1" which=()
    case "${3:+one}${2:-}" in
    one*) which=(--exact "$3") ;;
    '') ;;
    */semaphore.rs) which=(semaphore_) ;;
    */ready/*) which=(set_ select_) ;;
    */bounded/*) which=(bounded_) ;;
    */shared/*) which=(shared_) ;;
    */prefetch/* | */shared_port/*) which=(prefetch_ shared_port_) ;;
    */permits/*) which=(shared_sync_) ;;
    */rendezvous/*) which=(rendezvous_) ;;
    */shared_waiter.rs) which=(set_ shared_) ;;
    */park.rs | */wake_flag.rs) which=(wait_) ;;
    */sleepers.rs) which=(sleep_) ;;
    */broadcast/* | */watch/* | */waiters.rs) which=(broadcast_ watch_) ;;
    *) for name in "${above[@]}"; do which+=(--skip "$name"); done ;;
    esac
    # awk stops at the first model that fails. That closes the pipe, so the models after it do not run.
    (cd "$copy" && timeout 1800 cargo test --manifest-path models/Cargo.toml --profile loom --test loom -- --test-threads=1 "${which[@]}" 2>&1) |
        awk '{print} /^test .* FAILED/ {exit 1}'
}

take() { # prints the number of the next mutation that no worker has taken
    local number
    {
        flock 9
        number=$(($(cat "$work/taken") + 1))
        echo "$number" >"$work/taken"
        echo "$number"
    } 9>"$work/lock"
}

run() { # run WORKER: runs mutations of the list until all are taken, in the worker's own copy
    local worker="$1" copy="$work/copy$1" log="$work/log$1" number file expression where what known caught
    export CARGO_TARGET_DIR="$target/loom-mutate$worker"
    mkdir -p "$copy"
    tar --exclude=./target --exclude=./.git -cf - . | tar -xmf - -C "$copy"
    if $full && [ "$worker" = 1 ] && ! models "$copy" >"$log"; then
        cat "$log" >&2
        echo "mutate: the models fail on the code as it is" >&2
        exit 1
    fi
    while number="$(take)" && [ "$number" -le "$expected" ]; do
        IFS=$'\t' read -r file expression where what < <(sed -n "${number}p" "$work/todo")
        # The model that caught it last time goes first.
        known="$(awk -F'\t' -v where="$where" -v what="$what" '$1 == where && $2 == what { print $3 }' "$record")"
        sed -i "$expression" "$copy/$file"
        if cmp -s "$file" "$copy/$file"; then
            caught="NOTHING: it changes nothing"
        elif { [ -z "$known" ] || models "$copy" "$file" "$known" >"$log"; } && models "$copy" "$file" >"$log"; then
            caught="NOTHING: it survives"
        elif ! grep -q '^running ' "$log"; then
            tail -n 20 "$log" >&2
            caught="NOTHING: it does not compile"
        else
            # The model that failed. If the process aborted because a destructor panicked in a panic,
            # the model that was running.
            caught="$(awk '/^test .* FAILED/ {print $2; exit}' "$log")"
            caught="${caught:-$(awk '/^test .* \.\.\./ && !/ok$/ {name = $2} END {print name}' "$log")}"
        fi
        printf '%d\t%s\t%s\t%s\n' "$number" "$where" "$what" "$caught" >>"$work/caught$worker"
        # `cat` gives the file a new modification time, so that it is compiled again.
        cat "$file" >"$copy/$file"
    done
}

list
heads >"$work/heads"
touch "$record"
full=false
case "$pattern" in
'' | all)
    if [ -z "$pattern" ] && grep -qxFf <(head -n 1 "$work/heads") "$record"; then
        # What the record does not have, or has of other code.
        grep -vxFf "$record" "$work/heads" | cut -d' ' -f2 >"$work/changed" || true
        awk -F'\t' '
            FILENAME == ARGV[1] { changed[$0]; next }
            FILENAME == ARGV[2] { known[$1 "\t" $2]; next }
            { file = $1; folder = file; sub("/[^/]*$", "", folder) }
            file in changed || folder in changed || !(($3 "\t" $4) in known)
        ' "$work/changed" "$record" "$work/list" >"$work/todo"
        seed="${MUTATE_SEED:-$RANDOM}"
        echo "mutate: the record does not answer for $(wc -l <"$work/todo"); and ten more, MUTATE_SEED=$seed"
        grep -vxFf "$work/todo" "$work/list" | shuf -n 10 --random-source=<(yes "$seed") >"$work/sample"
        cat "$work/sample" >>"$work/todo"
    else
        full=true
        cp "$work/list" "$work/todo"
    fi
    ;;
*) awk -F'\t' -v pattern="$pattern" '$1 ~ pattern' "$work/list" >"$work/todo" ;;
esac
expected="$(wc -l <"$work/todo")"
touch "$work/caught0" "$work/caught1"
echo 0 >"$work/taken"
run 1 &
other=$!
run 0
wait "$other"

sort -n "$work/caught0" "$work/caught1" | cut -f2- >"$work/caught"
awk -F'\t' '{printf "%-46s %-22s caught by %s\n", $1, $2, $3}' "$work/caught"
mutations="$(wc -l <"$work/caught")"
survived="$(grep -c $'\tNOTHING' "$work/caught" || true)"
echo "mutate: $mutations mutations, $((mutations - survived)) caught, $survived survived"
[ "$mutations" -gt 0 ] && [ "$mutations" -eq "$expected" ] && [ "$survived" -eq 0 ] || exit 1
if $full; then
    cat "$work/heads" "$work/caught" >"$record"
elif [ -z "$pattern" ]; then
    # The sample must be as in the record; the rest is new in it.
    cut -f3,4 "$work/sample" >"$work/sampled"
    different="$(grep -Ff "$work/sampled" "$work/caught" | grep -vxFf "$record" || true)"
    if [ -n "$different" ]; then
        echo "mutate: not as in the record:" && echo "$different" && exit 1
    fi
    awk -F'\t' -v OFS='\t' '
        FILENAME == ARGV[1] { caught[$1 "\t" $2] = $0; next }
        FILENAME == ARGV[2] { old[$1 "\t" $2] = $0; next }
        { place = $3 "\t" $4; print place in caught ? caught[place] : old[place] }
    ' "$work/caught" "$record" "$work/list" >"$work/new"
    cat "$work/heads" "$work/new" >"$record"
fi
