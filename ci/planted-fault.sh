# To be sourced by scripts whose tool must first prove that it reports faults. Uses their `cargo`, `flags` and
# CARGO_TARGET_DIR.

# planted_fault NAME MESSAGE: builds the program from standard input in a package of its own, and runs it. The
# program must fail, and its output must contain the message.
planted_fault() {
    local folder="$CARGO_TARGET_DIR/planted/$1" log="$CARGO_TARGET_DIR/planted/$1.log"
    mkdir -p "$folder/src"
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n' "$1" >"$folder/Cargo.toml"
    [ -z "${dependency:-}" ] || printf '\n[dependencies]\n%s\n' "$dependency" >>"$folder/Cargo.toml"
    cat >"$folder/src/main.rs"
    if "${cargo[@]}" run --quiet "${flags[@]}" --manifest-path "$folder/Cargo.toml" >"$log" 2>&1 || ! grep -q "$2" "$log"; then
        tail -n 40 "$log" >&2
        echo "FAILED: what was planted is not reported: $1" >&2
        exit 1
    fi
    echo "planted, and reported: $1"
}
