//! The end of a shared value, agreed upon over two oneshots.
//!
//! `unwrap` of `std::arc` and `core::private`, Rust 0.5: the thread that unwraps a shared value waits for the
//! last other holder. That holder notifies it, and asks whether it is still there to take the value. The
//! comment there says that this "can't be a proper pipe protocol", because the unwrapping thread has the ends
//! of both stages from the beginning; so it is two oneshots here as well.

use crate::acceptance::{Sleeper, die, died};
use pipes::{ChanOne, PortOne, oneshot};
use pipes_tests::{Counted, Tally, watched};

/// The last other holder: its value, the chan that notifies, and the port for the answer.
struct LastHolder {
    value: Counted,
    done: ChanOne<()>,
    taken: PortOne<ChanOne<Counted>>,
}

impl LastHolder {
    /// Lets go of the value. Returns `true` if another thread has taken it.
    fn release(self) -> bool {
        let Ok(()) = self.done.send(()) else { return false };
        self.taken.recv().is_ok_and(|place| place.send(self.value).is_ok())
    }
}

/// A value with one holder, and the two ends for the thread that unwraps it.
fn shared(value: Counted) -> (LastHolder, PortOne<()>, ChanOne<ChanOne<Counted>>) {
    let ((done, is_done), (take, taken)) = (oneshot(), oneshot());
    (LastHolder { value, done, taken }, is_done, take)
}

fn unwrap(is_done: PortOne<()>, take: ChanOne<ChanOne<Counted>>) -> Option<Counted> {
    is_done.recv().ok()?;
    let (place, value) = oneshot();
    take.send(place).ok()?;
    value.recv().ok()
}

#[test]
fn the_value_goes_to_who_unwraps() {
    watched(|| {
        let tally = Tally::new();
        let (holder, is_done, take) = shared(tally.make(5));
        let unwrapping = Sleeper::spawn(move || unwrap(is_done, take));
        unwrapping.fall_asleep();
        assert!(holder.release());
        let value = unwrapping.join().expect("it does not panic").expect("the holder lets go");
        assert_eq!((value.number, tally.gone()), (5, 0));
        drop(value);
        tally.assert_all_gone();
    });
}

/// If the unwrapping thread has died, before or after the notification, the last holder destroys the value.
#[test]
fn who_unwraps_has_died() {
    watched(|| {
        let tally = Tally::new();
        let (holder, is_done, take) = shared(tally.make(5));
        drop((is_done, take));
        assert!(!holder.release());
        tally.assert_all_gone();

        let (holder, is_done, take) = shared(tally.make(6));
        let unwrapping = Sleeper::spawn(move || {
            let _take = take;
            is_done.recv().expect("the holder lets go");
            die()
        });
        unwrapping.fall_asleep();
        assert!(!holder.release());
        assert!(died::<()>(unwrapping.join()));
        tally.assert_all_gone();
    });
}

/// If the last holder dies, the unwrapping thread learns of it.
#[test]
fn the_last_holder_has_died() {
    watched(|| {
        let tally = Tally::new();
        let (holder, is_done, take) = shared(tally.make(5));
        let holding = Sleeper::spawn(move || {
            let _holder = holder;
            die()
        });
        assert!(unwrap(is_done, take).is_none());
        assert!(died::<()>(holding.join()));
        tally.assert_all_gone();
    });
}
