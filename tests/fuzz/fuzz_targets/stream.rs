//! A client's bytes against a listener.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    pipes_remote_tests::fuzzed::stream(input);
});
