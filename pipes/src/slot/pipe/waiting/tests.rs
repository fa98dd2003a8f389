//! For what a side that waits at its slot looks again before it sleeps.

use crate::slot::pipe::half::{Half, Side};
use crate::slot::pipe::policy::{Ring, kind};
use crate::wait::Waitable;

#[test]
fn messages_and_room_come_soon_and_the_close_does_not() {
    let kind = kind::<Ring<u64, 1>>();
    let (mut sender, mut receiver) = Half::new_pair(kind, Side::Client);
    // SAFETY: the half is live, of this kind, and sends.
    assert!(!unsafe { sender.watching(kind) }.comes_soon());
    // SAFETY: the half is live, of this kind, and receives.
    assert!(unsafe { receiver.receiving(kind) }.comes_soon());
    for half in [sender, receiver] {
        // SAFETY: the half is live, and is not used again.
        unsafe { half.close() };
    }
}
