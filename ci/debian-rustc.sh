# To be sourced. Gets a compiler with a thread sanitizer and the sources of the standard library from Debian's
# packages, for machines without a nightly compiler. The packages conflict with other compilers, so they are
# unpacked into a folder and not installed.

# debian_rustc FOLDER: unpacks the packages into the folder unless they are there (about a gigabyte), and
# exports the variables with which cargo uses this compiler. Fails if the packages cannot be downloaded.
debian_rustc() {
    local folder="$1" usr="$1/usr" version llvm runtime
    if [ ! -e "$folder/complete" ]; then
        rm -rf "$folder"
        mkdir -p "$folder"
        apt-get update -qq >/dev/null 2>&1 || true
        version="$(apt-cache depends rustc-web libstd-rust-web-dev 2>/dev/null | grep -m 1 -oE 'libstd-rust-web-[0-9.]+$')" || return 1
        llvm="$(apt-cache depends "$version" | grep -m 1 -oE 'libllvm[0-9]+' | grep -oE '[0-9]+')" || return 1
        (cd "$folder" && apt-get download -qq rustc-web "$version" libstd-rust-web-dev rust-web-src \
            "libllvm$llvm" "libclang-rt-$llvm-dev" >/dev/null 2>&1) || return 1
        for package in "$folder"/*.deb; do
            dpkg -x "$package" "$folder" && rm "$package" || return 1
        done
        runtime="$(find "$usr/lib" -name 'libclang_rt.tsan-x86_64.a')"
        [ -n "$runtime" ] || return 1
        cp "$runtime" "$usr/lib/rustlib/x86_64-unknown-linux-gnu/lib/librustc-stable_rt.tsan.a"
        touch "$folder/complete"
    fi
    # Cargo is the installed one. The libraries are needed only by the compiler.
    export RUSTC="$usr/bin/rustc" RUSTDOC="$usr/bin/rustdoc" RUSTC_BOOTSTRAP=1
    export LD_LIBRARY_PATH="$usr/lib/x86_64-linux-gnu:$(echo "$usr"/lib/llvm-*/lib)"
    "$RUSTC" --version >/dev/null 2>&1
}
