# To be sourced by scripts that test a platform. With BLESS=1 they write what has passed to ci/platforms.txt,
# and to the table in README.md, which has the same rows.

bless="${BLESS:-}"
# With it, tests would write tables of their own.
unset BLESS
if [ -n "$bless" ] && [ -n "$(git status --porcelain -- ':!ci/platforms.txt' ':!README.md')" ]; then
    echo "${0##*/}: there are changes that are not committed" >&2
    exit 2
fi
tested="$(realpath -m "${CARGO_TARGET_DIR:-target}")/tested-${0##*/}.log"
mkdir -p "${tested%/*}"
: >"$tested"

# passes COMMAND…: runs a command of `cargo test` that is not quiet, and keeps what it prints.
passes() {
    "$@" 2>&1 | tee -a "$tested"
}

# Prints how many tests of each target have passed.
passed() {
    awk '
        $1 == "Running" && $NF ~ /\)$/ { name = $NF; sub(/.*[(\/\\]/, "", name); sub(/-[0-9a-f]+(\.exe|\.wasm)?\)$/, "", name); name = "`" name "`" }
        $1 == "Doc-tests" { name = "documentation" }
        /^test result: ok\./ && $4 > 0 { if (!count[name]) names[++last] = name; count[name] += $4 }
        END { for (at = 1; at <= last; at++) printf "%s%s %d", at == 1 ? "" : ", ", names[at], count[names[at]] }
    ' "$tested"
}

# record PLATFORM HOW [PASSED]: writes the platform's row, of what has passed since the last one.
record() {
    if [ -n "$bless" ]; then
        local by="\`ci/${0##*/}\`, $(date -u +%F), $(git rev-parse --short=8 HEAD)"
        awk -v platform="| $1 |" 'index($0, platform) != 1' ci/platforms.txt >"$tested.rows"
        echo "| $1 | $2 | ${3:-$(passed)} | $by |" >>"$tested.rows"
        LC_ALL=C sort "$tested.rows" >ci/platforms.txt
        awk '
            $0 == "<!-- end of platforms -->" { is_between = 0 }
            !is_between { print }
            $0 != "<!-- platforms -->" { next }
            { is_between = 1; print "| platform | how | tests that passed | by, when, commit |\n|---|---|---|---|" }
            { while ((getline row <"ci/platforms.txt") > 0) if (row !~ /^#/) print row }
        ' README.md >"$tested.page"
        cp "$tested.page" README.md
    fi
    : >"$tested"
}
