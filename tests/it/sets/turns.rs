//! The order of turns.

use super::streams;
use pipes::{Closed, PortSet, TryRecvError, stream};
use pipes_tests::watched;

/// The member that became ready first is served first.
#[test]
fn the_order_is_that_of_becoming_ready() {
    watched(|| {
        let (mut chans, mut set) = streams(10);
        let order = [7, 2, 9, 0, 1, 8, 3, 6, 5, 4];
        for number in order {
            chans[number].send(number).expect("the set is here");
        }
        for number in order {
            assert_eq!(set.recv(), Ok((number, Ok(number))));
        }
    });
}

/// Members that were ready before their insertion are served in the order of insertion.
#[test]
fn ready_members_are_served_in_the_order_of_their_coming() {
    watched(|| {
        let mut set = PortSet::new();
        let mut chans = Vec::new();
        for number in [3, 1, 2] {
            let (mut chan, port) = stream();
            chan.send(number).expect("the port is here");
            assert!(set.insert_at(number, port).is_none());
            chans.push(chan);
        }
        for number in [3, 1, 2] {
            assert_eq!(set.recv(), Ok((number, Ok(number))));
        }
    });
}

/// One message a turn, however many messages a member has.
#[test]
fn one_message_a_turn() {
    watched(|| {
        let (mut chans, mut set) = streams(10);
        for chan in &mut chans {
            (0..100).for_each(|number| chan.send(number).expect("the set is here"));
        }
        for number in 0..100 {
            for key in 0..10 {
                assert_eq!(set.recv(), Ok((key, Ok(number))));
            }
        }
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
    });
}

/// A member that gets a message before each receive does not hold up the others.
#[test]
fn a_busy_member_starves_nobody() {
    watched(|| {
        let (mut chans, mut set) = streams(5);
        (0..1_000).for_each(|number| chans[0].send(number).expect("the set is here"));
        assert_eq!(set.recv(), Ok((0, Ok(0))));
        for round in 1..100 {
            chans[4].send(round).expect("the set is here");
            chans[2].send(round).expect("the set is here");
            // It has waited for its turn longer than those two.
            assert_eq!(set.recv(), Ok((0, Ok(round))));
            assert_eq!(set.recv(), Ok((4, Ok(round))));
            assert_eq!(set.recv(), Ok((2, Ok(round))));
        }
    });
}

/// A member that becomes ready while another one is busy comes next.
#[test]
fn a_newcomer_waits_for_those_before_it_and_for_nobody_else() {
    watched(|| {
        let (mut chans, mut set) = streams(3);
        for chan in &mut chans {
            (0..10).for_each(|number| chan.send(number).expect("the set is here"));
        }
        for _ in 0..4 {
            assert!(set.recv().is_ok());
        }
        // The next turn is that of 1, then that of 2; 0 was served last, and is ready again.
        let (mut chan, port) = stream();
        chan.send(100).expect("the port is here");
        let key = set.insert(port);
        let served: Vec<_> = (0..4).map(|_| set.recv().expect("they are ready").0).collect();
        assert_eq!(served, [1, 2, 0, key]);
    });
}

/// A member that was served, and was ready again before the others became ready, has its turn before them.
#[test]
fn a_member_that_was_just_served() {
    watched(|| {
        let (mut chans, mut set) = streams(3);
        for round in 0..20 {
            chans[0].send(round).expect("the set is here");
            assert_eq!(set.recv(), Ok((0, Ok(round))));
            for key in [0, 2, 1] {
                chans[key].send(round).expect("the set is here");
            }
            for key in [0, 2, 1] {
                assert_eq!(set.recv(), Ok((key, Ok(round))));
            }
        }
    });
}

/// A close takes its turn like a message.
#[test]
fn closes_are_in_the_same_line() {
    watched(|| {
        let (chans, mut set) = streams(4);
        let [mut a, b, mut c, d]: [pipes::Chan<u64>; 4] = chans.try_into().expect("there are four");
        a.send(1).expect("the set is here");
        drop(b);
        c.send(3).expect("the set is here");
        drop(d);
        a.send(10).expect("the set is here");
        drop(a);
        let turns =
            [(0, Ok(1)), (1, Err(Closed)), (2, Ok(3)), (3, Err(Closed)), (0, Ok(10)), (0, Err(Closed))];
        for turn in turns {
            assert_eq!(set.recv(), Ok(turn));
        }
        assert_eq!(set.len(), 1);
    });
}

/// A member that is removed while it has a turn to come is skipped, and holds no place for another one.
#[test]
fn a_removed_member_is_passed_over() {
    watched(|| {
        let (mut chans, mut set) = streams(5);
        for (number, chan) in chans.iter_mut().enumerate() {
            chan.send(number).expect("the set is here");
        }
        assert_eq!(set.recv(), Ok((0, Ok(0))));
        for number in [1, 3] {
            let mut port = set.remove(&number).expect("it is a member");
            assert_eq!(port.recv(), Ok(number));
        }
        assert_eq!(set.recv(), Ok((2, Ok(2))));
        assert_eq!(set.recv(), Ok((4, Ok(4))));
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
        assert_eq!(set.len(), 3);
    });
}
