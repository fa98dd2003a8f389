//! What is particular to the program `logs`.

use crate::support::{run, stderr, stdout};

/// A small size, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("logs --size 1", "pipes pipes-lines sequential rayon-chunks rayon-lines pariter threads"),
    (
        "logs --size 2 --workers 5 --hosts 1",
        "pipes pipes-lines sequential rayon-chunks rayon-lines pariter threads",
    ),
];

#[test]
fn a_chunk_that_is_lost_is_noticed() {
    let output = run("logs --size 1 --contenders faulty");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("contender `faulty` gave a wrong result"), "{}", stderr(&output));
}

#[test]
fn the_processor_time_is_a_column() {
    let output = run("logs --size 1 --repeat 1 --contenders pipes,sequential");
    assert!(stdout(&output).lines().any(|line| line.starts_with("contender") && line.contains("processor")));
}
