//! The metrics of a pipeline with every kind of source: no item may have taken longer than the run.

use pipes::stream;
use pipes_skeleton::{Metrics, from_iter, from_port, merge, posted};
use pipes_tests::watched;
use std::time::Instant;

/// Spends some time before the first item, which must not count for the items.
fn wait_for_a_moment() {
    let begin = Instant::now();
    while begin.elapsed().as_millis() < 50 {
        std::thread::yield_now();
    }
}

fn assert_possible(source: &str, begin: Instant, metrics: &Metrics, items: u64) {
    let report = metrics.report();
    assert_eq!(report.items(), items, "{source}");
    let (longest, run) = (report.latency().max(), begin.elapsed());
    assert!(longest <= run, "{source}: an item took {longest:?} in a run of {run:?}");
}

#[test]
fn no_item_takes_longer_than_the_run() {
    watched(|| {
        // The library's clock begins here at the latest.
        let metrics = Metrics::new();
        from_iter(0..3).measured(&metrics).for_each(drop).expect("none fails");
        wait_for_a_moment();

        let (begin, metrics) = (Instant::now(), Metrics::new());
        from_iter(0..3).parallel(2, |n| n).in_order().measured(&metrics).for_each(drop).expect("none fails");
        assert_possible("an iterator", begin, &metrics, 3);

        let (begin, metrics) = (Instant::now(), Metrics::new());
        let (mut chan, port) = stream();
        (0..3).for_each(|n| chan.send(n).expect("it is there"));
        drop(chan);
        from_port(port).sequential(|n| n).measured(&metrics).for_each(drop).expect("none fails");
        assert_possible("a port", begin, &metrics, 3);

        let (begin, metrics) = (Instant::now(), Metrics::new());
        let both = merge([from_iter(0..3), from_iter(0..3).parallel(2, |n| n)]);
        both.sequential(|n| n).measured(&metrics).for_each(drop).expect("none fails");
        assert_possible("two", begin, &metrics, 6);

        let (begin, metrics) = (Instant::now(), Metrics::new());
        let run = posted(|items| items.sequential(|n: u64| n).measured(&metrics)).expect("it can be run");
        (0..3).for_each(|n| run.post(n).expect("none fails"));
        assert_eq!(run.collect().expect("none fails"), [0, 1, 2]);
        assert_possible("posts", begin, &metrics, 3);
    });
}
