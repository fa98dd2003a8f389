//! The counts are those of a loop.

use std::collections::BTreeMap;
use words_by_timely::counted;

/// Texts whose words are known: word `n` is in every text whose number it divides.
fn texts(most: u64) -> impl Iterator<Item = String> + Send + 'static {
    (1..=most).map(move |number| {
        let words = (1..=most).filter(|word| number.is_multiple_of(*word)).map(|word| format!("W{word}, "));
        words.collect()
    })
}

#[test]
fn counts_are_those_of_a_loop() {
    for (most, workers) in [(0, 1), (1, 2), (60, 1), (300, 2), (300, 5)] {
        let due: BTreeMap<_, _> = (1..=most).map(|word| (format!("w{word}"), most / word)).collect();
        let counts = counted(texts(most), workers).expect("nothing fails");
        assert_eq!(counts, due, "{most} texts, {workers} workers");
    }
}

#[test]
fn a_pipeline_that_fails_ends_the_dataflow() {
    let bad = texts(100).inspect(|text| assert!(!text.contains("W50"), "a bad text"));
    let failure = counted(bad, 2).expect_err("the source panics").to_string();
    assert!(failure.contains("a bad text"), "{failure}");
}
