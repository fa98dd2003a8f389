//! Farms that come to their end.

use crate::{LONG, farm, start, words};
use pipes_remote::farm::Remote;
use pipes_skeleton::from_iter;
use pipes_tests::watched;

#[test]
fn results_are_those_of_a_local_farm() {
    watched(|| {
        for (workers, replicas, items) in [(1, 1, 0), (1, 1, 1), (1, 3, 1000), (3, 1, 1000), (3, 2, 3000)] {
            let (via, farm) = farm();
            let working: Vec<_> = (0..workers).map(|_| start(&via, replicas)).collect();
            let local = from_iter(0..items).parallel(2, words).in_order().collect().expect("none fails");
            let remote = from_iter(0..items).remote(&farm, |number| number).in_order();
            assert_eq!(remote.collect().expect("no worker is lost"), local);
            let report = farm.report();
            assert_eq!((report.items(), report.given_again()), (items, 0), "{report}");
            assert!(farm.finish(LONG), "all of them know");
            let done = working
                .into_iter()
                .map(|working| working.join().expect("it does not panic").expect("the farm said the end"));
            assert_eq!(done.sum::<u64>(), items);
        }
    });
}

/// Workers may come late, and between two pipelines there is nothing to do for them.
#[test]
fn several_pipelines_have_the_same_workers() {
    watched(|| {
        let (via, farm) = farm();
        let waiting = from_iter(0..100).remote(&farm, |number| number).in_order().into_iter();
        let first = start(&via, 1);
        let expected: Vec<_> = (0..100).map(words).collect();
        assert!(waiting.map(|result| result.expect("no worker is lost")).eq(expected.iter().cloned()));
        let second = start(&via, 2);
        for _ in 0..3 {
            let results = from_iter(0..100).remote(&farm, |number| number).in_order().collect();
            assert_eq!(results.expect("no worker is lost"), expected);
        }
        assert_eq!(farm.report().items(), 400);
        drop(farm);
        let done = [first, second].map(|worker| worker.join().expect("no panic").expect("it is the end"));
        assert_eq!(done.iter().sum::<u64>(), 400);
    });
}

/// What is sent to a worker may be a part of an item; and a window holds remotely as well.
#[test]
fn a_window_is_one_for_remote_workers_too() {
    watched(|| {
        let (via, farm) = farm();
        let working = start(&via, 2);
        let source = pipes_tests::Tally::new();
        let maker = source.clone();
        let results = from_iter((0..2000).map(move |number| maker.make(number)))
            .window(16)
            .remote(&farm, |item| item.number)
            .in_order()
            .fold(0, |next, result| {
                assert_eq!(result, words(next));
                next + 1
            });
        assert_eq!(results.expect("no worker is lost"), 2000);
        source.assert_all_gone();
        drop(farm);
        assert_eq!(working.join().expect("no panic").expect("it is the end"), 2000);
    });
}
