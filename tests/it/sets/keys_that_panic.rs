//! Keys whose clones or destructors panic: no message and no member is lost.

use pipes::{Closed, PortSet, TryRecvError, stream};
use pipes_tests::caught;
use std::cell::Cell;

thread_local! {
    /// How many more clones of keys succeed.
    static CLONES: Cell<usize> = const { Cell::new(usize::MAX) };
    /// How many more drops of keys succeed.
    static DROPS: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A key that panics when it is cloned or dropped, once `CLONES` or `DROPS` is used up.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key(u64);

/// Uses one up. Panics if none is left; then there is no limit any more.
fn use_one(left: &'static std::thread::LocalKey<Cell<usize>>) {
    match left.get() {
        usize::MAX => {}
        0 => {
            left.set(usize::MAX);
            std::panic::resume_unwind(Box::new("on purpose"));
        }
        more => left.set(more - 1),
    }
}

impl Clone for Key {
    fn clone(&self) -> Self {
        use_one(&CLONES);
        Key(self.0)
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        use_one(&DROPS);
    }
}

/// The message is still there, and so is the member.
#[test]
fn clone_in_a_receive() {
    let (mut chan, port) = stream();
    let mut set = PortSet::new();
    assert!(set.insert_at(Key(1), port).is_none());
    for number in 0..3 {
        chan.send(number).expect("it is a member");
        CLONES.set(0);
        assert!(caught(|| set.try_recv().map(drop)).is_some());
        assert_eq!(set.recv(), Ok((Key(1), Ok(number))));
    }
    drop(chan);
    CLONES.set(0);
    assert!(caught(|| set.try_recv().map(drop)).is_some());
    assert_eq!(set.recv(), Ok((Key(1), Err(Closed))));
}

/// The new member is dropped, and the set is unchanged.
#[test]
fn clone_in_an_insertion() {
    let ((mut one, first), (mut two, second)) = (stream(), stream());
    let mut set = PortSet::new();
    assert!(set.insert_at(Key(1), first).is_none());
    CLONES.set(0);
    assert!(caught(|| set.insert_at(Key(2), second)).is_some());
    assert!(two.send(2).is_err());
    assert_eq!((set.len(), set.contains_key(&Key(2))), (1, false));
    one.send(1).expect("it is a member");
    assert_eq!(set.recv(), Ok((Key(1), Ok(1))));
    let (mut three, third) = stream();
    assert!(set.insert_at(Key(2), third).is_none());
    three.send(3).expect("it is a member");
    assert_eq!(set.recv(), Ok((Key(2), Ok(3))));
}

/// A replacement clones no key, so nothing can panic between the removal of the old member and the insertion
/// of the new one.
#[test]
fn no_clone_in_a_replacement() {
    let ((mut one, first), (_two, second)) = (stream(), stream());
    let mut set = PortSet::new();
    assert!(set.insert_at(Key(1), first).is_none());
    one.send(1).expect("a member");
    CLONES.set(0);
    assert!(caught(|| set.insert_at(Key(1), second).map(drop)).is_none());
    CLONES.set(usize::MAX);
    assert_eq!(set.len(), 1);
    assert!(one.send(2).is_err(), "it was given back, and dropped");
}

/// In a removal, whichever of the set's two copies of the key it is: the member is removed, and the set still
/// works.
#[test]
fn drop_in_a_removal() {
    for drops in [0, 1] {
        let (probe, again) = (Key(1), Key(1));
        let ((mut one, first), (mut two, second)) = (stream(), stream());
        let mut set = PortSet::new();
        assert!(set.insert_at(Key(1), first).is_none());
        DROPS.set(drops);
        assert!(caught(|| drop(set.remove(&probe))).is_some());
        assert!(set.is_empty() && !set.contains_key(&probe) && set.keys().count() == 0);
        assert!(one.send(1).is_err(), "the member was dropped");
        assert_eq!(set.try_recv().map(drop), Err(TryRecvError::Closed));
        assert!(set.insert_at(again, second).is_none());
        two.send(2).expect("it is a member");
        assert_eq!(set.recv(), Ok((Key(1), Ok(2))));
        assert!(set.remove(&probe).is_some());
    }
}
