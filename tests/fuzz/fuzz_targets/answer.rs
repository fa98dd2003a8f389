//! A server's bytes against a client.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    pipes_remote_tests::fuzzed::answer(input);
});
