//! Which events make a side that waits at its slot look again before it sleeps.

use crate::slot::pipe::half::{Half, Side};
use crate::slot::pipe::policy::Ring;
use crate::wait::Waitable;
use crate::wait::tests::END;

#[test]
fn messages_and_room_come_soon_and_the_close_does_not() {
    let (mut sender, mut receiver) = Half::<Ring<u64, 1>>::new_pair(Side::Client, END);
    // SAFETY: the half sends.
    assert!(!unsafe { sender.watching() }.comes_soon());
    // SAFETY: the half receives.
    assert!(unsafe { receiver.receiving() }.comes_soon());
    for half in [sender, receiver] {
        half.into_erased().close();
    }
}
