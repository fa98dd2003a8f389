//! More items than a 32-bit number counts. Takes minutes: run it with `--ignored`, `--release` and `CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true`, for a target with 32 bits.
#![cfg(target_pointer_width = "32")]

use pipes::skeleton::from_iter;

#[test]
#[ignore = "takes minutes"]
fn through_a_pipeline() {
    let count = from_iter((0..(1_u64 << 32) + 1000).map(drop)).hand_over(4096).fold(0_u64, |all, ()| all + 1);
    assert_eq!(count.expect("no stage fails"), (1 << 32) + 1000);
}
