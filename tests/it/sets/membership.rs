//! Which receivers are members, and under which keys.

use pipes::{Port, PortSet, oneshot, stream};
use pipes_tests::{test_in, watched};

#[test]
fn a_new_set_has_no_members() {
    let set = PortSet::<Port<u64>>::new();
    assert!(set.is_empty() && set.keys().next().is_none());
    assert_eq!((set.len(), set.contains_key(&0)), (0, false));
    assert_eq!(format!("{set:?}"), "PortSet { members: 0, .. }");
    assert!(PortSet::<Port<u64>, String>::default().is_empty());
}

/// A new key is one that was never used; those that the user has chosen are left out.
#[test]
fn new_keys() {
    let mut set = PortSet::new();
    for key in [1, 2, 4, usize::MAX] {
        assert!(set.insert_at(key, stream::<u64>().1).is_none());
    }
    let keys: Vec<_> = (0..4).map(|_| set.insert(stream().1)).collect();
    assert_eq!(keys, [0, 3, 5, 6]);
    let mut all: Vec<_> = set.keys().copied().collect();
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2, 3, 4, 5, 6, usize::MAX]);
    assert!(set.remove(&6).is_some());
    assert_eq!((set.insert(stream().1), set.len()), (7, 8));
}

#[test]
fn unknown_keys() {
    let mut set = PortSet::new();
    assert!(set.remove(&0).is_none());
    let key = set.insert(oneshot::<u64>().1);
    assert!(set.remove(&(key + 1)).is_none());
    assert!(set.remove(&key).is_some() && set.remove(&key).is_none());
    assert!(set.is_empty());
}

#[test_in(watched)]
fn collected_from_members_and_from_pairs() {
    let (mut chans, mut ports): (Vec<_>, Vec<_>) = (0..4).map(|_| stream()).unzip();
    let last = ports.pop();
    let mut set: PortSet<_> = ports.into_iter().collect();
    set.extend(last);
    for (number, chan) in chans.iter_mut().enumerate() {
        chan.send(number).expect("the set is here");
        assert_eq!(set.recv(), Ok((number, Ok(number))));
    }

    let (mut chans, ports): (Vec<_>, Vec<_>) = (0..3).map(|_| stream()).unzip();
    let names = ["a", "b", "a"].map(str::to_owned);
    let mut set: PortSet<_, String> = names.into_iter().zip(ports).collect();
    assert_eq!(set.len(), 2, "the first of a key has made room for the second");
    assert!(chans[0].send(0).is_err() && chans[2].send(2).is_ok());
    assert_eq!(set.recv(), Ok(("a".to_owned(), Ok(2))));
}
