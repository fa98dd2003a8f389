//! The registrations of a thread that has slept in a `select!`.

use crate::acceptance::Sleeper;
use pipes::{select, stream};
use pipes_tests::watched;

/// A port that a thread once waited for in a `select!` may still unpark it. The thread may be parked
/// elsewhere by then, and that wait goes on.
#[test]
fn a_stale_registration_disturbs_nobody() {
    watched(|| {
        let ((mut one, mut first), (mut two, mut second)) = (stream::<u64>(), stream::<u64>());
        let (mut three, mut third) = stream::<u64>();
        let waiting = Sleeper::spawn(move || {
            select! {
                number = first => assert_eq!(number, Ok(1)),
                number = second => panic!("nobody sent {number:?}"),
            }
            // The second port may unpark the thread once, while it waits for the third: it goes back to
            // sleep.
            (third.recv(), second.recv())
        });
        waiting.fall_asleep();
        one.send(1).expect("it waits");
        waiting.fall_asleep();
        two.send(2).expect("the port is there");
        waiting.fall_asleep();
        three.send(3).expect("it waits");
        assert_eq!(waiting.join().expect("it does not panic"), (Ok(3), Ok(2)));
    });
}
