//! Snapshots of all threads, while the other tests of this program race.

use pipes::inspect::snapshot;
use pipes_tests::effort;
use std::time::Duration;

#[test]
fn snapshots_beside_races() {
    let (_silent, mut pause) = pipes::stream::<()>();
    for _ in 0..effort(2000) {
        let seen = snapshot();
        for thread in &seen.sleepers {
            assert!(!thread.waits_for.is_empty() || thread.waits_for_other.is_some(), "{seen}");
            assert!(
                thread
                    .waits_for
                    .iter()
                    .all(|wait| wait.other_side.iter().all(|at| *at < seen.sleepers.len()))
            );
        }
        // The others get time to fall asleep, and to wake up.
        assert!(pause.recv_timeout(Duration::from_millis(1)).is_err());
    }
}
