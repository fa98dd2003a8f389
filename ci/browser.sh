#!/usr/bin/env bash
# Runs the channels, sessions and remote sessions of `tests/browser` in Node and in Chromium, checks that a
# page that blocks does not compile and that pages are small, and drives the auction of `examples/browser` in
# real pages.
#
#   ci/browser.sh [BROWSER…]    the auction in these: chromium, firefox; in Chromium if none is named
#
# Installs what it can. Where a target, Node or a browser is not available, it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/platforms.sh
wasm=wasm32-unknown-unknown
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
export CARGO_TARGET_DIR="$target"
# The most bytes that the bank's client has beyond an empty page, optimised and compressed.
most=$((60 << 10))
browsers=("$@")
[ $# -gt 0 ] || browsers=(chromium)

skip() {
    echo "SKIPPED browser: $1"
    exit 0
}
have() { # have COMMAND PACKAGE…: installs the packages if there is no such command
    command -v "$1" >/dev/null || { apt-get update -qq && apt-get install -y -qq "${@:2}"; } >/dev/null 2>&1 || true
    command -v "$1" >/dev/null
}

[ -d "$(rustc --print sysroot)/lib/rustlib/$wasm" ] ||
    { command -v rustup >/dev/null && rustup target add $wasm >/dev/null 2>&1; } ||
    skip "the standard library for $wasm cannot be had"
have node nodejs npm || skip "there is no Node"

# Tools of the versions that the lock files have.
version="$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)"
cargo install --quiet --debug --root "$target/tools" --target-dir "$target/tools" \
    "wasm-bindgen-cli@$version" || skip "wasm-bindgen cannot be had"
tools="$target/tools/npm"
npm install --silent --no-audit --no-fund --no-package-lock --prefix "$tools" \
    binaryen@132 esbuild@0.28 >/dev/null || skip "the optimizers cannot be had"
PATH="$target/tools/bin:$tools/node_modules/.bin:$PATH"

cargo clippy --quiet --package pipes-browser-tests --target $wasm --all-targets -- --deny warnings
cargo clippy --quiet --package session-pipes-remote --target $wasm --features ws -- --deny warnings

page=127.0.0.1:8123
cargo build --quiet --package pipes-browser-tests --bin pipes-browser-server
coproc SERVER { "$target/debug/pipes-browser-server" "http://$page"; }
read -r PIPES_BROWSER_SERVER <&"${SERVER[0]}"
export PIPES_BROWSER_SERVER CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner
tests=(passes cargo test --package pipes-browser-tests --target $wasm --tests)
NODE_ARGS=--experimental-websocket "${tests[@]}"
record "WebAssembly, in Node" "Node $(node --version)"
if have chromedriver chromium chromium-driver; then
    WASM_BINDGEN_USE_BROWSER=1 WASM_BINDGEN_TEST_ADDRESS=$page CHROMEDRIVER="$(command -v chromedriver)" \
        "${tests[@]}"
    record "WebAssembly, in a browser" "$(chromedriver --version | sed 's/^\(ChromeDriver\) \([0-9]*\).*/Chromium \2/')"
else
    echo "SKIPPED browser: there is no Chromium"
fi

source ci/planted-fault.sh
dependency="pipes = { package = \"session-pipes\", path = \"$PWD/pipes\" }"
cargo=(cargo)
flags=(--target $wasm)
for verb in 'pipes::oneshot::<u8>().1.recv()' 'pipes::stream::<u8>().1.recv()' \
    'pipes::oneshot::<u8>().1.recv_timeout(std::time::Duration::ZERO)' 'pipes::block_on(async {})' \
    '{ let mut port = pipes::stream::<u8>().1; pipes::select! { it = port => drop(it) } }'; do
    planted_fault blocks 'a web page must not block its thread' <<PROGRAM
fn main() {
    let _ = $verb;
}
PROGRAM
done

size() { # size EXAMPLE: prints the bytes of a page, optimised and compressed
    local built="$target/$wasm/release/examples" out="$target/size"
    wasm-bindgen --target web --no-typescript --out-dir "$out" "$built/$1.wasm"
    wasm-opt -Oz --converge --all-features --output "$out/$1.wasm" "$out/$1_bg.wasm"
    esbuild --minify --log-level=error "$out/$1.js" >"$out/$1.min.js"
    echo $(($(gzip -9 <"$out/$1.wasm" | wc -c) + $(gzip -9 <"$out/$1.min.js" | wc -c)))
}
CARGO_PROFILE_RELEASE_OPT_LEVEL=z CARGO_PROFILE_RELEASE_LTO=true CARGO_PROFILE_RELEASE_PANIC=abort \
    cargo build --quiet --release --package pipes-browser-tests --examples --target $wasm
beyond=$(($(size bank) - $(size empty)))
echo "the bank's client has $beyond bytes beyond an empty page, at most $most"
[ "$beyond" -le "$most" ] || { echo "FAILED: it is too large" >&2 && exit 1; }

# The auction: the same sessions for native programs, and then real pages.
cd examples/browser
export CARGO_TARGET_DIR="$target/auction"
cargo fmt --all -- --check
cargo clippy --quiet --all-targets -- --deny warnings
cargo clippy --quiet --package auction-page --target $wasm -- --deny warnings
cargo test --quiet 2>&1 | grep 'test result: .* [1-9][0-9]* passed'
npm install --silent --no-audit --no-fund --no-package-lock --prefix e2e >/dev/null ||
    { echo "SKIPPED browser: what drives pages cannot be had" && exit 0; }
cargo build --quiet
coproc AUCTION { "$CARGO_TARGET_DIR/debug/auction" 127.0.0.1:0 10; }
trap 'kill "$AUCTION_PID"' EXIT
read -r url <&"${AUCTION[0]}"
for browser in "${browsers[@]}"; do
    case "$browser" in
    chromium) have chromium chromium && node e2e/auction.mjs "$url" chrome "$(command -v chromium)" ;;
    firefox) have firefox-esr firefox-esr && node e2e/auction.mjs "$url" firefox "$(command -v firefox-esr)" ;;
    *)
        echo "usage: ci/browser.sh [chromium|firefox]…" >&2
        exit 2
        ;;
    esac || { echo "FAILED: the auction in $browser" >&2 && exit 1; }
done
