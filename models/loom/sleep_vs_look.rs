//! A thread looks at what another one waits for, while that one falls asleep, is woken, and goes on.
//!
//! The model reports a look that overlaps with the time before the sleep or after it, when the description of
//! the wait may change. What the waiting thread receives must not depend on the look.

use loom::thread;
use pipes::__private::{sleeps, track_sleeps};
use pipes::{PortSet, oneshot};

#[test]
fn a_receive() {
    track_sleeps();
    loom::model(|| {
        let (chan, port) = oneshot();
        let receiver = thread::spawn(move || port.recv());
        let looker = thread::spawn(|| assert!(matches!(sleeps()[..], [] | [1])));
        chan.send(7).expect("it is waited for");
        looker.join().unwrap();
        assert_eq!(receiver.join().unwrap(), Ok(7));
    });
}

/// The members of the set are listed while its owner sleeps. Afterwards the owner changes them.
#[test]
fn a_set() {
    track_sleeps();
    loom::model(|| {
        let (chan, port) = oneshot::<u8>();
        let receiver = thread::spawn(move || {
            let mut set = PortSet::from_iter([port]);
            assert!(set.recv().is_ok());
            drop(set);
        });
        assert!(matches!(sleeps()[..], [] | [1]));
        chan.send(7).expect("it is waited for");
        receiver.join().unwrap();
        assert_eq!(sleeps(), [0; 0]);
    });
}
