//! Replicas that combine items share an input and an output, and emit in turn.

use crate::counted::{Counted, DropCounter};
use crate::explore_times;
use pipes::stream;
use pipes_skeleton::{FailureKind, Gather, Processed, fold, from_iter, from_port};
use std::time::{Duration, Instant};

/// The items of three replicas come together at the end, in the order of the replicas, and are dropped once.
#[test]
fn replicas_emit_in_turn() {
    explore_times(2, || {
        let drops = DropCounter::new();
        let items: Vec<_> = (0..4).map(|number| drops.make(number)).collect();
        let mut replicas = 0..;
        let lists = from_iter(items).in_flight(4).parallel_gather(3, |_| {
            let replica = replicas.next();
            fold((replica, Vec::new()), |(replica, mut all): (_, Vec<Counted>), item| {
                all.push(item);
                (replica, all)
            })
        });
        let lists = lists.collect().expect("nothing fails");
        assert!(lists.iter().map(|(replica, _)| *replica).eq((0..3).map(Some)));
        assert_eq!(lists.iter().map(|(_, all)| all.len()).sum::<usize>(), 4);
        drop(lists);
        drops.assert_all_dropped();
    });
}

/// Two replicas of each of two stages, with one permit between them.
#[test]
fn replicas_behind_replicas() {
    explore_times(2, || {
        let sums = from_iter(0..4_u64).in_flight(1).parallel(2, |n| n);
        let sums = sums.parallel_gather(2, |_| fold(0, |sum, n| sum + n));
        let sums = sums.parallel_gather(2, |_| fold(0, |sum, n| sum + n));
        assert_eq!(sums.reduce(|sum, other| sum + other).expect("nothing fails"), Some(6));
    });
}

/// A replica fails while another one waits for its turn.
#[test]
fn a_replica_fails() {
    struct Failing(usize);

    impl Gather<u64> for Failing {
        type Out = usize;

        fn take(&mut self, _: u64, _: &mut impl FnMut(usize) -> Processed) -> Processed {
            Ok(())
        }

        fn finish(&mut self, emit: &mut impl FnMut(usize) -> Processed) -> Processed {
            if self.0 == 0 { Err("it fails".into()) } else { emit(self.0) }
        }
    }

    explore_times(2, || {
        let failure = from_iter(0..2).parallel_gather(2, Failing).collect().expect_err("one fails");
        assert!(matches!(failure.kind(), FailureKind::Error(_)) && failure.stuck().is_empty());
    });
}

/// Replicas wait for items and for a deadline that has passed. The one that gives up its wait at the shared
/// input leaves it to another.
#[test]
fn replicas_have_deadlines() {
    struct Due(Option<Instant>, u64);

    impl Gather<u64> for Due {
        type Out = u64;

        fn take(&mut self, item: u64, _: &mut impl FnMut(u64) -> Processed) -> Processed {
            self.1 += item;
            Ok(())
        }

        fn deadline(&self) -> Option<Instant> {
            self.0
        }

        fn wake(&mut self, _: &mut impl FnMut(u64) -> Processed) -> Processed {
            self.0 = None;
            Ok(())
        }

        fn finish(&mut self, emit: &mut impl FnMut(u64) -> Processed) -> Processed {
            emit(self.1)
        }
    }

    explore_times(2, || {
        let (mut chan, port) = stream();
        let at = Instant::now().checked_sub(Duration::from_secs(1)).unwrap_or_else(Instant::now);
        let sender = shuttle::thread::spawn(move || {
            (1..=3).for_each(|number| chan.send(number).expect("the pipeline runs"));
        });
        let sums = from_port(port).in_flight(4).parallel_gather(3, |_| Due(Some(at), 0));
        assert_eq!(sums.reduce(|sum, other| sum + other).expect("nothing fails"), Some(6));
        sender.join().expect("it does not panic");
    });
}
