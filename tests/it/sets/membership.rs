//! Which receivers are members, and under which keys.

use pipes::{Closed, Port, PortSet, SetEmpty, oneshot, stream};
use pipes_tests::{Tally, pingpong, watched};

#[test]
fn a_fresh_set_has_no_members() {
    let set = PortSet::<Port<u64>>::new();
    assert!(set.is_empty() && set.keys().next().is_none());
    assert_eq!((set.len(), set.contains_key(&0)), (0, false));
    assert_eq!(format!("{set:?}"), "PortSet { members: 0, .. }");
    assert!(PortSet::<Port<u64>, String>::default().is_empty());
}

#[test]
fn fresh_keys_are_counted() {
    let mut set = PortSet::new();
    let keys: Vec<_> = (0..4).map(|_| set.insert(stream::<u64>().1)).collect();
    assert_eq!(keys, [0, 1, 2, 3]);
    assert_eq!(set.len(), 4);
    // A key is not assigned twice, even if its member has left.
    assert!(set.remove(&3).is_some());
    assert_eq!(set.insert(stream().1), 4);
}

#[test]
fn fresh_keys_pass_over_used_ones() {
    let mut set = PortSet::new();
    let mut chans = Vec::new();
    for key in [1, 2, 4, usize::MAX] {
        let (chan, port) = stream::<u64>();
        assert!(set.insert_at(key, port).is_none());
        chans.push(chan);
    }
    let keys: Vec<_> = (0..4).map(|_| set.insert(stream().1)).collect();
    assert_eq!(keys, [0, 3, 5, 6]);
    assert_eq!(set.len(), 8);
    let mut all: Vec<_> = set.keys().copied().collect();
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2, 3, 4, 5, 6, usize::MAX]);
}

#[test]
fn a_member_of_the_key_comes_back() {
    watched(|| {
        let mut set = PortSet::new();
        let (mut old, port) = stream();
        assert!(set.insert_at("key", port).is_none());
        old.send(1).expect("the set is here");
        let (mut new, port) = stream();
        let mut back = set.insert_at("key", port).expect("there was one");
        assert_eq!(set.len(), 1);
        new.send(2).expect("the set is here");
        assert_eq!(set.recv(), Ok(("key", Ok(2))));
        assert_eq!(back.recv(), Ok(1), "with what was sent to it");
        old.send(3).expect("it is here");
        assert_eq!(back.recv(), Ok(3));
        drop(new);
        assert_eq!(set.recv(), Ok(("key", Err(Closed))));
    });
}

/// A replacement with the old and the new member ready, not ready or closed.
#[test]
fn replaced_in_every_situation() {
    watched(|| {
        let situations = || {
            let ((idle, idle_port), (mut ready, ready_port), (_, closed_port)) =
                (stream(), stream(), stream());
            ready.send(7).expect("the port is here");
            ([idle, ready], [(idle_port, None), (ready_port, Some(Ok(7))), (closed_port, Some(Err(Closed)))])
        };
        for old in 0..3 {
            for new in 0..3 {
                let mut set = PortSet::new();
                let ((_old_chans, mut olds), (_new_chans, mut news)) = (situations(), situations());
                let (old_port, old_gives) = std::mem::replace(&mut olds[old], (stream().1, None));
                let (new_port, new_gives) = std::mem::replace(&mut news[new], (stream().1, None));
                assert!(set.insert_at(5, old_port).is_none());
                let mut back = set.insert_at(5, new_port).expect("there was one");
                assert_eq!(back.try_recv().ok(), old_gives.and_then(Result::ok));
                assert_eq!(set.try_recv().ok(), new_gives.map(|gives| (5, gives)));
                assert_eq!(set.len(), usize::from(new < 2));
            }
        }
    });
}

#[test]
fn unknown_keys_are_nobodys() {
    let mut set = PortSet::new();
    assert!(set.remove(&0).is_none());
    let key = set.insert(oneshot::<u64>().1);
    assert!(set.remove(&(key + 1)).is_none());
    assert!(set.remove(&key).is_some() && set.remove(&key).is_none());
    assert!(set.is_empty());
}

#[test]
fn collected_from_members_and_from_pairs() {
    watched(|| {
        let (mut chans, ports): (Vec<_>, Vec<_>) = (0..3).map(|_| stream()).unzip();
        let mut set: PortSet<_> = ports.into_iter().collect();
        let (more, port) = stream();
        set.extend([port]);
        chans.push(more);
        for (number, chan) in chans.iter_mut().enumerate() {
            chan.send(number).expect("the set is here");
        }
        for number in 0..4 {
            assert_eq!(set.recv(), Ok((number, Ok(number))));
        }

        let (mut chans, ports): (Vec<_>, Vec<_>) = (0..3).map(|_| stream()).unzip();
        let mut set: PortSet<_, &str> = ["a", "b", "a"].into_iter().zip(ports).collect();
        assert_eq!(set.len(), 2, "the first of a key has made room for the second");
        assert!(chans[0].send(0).is_err() && chans[2].send(2).is_ok());
        assert_eq!(set.recv(), Ok(("a", Ok(2))));
    });
}

/// Keys of any type, with endpoints of a protocol as members.
#[test]
fn keys_are_the_users() {
    watched(|| {
        let tally = Tally::new();
        let mut set = PortSet::new();
        let mut clients = Vec::new();
        for name in ["ada", "eric", "ada"] {
            let (client, server) = pingpong::pipe();
            let back = set.insert_at(name.to_owned(), server);
            assert_eq!(back.is_some(), clients.len() == 2);
            clients.push(client.ping(tally.make(clients.len() as u64)));
        }
        let closed = clients.iter().map(|client| client.as_ref().is_ok_and(|client| client.is_closed()));
        assert_eq!(closed.collect::<Vec<_>>(), [true, false, false], "the first one has come back and gone");
        let Ok((first, Ok(pingpong::Ping::Ping(one, _)))) = set.recv() else { panic!("both have called") };
        let Ok((second, Ok(pingpong::Ping::Ping(two, _)))) = set.recv() else { panic!("both have called") };
        assert_eq!((first.as_str(), one.number, second.as_str(), two.number), ("eric", 1, "ada", 2));
        assert_eq!(set.recv().map(drop), Err(SetEmpty));
        drop((clients, one, two));
        tally.assert_all_gone();
    });
}

/// In a set of any size every member is found again.
#[test]
fn many_come_and_go() {
    watched(|| {
        let mut set = PortSet::new();
        let mut chans = std::collections::BTreeMap::new();
        for number in 0..if cfg!(miri) { 60 } else { 1_000_usize } {
            let (chan, port) = stream();
            let key = set.insert(port);
            chans.insert(key, chan);
            // Every third one is removed, and its room is used again.
            if number % 3 == 2 {
                let gone = key - 1;
                assert!(set.remove(&gone).is_some());
                chans.remove(&gone);
            }
        }
        assert_eq!(set.len(), chans.len());
        for (key, chan) in &mut chans {
            chan.send(*key).expect("its port is in the set");
        }
        for key in chans.keys() {
            assert_eq!(set.recv(), Ok((*key, Ok(*key))));
        }
        drop(chans);
        assert_eq!(set.messages().next(), None);
    });
}
