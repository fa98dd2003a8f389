//! Receivers of a shared port claim messages that one of them has taken out of the stream in advance.

use crate::support::{Payload, assert_only, payload};
use loom::thread;
use pipes::{SharedPort, stream};

/// Creates a shared port to which this number of messages was sent, and returns it with the payload to check.
fn sent(count: usize) -> (SharedPort<Payload>, Payload) {
    let (sent, count_of) = payload();
    let (mut chan, port) = stream();
    for _ in 0..count {
        chan.send(sent.clone()).expect("the port is there");
    }
    (port.into_shared(), count_of)
}

/// One message lies in the buffer, and two receivers want it.
#[test]
fn one_message_has_one_receiver() {
    loom::model(|| {
        let (mine, count) = sent(2);
        let other = mine.clone();
        drop(mine.recv().expect("two were sent"));
        let claims = thread::spawn(move || other.try_recv().is_ok());
        let is_mine = mine.try_recv().is_ok();
        let is_others = claims.join().unwrap();
        assert!(is_mine ^ is_others);
        assert_only(&count);
    });
}

/// One receiver fills the buffer, and fills it again where the other one has claimed a message.
#[test]
fn a_slot_is_filled_again() {
    loom::model(|| {
        let (mine, count) = sent(5);
        let other = mine.clone();
        drop(mine.recv().expect("five were sent"));
        let claims = thread::spawn(move || drop(other.recv().expect("five were sent")));
        for _ in 0..3 {
            drop(mine.recv().expect("five were sent"));
        }
        claims.join().unwrap();
        assert_only(&count);
    });
}

/// Both look at the port at once. One of them fills the buffer, and the other finds that it was filled.
#[test]
fn both_want_to_fill() {
    loom::model(|| {
        let (mine, count) = sent(3);
        let other = mine.clone();
        let takes = thread::spawn(move || drop(other.recv().expect("three were sent")));
        drop(mine.recv().expect("three were sent"));
        takes.join().unwrap();
        drop(mine.recv().expect("three were sent"));
        assert_only(&count);
    });
}

/// Both look at the port at once, and there are more messages than the buffer has room for. A receiver that
/// looks at the port after the other one has filled the buffer does not overtake what lies there.
#[test]
fn nothing_is_overtaken() {
    loom::model(|| {
        let (mut chan, port) = stream();
        (0..4).for_each(|number| chan.send(number).expect("the port is there"));
        let mine = port.into_shared();
        let other = mine.clone();
        let two = |port: SharedPort<u32>| [(); 2].map(|()| port.recv().expect("four were sent"));
        let takes = thread::spawn(move || two(other));
        let mut all = two(mine).to_vec();
        assert!(all[0] < all[1], "what one receiver gets is in order");
        let others = takes.join().unwrap();
        assert!(others[0] < others[1], "what one receiver gets is in order");
        all.extend(others);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    });
}

/// A receiver claims while the other one leaves. The last one drops what is left in the buffer.
#[test]
fn the_rest_is_dropped() {
    loom::model(|| {
        let (mine, count) = sent(4);
        let other = mine.clone();
        drop(mine.recv().expect("four were sent"));
        let leaves = thread::spawn(move || drop(other.try_recv()));
        drop(mine);
        leaves.join().unwrap();
        assert_only(&count);
    });
}
