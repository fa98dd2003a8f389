//! The targets of the fuzzer, with random inputs.

use crate::alone;
use crate::made::{handshake, stream};
use pipes_remote_tests::{fuzzed, size};
use pipes_tests::{Rng, watched};
use std::collections::BTreeMap;

/// A target, with inputs that are made, and with what is behind their handshake.
fn inputs(target: fn(&[u8]) -> Option<&'static str>, expected: &[&str]) {
    let ends = alone(|| {
        watched(move || {
            let mut ends = BTreeMap::<_, u64>::new();
            for number in 0..size("PIPES_HOSTILE", 3_000) / 30 {
                let mut random = Rng::with_seed(number + 1);
                let mut input = stream(&mut random);
                let whole = random.u64(..4) == 0;
                input.drain(..if whole { 0 } else { handshake().len().min(input.len()) });
                input.insert(0, random.u64(..256) as u8 & !1 | u8::from(whole));
                *ends.entry(target(&input).unwrap_or("no session")).or_default() += 1;
            }
            ends
        })
    });
    println!("{ends:?}");
    for end in expected {
        assert!(ends.contains_key(end), "none is {end}: {ends:?}");
    }
}

#[test]
fn a_client_against_a_listener() {
    inputs(fuzzed::stream, &["no session", "fault", "broken"]);
}

#[test]
fn a_server_against_a_client() {
    inputs(fuzzed::answer, &["no session", "fault", "broken"]);
}
