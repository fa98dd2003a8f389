//! Stages without a thread of their own, and regions whose replicas send to what comes next.

use crate::counted::{Counted, DropCounter};
use crate::explore_times;
use pipes_skeleton::{filter, flat_map, from_iter, merge};

/// Functions join a source and a farm. Items keep their tags, and are dropped once.
#[test]
fn functions_join() {
    explore_times(2, || {
        let drops = DropCounter::new();
        let maker = drops.clone();
        let items = from_iter(0..4_u64)
            .map(move |number| maker.make(number))
            .in_flight(2)
            .parallel(2, |item| item)
            .filter(|item: &Counted| item.number != 2)
            .in_order()
            .collect()
            .expect("nothing fails");
        assert!(items.iter().map(|item| item.number).eq([0, 1, 3]));
        drop(items);
        drops.assert_all_dropped();
    });
}

/// Two replicas send to those of a routed farm, with few permits on both sides. Items vanish and multiply.
#[test]
fn replicas_send_to_a_routed_farm() {
    explore_times(2, || {
        for limit in [2, 4] {
            let items = from_iter(0..5_u64).parallel_with(2, |_| filter(|n| *n != 3));
            let items = items.keyed_with(2, |n| n % 2, |_| flat_map(|n| [n, n + 10])).in_flight(limit);
            let mut items = items.collect().expect("nothing fails");
            items.sort_unstable();
            assert_eq!(items, [0, 1, 2, 4, 10, 11, 12, 14]);
        }
    });
}

/// Items need as many permits as they are large, or all of them.
#[test]
fn sizes() {
    explore_times(2, || {
        let items = from_iter([1, 3, 9, 2]).in_flight_bytes(6, |size| *size);
        let items = items.parallel(2, |n| n).round_robin(2, |n| n);
        assert_eq!(items.fold(0, |sum, n| sum + n).expect("nothing fails"), 15);
    });
}

/// A function fails in a replica while another one waits for the lock, or for room.
#[test]
fn a_function_fails() {
    explore_times(2, || {
        let drops = DropCounter::new();
        let items: Vec<_> = (0..4).map(|number| drops.make(number)).collect();
        let farm = from_iter(items).in_flight(2).parallel(2, |item| item);
        let failing = farm.try_map(|item| if item.number == 2 { Err("two") } else { Ok(item) });
        let failure = failing.named("check").keyed(2, |item| item.number, |item| item).collect();
        assert_eq!(failure.map(drop).expect_err("one fails").stage(), "check");
        drops.assert_all_dropped();
    });
}

/// A merge of a farm and a source.
#[test]
fn a_merge_of_a_farm() {
    explore_times(2, || {
        let both = merge([from_iter(0..3_u64).parallel(2, |n| n), from_iter(10..12)]).in_flight(3);
        assert_eq!(both.fold(0, |sum, n| sum + n).expect("nothing fails"), 24);
    });
}
