//! What is particular to the programs about streams of items.

use crate::support::{assert_refused, run, stderr, stdout};

/// A small size of each, in every variant, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("mandelbrot --size 40 --iterations 50", "sequential threads tokio pariter rayon"),
    ("mandelbrot --size 40 --iterations 1 --replicas 7", "sequential threads tokio pariter rayon"),
    ("mandelbrot --size 1", "sequential threads tokio pariter rayon"),
    ("mandelbrot --size 40 --iterations 50 --shape farm", "sequential threads tokio pariter rayon"),
    ("mandelbrot --size 40 --iterations 50 --shape farm-of-pipes", "sequential threads tokio rayon"),
    ("mandelbrot --size 40 --shape farm-of-pipes --replicas 5 --batch 7", "sequential threads tokio rayon"),
    ("mandelbrot --size 40 --iterations 50 --batch 3", "sequential threads tokio pariter rayon"),
    ("bzip2 --blocks 3 --mode compress --batch 2", "sequential threads tokio pariter rayon"),
    ("bzip2 --blocks 1 --mode compress", "sequential threads tokio pariter rayon"),
    ("bzip2 --blocks 3 --mode decompress --kind noise", "sequential threads tokio pariter rayon"),
    ("bzip2 --blocks 2 --mode compress --medium disk --kind mixed", "sequential threads tokio pariter rayon"),
    (
        "bzip2 --blocks 2 --mode decompress --medium disk --replicas 7",
        "sequential threads tokio pariter rayon",
    ),
    ("pipe4 --items 3000", "sequential threads tokio pariter rayon"),
    ("pipe4 --items 1", "sequential threads tokio pariter rayon"),
    ("pipe4 --items 3000 --batch 256", "sequential threads tokio pariter rayon"),
    ("pipe4 --items 3000 --batch 1000000 --replicas 7", "sequential threads tokio pariter rayon"),
    ("ofarm --items 3000 --work trivial", "sequential threads tokio pariter rayon"),
    ("ofarm --items 3000 --work trivial --replicas 1", "sequential threads tokio pariter rayon"),
    ("ofarm --items 1 --work trivial --replicas 7", "sequential threads tokio pariter rayon"),
    ("ofarm --items 300 --work 1us", "sequential threads tokio pariter rayon"),
    ("ofarm --items 30 --work 10us", "sequential threads tokio pariter rayon"),
    ("ofarm --items 1000 --work skewed", "sequential threads tokio pariter rayon"),
    ("fraud --items 30000", "sequential threads tokio pariter rayon"),
    ("fraud --items 1 --window 2", "sequential threads tokio pariter rayon"),
    ("fraud --items 30000 --sources 3 --predictors 4 --sinks 3", "sequential threads tokio pariter rayon"),
    ("fraud --items 30000 --batch 256", "sequential threads tokio pariter rayon"),
    (
        "fraud --items 30000 --batch 7 --sources 2 --predictors 5 --sinks 7 --window 64",
        "sequential threads tokio pariter rayon",
    ),
];

#[test]
fn bad_arguments_of_streams_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("mandelbrot --size 0", &["--size"]),
        ("mandelbrot --size 40000", &["--size", "40000"]),
        ("mandelbrot --iterations 0", &["--iterations"]),
        ("mandelbrot --iterations x", &["--iterations", "x"]),
        ("bzip2 --mode copy", &["--mode", "compress, decompress"]),
        ("bzip2 --medium tape", &["--medium", "memory, disk"]),
        ("bzip2 --kind words", &["--kind", "text, noise, mixed"]),
        ("bzip2 --blocks 0", &["--blocks"]),
        ("bzip2 --input", &["--input"]),
        ("bzip2 --input x --blocks 3", &["--input", "--blocks"]),
        ("bzip2 --input x --kind text", &["--input", "--kind"]),
        ("pipe4 --class tiny", &["--class", "test, small, medium, large, huge"]),
        ("pipe4 --items 0", &["--items"]),
        ("pipe4 --batch 0", &["--batch"]),
        ("pipe4 --replicas 0", &["--replicas", "1..=256"]),
        ("pipe4 --on threads", &["--on"]),
        ("pipe4 --contenders pipeliner", &["`pipeliner`", "sequential", "rayon"]),
        ("ofarm --work 2us", &["--work", "trivial, 1us, 10us, skewed"]),
        ("ofarm --replicas 257", &["--replicas", "257"]),
        ("ofarm --items many", &["--items", "many"]),
        ("fraud --sources 0", &["--sources"]),
        ("fraud --predictors 257", &["--predictors", "257"]),
        ("fraud --sinks 0", &["--sinks"]),
        ("fraud --window 1", &["--window", "2..=64"]),
        ("fraud --batch 0", &["--batch"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 2, told);
    }
}

#[test]
fn a_wrong_order_is_an_error() {
    let cases: &[(&str, &[&str])] = &[
        (
            "mandelbrot --size 16 --iterations 9 --contenders faulty",
            &["256 bytes with the MD5", "came out, instead of 256 bytes with the MD5"],
        ),
        ("bzip2 --blocks 1 --contenders faulty", &["`faulty`", "bytes with the MD5", "instead of"]),
        ("bzip2 --blocks 1 --medium disk --contenders faulty", &["`faulty`", "wrong result"]),
        ("pipe4 --items 10 --contenders faulty", &["11 items with the hash", "instead of 10 with the hash"]),
        ("pipe4 --items 10 --batch 3 --contenders threads,faulty", &["`faulty`", "wrong result"]),
        (
            "fraud --items 30000 --contenders faulty",
            &["transactions with the hash", "were found, instead of"],
        ),
        ("ofarm --items 10 --contenders faulty", &["11 items with the hash", "instead of 10 with the hash"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 1, told);
    }
}

#[test]
fn who_only_runs_by_name_runs() {
    for words in ["ofarm --items 1000", "mandelbrot --size 40", "bzip2 --blocks 2"] {
        let output = run(&format!("{words} --contenders tokio-narrow --repeat 1"));
        assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
        assert!(stdout(&output).contains("ratio to tokio-narrow"), "{words}: {}", stdout(&output));
    }
}

/// `--watch` shows the picture of our own pipeline once, with its bottleneck. The table is the same as
/// without it.
#[test]
fn who_watches_sees_the_pipeline() {
    for (words, stage) in [
        ("mandelbrot --size 40 --iterations 50", "second"),
        ("mandelbrot --size 40 --iterations 50 --shape farm", "first, second"),
        ("mandelbrot --size 40 --iterations 50 --shape farm-of-pipes", "second"),
        ("bzip2 --blocks 2", "codec"),
        ("pipe4 --items 3000", "fourth"),
        ("ofarm --items 3000", "work"),
        ("fraud --items 3000", "stage 1"),
    ] {
        let output = run(&format!("{words} --contenders sequential --repeat 1 --watch"));
        assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
        let picture = stderr(&output);
        assert_eq!(picture.matches("bottleneck").count(), 1, "{words}: {picture}");
        assert!(picture.contains("source") && picture.contains(stage), "{words}: {picture}");
        assert!(stdout(&output).contains("sequential") && !stdout(&output).contains("bottleneck"));
    }
}
