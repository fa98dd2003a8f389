//! Sources of pipelines.

use pipes_skeleton::{Pipeline, from_fn, from_iter, from_port, merge, try_from_iter};
use pipes_tests::watched;
use std::thread;

#[test]
fn a_function() {
    watched(|| {
        let mut n = 0;
        let items = from_fn(move || {
            n += 1;
            (n <= 5).then_some(n)
        });
        assert_eq!(items.collect().expect("none fails"), [1, 2, 3, 4, 5]);
    });
}

#[test]
fn a_port() {
    watched(|| {
        let (mut chan, port) = pipes::sync_stream(3);
        let sender = thread::spawn(move || (0..500_u64).for_each(|n| chan.send(n).expect("it is received")));
        let items = from_port(port).parallel(2, |n| n + 1).in_order();
        assert!(items.collect().expect("none fails").into_iter().eq(1..=500));
        sender.join().expect("all were sent");
    });
}

#[test]
fn a_port_of_many_senders() {
    watched(|| {
        let (chan, port) = pipes::shared_stream();
        let senders: Vec<_> = (0..3_u64)
            .map(|sender| {
                let chan = chan.clone();
                thread::spawn(move || {
                    (0..100).for_each(|n| chan.send(sender * 100 + n).expect("it is received"))
                })
            })
            .collect();
        drop(chan);
        let mut items = from_port(port).collect().expect("none fails");
        items.sort_unstable();
        assert!(items.into_iter().eq(0..300));
        senders.into_iter().for_each(|sender| sender.join().expect("all were sent"));
    });
}

#[test]
fn a_source_that_fails() {
    watched(|| {
        let lines = ["1", "2", "x", "4"].map(str::parse::<u64>);
        let mut seen = Vec::new();
        let failure =
            try_from_iter(lines).named("numbers").for_each(|n| seen.push(n)).expect_err("x is no number");
        assert_eq!(
            (failure.stage(), failure.to_string().as_str()),
            ("numbers", "numbers failed: invalid digit found in string")
        );
        assert!([1, 2].starts_with(&seen));
    });
}

#[test]
fn several_sources_each_in_its_order() {
    watched(|| {
        let parts: Vec<Pipeline<(u64, u64)>> = (0..4_u64)
            .map(|source| {
                let part = from_iter((0..500).map(move |n| (source, n)));
                if source % 2 == 0 { part.hand_over(2) } else { part.parallel(2, |item| item).in_order() }
            })
            .collect();
        let all = merge(parts).parallel(2, |item| item).in_order().collect().expect("none fails");
        assert_eq!(all.len(), 2000);
        for source in 0..4 {
            assert!(
                all.iter().filter(|item| item.0 == source).map(|item| item.1).eq(0..500),
                "source {source}"
            );
        }
    });
}

#[test]
fn no_source_at_all() {
    watched(|| {
        assert_eq!(merge(Vec::<Pipeline<u64>>::new()).collect().expect("none fails"), []);
        assert_eq!(from_iter(0..0).parallel(3, |n| n).in_order().collect().expect("none fails"), []);
    });
}
