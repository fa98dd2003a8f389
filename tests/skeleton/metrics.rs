//! Metrics: exact counts and plausible times.

use pipes_skeleton::{
    Metrics, Pace, Part, Pipeline, Stage, filter, flat_map, fold, from_iter, merge, posted,
};
use pipes_tests::{test_in, watched};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(10);

/// Name, replicas and items of each stage.
fn counts(metrics: &Metrics) -> Vec<(String, usize, u64)> {
    let report = metrics.report();
    let of = |stage: &pipes_skeleton::StageReport| {
        let items = stage.replicas().iter().map(|replica| replica.items).sum();
        assert_eq!(stage.items(), items, "each item is somebody's");
        assert_eq!(stage.work().count(), items);
        (stage.name().to_owned(), stage.replicas().len(), items)
    };
    report.stages().iter().map(of).collect()
}

fn stage(name: &str, replicas: usize, items: u64) -> (String, usize, u64) {
    (name.to_owned(), replicas, items)
}

/// Behind a stage that makes several items of one, a stage counts the items that it has seen itself,
/// and so does its queue.
#[test_in(watched)]
fn items_that_came_together_count_each() {
    let metrics = Metrics::new();
    from_iter(0..100_u64)
        .parallel_with(2, |_| flat_map(|n: u64| [n, n, n]))
        .parallel_with(2, |_| filter(|n: &u64| n.is_multiple_of(2)).then(flat_map(|n: u64| [n, n])))
        .named("three")
        .concurrent(2, std::future::ready)
        .named("futures")
        .in_order()
        .sequential(|n| n)
        .named("last")
        .measured(&metrics)
        .for_each(drop)
        .expect("none fails");
    let expected = [
        stage("source", 1, 100),
        stage("stage 1", 2, 100),
        stage("three", 2, 300),
        stage("futures", 1, 300),
        stage("last", 1, 300),
    ];
    assert_eq!(counts(&metrics), expected);
    for stage in &metrics.report().stages()[2..] {
        assert_eq!(stage.depth(), 0, "{}", stage.name());
        assert!((3..=300).contains(&stage.most()), "{}: {}", stage.name(), stage.most());
    }
}

/// Farms of pipelines are counted by position, merged pipelines one after the other, and items that go back
/// each time.
#[test_in(watched)]
fn nested_and_merged() {
    let metrics = Metrics::new();
    let farm = from_iter(0..100_u64)
        .farm(2, |share| share.sequential(|n| n).named("a").parallel(2, |n| n).named("b"));
    farm.measured(&metrics).for_each(drop).expect("none fails");
    assert_eq!(counts(&metrics), [stage("source", 1, 100), stage("a", 2, 100), stage("b", 4, 100)]);

    let metrics = Metrics::new();
    let parts = ["x", "y"].map(|name| from_iter(0..50_u64).named(name).sequential(|n| n));
    merge(parts).measured(&metrics).for_each(drop).expect("none fails");
    let (x, y, merged) = (stage("x", 1, 50), stage("y", 1, 50), stage("merge", 1, 100));
    assert_eq!(counts(&metrics), [x, stage("stage 1", 1, 50), y, stage("stage 1", 1, 50), merged]);

    // A pipeline alone is passed on, also to a farm.
    let metrics = Metrics::new();
    let merged = merge([from_iter(0..50_u64).in_flight(1)]).parallel(2, |n| n).in_order();
    let all = merged.measured(&metrics).collect().expect("none fails");
    assert!(all.into_iter().eq(0..50));
    assert_eq!(counts(&metrics), [stage("source", 1, 50), stage("stage 1", 2, 50)]);

    let metrics = Metrics::new();
    let rounds = from_iter(0..10_u64).feedback(|again| {
        again.parallel(2, |n| if n < 15 { Continue(n + 5) } else { Break(n) }).named("round")
    });
    rounds.measured(&metrics).for_each(drop).expect("none fails");
    // Those below 5 go round three times more, the others twice.
    assert_eq!(counts(&metrics), [stage("source", 1, 10), stage("round", 2, 5 * 4 + 5 * 3)]);
}

/// Metrics can be read while the pipeline is blocked, and show where its items are.
#[test_in(watched)]
fn read_while_it_runs() {
    let metrics = Metrics::new();
    let (go, gate) = mpsc::channel::<()>();
    let (begun, when_begun) = mpsc::channel();
    let running = posted(|items: Pipeline<u64>| {
        let blocked = items.in_flight(16).sequential(move |n| {
            begun.send(()).expect("it is waited for");
            let _ = gate.recv();
            n
        });
        blocked.named("blocked").measured(&metrics)
    });
    let running = running.expect("it can be run");
    (0..8).for_each(|n| running.post(n).expect("it runs"));
    when_begun.recv().expect("it is at work");
    let report = metrics.report();
    let blocked = report.stages().iter().find(|stage| stage.name() == "blocked").expect("it is there");
    assert_eq!((blocked.items(), blocked.depth(), report.items()), (0, 7, 0));
    assert!((7..=8).contains(&blocked.most()));
    // In this order: the stage goes on when its channel has no receiver.
    drop(when_begun);
    drop(go);
    running.collect().expect_err("nobody waits for it to begin");
}

/// Times are at least the time spent waiting and working, and at most the whole time.
#[test_in(watched)]
fn times_are_plausible() {
    const PAUSE: Duration = Duration::from_millis(3);
    let (metrics, begin) = (Metrics::new(), Instant::now());
    from_iter(0..20_u64)
        .parallel(2, |n| {
            thread::sleep(PAUSE);
            n
        })
        .named("slow")
        .measured(&metrics)
        .for_each(drop)
        .expect("none fails");
    let (report, whole) = (metrics.report(), begin.elapsed());
    let slow = &report.stages()[1];
    let busy: Duration = slow.replicas().iter().map(|replica| replica.busy).sum();
    assert!(busy >= 20 * PAUSE && busy <= 2 * whole);
    assert_eq!(slow.busy(), busy / 2);
    assert!(slow.work().quantile(0.0) >= PAUSE && slow.work().max() <= whole);
    assert!(report.latency().quantile(0.0) >= PAUSE && report.latency().max() <= whole);
    assert!(report.latency().quantile(0.5) <= report.latency().quantile(0.99));
    assert!(slow.load() > 0.0 && slow.load() <= 1.0);
    assert_eq!(report.bottleneck().map(|stage| stage.name()), Some("slow"));
    assert!(report.throughput() > 0.0 && report.throughput() <= 20.0 / (10.0 * PAUSE.as_secs_f64()));
    for stage in report.stages() {
        let time: Duration = stage.replicas().iter().map(|replica| replica.time).sum();
        let mean = stage.load() * time.as_secs_f64() / stage.items() as f64;
        assert!((mean - stage.work().mean().as_secs_f64()).abs() < 1e-6, "{report}");
        for replica in stage.replicas() {
            let parts = replica.busy + replica.wait_in + replica.wait_out;
            assert!(parts <= replica.time && replica.time <= report.elapsed(), "{replica:?} in {report}");
        }
    }
    assert!(report.elapsed() <= whole);
    let picture = report.to_string();
    let marked = picture.lines().find(|line| line.ends_with("bottleneck")).expect("one is marked");
    assert!(marked.contains("slow") && marked.contains("×2"), "{picture}");
}

/// In a paced pipeline, the latency of an item begins when the pace lets it through: the last item's latency
/// is not the whole time.
#[test_in(watched)]
fn latency_begins_behind_the_pace() {
    let metrics = Metrics::new();
    let pace = Pace::new(1000.0).expect("it can be kept");
    let begin = Instant::now();
    let last = from_iter(0..30_u64).paced(&pace).parallel_with(1, |_| filter(|n| *n == 29));
    last.measured(&metrics).for_each(drop).expect("none fails");
    let (report, whole) = (metrics.report(), begin.elapsed());
    assert_eq!(report.items(), 1);
    assert!(report.latency().max() + Duration::from_millis(29) <= whole);
}

/// The throughput of the recent past does not count items that came out earlier.
#[test_in(watched)]
fn throughput_of_the_recent_past() {
    let metrics = Metrics::new();
    assert_eq!(metrics.throughput(Duration::from_secs(1)), 0.0);
    let mut items = from_iter(0..).measured(&metrics).into_iter();
    // Items are counted when the time slot in which they came out is over.
    let mut taken: u32 = 0;
    let found = loop {
        items.next().expect("it has no end").expect("none fails");
        taken += 1;
        let found = metrics.throughput(Duration::from_secs(10));
        if found > 0.0 {
            break found;
        }
    };
    assert!(found * 9.9 <= f64::from(taken), "{found} a second, {taken} taken");
}

/// An item keeps its time behind a pace. What is made of no item leaves the source when it is made.
#[test_in(watched)]
fn latency_counts_from_the_source() {
    const PAUSE: Duration = Duration::from_millis(3);
    let (metrics, pace) = (Metrics::new(), Pace::new(1e6).expect("it can be kept"));
    let slow = from_iter(0..3_u64).map(|n| (thread::sleep(PAUSE), n).1);
    slow.sequential(|n| n).paced(&pace).measured(&metrics).for_each(drop).expect("none fails");
    assert!(metrics.report().latency().quantile(0.0) >= PAUSE);

    let metrics = Metrics::new();
    assert_eq!(metrics.report().throughput(), 0.0);
    let sums = from_iter(Vec::<u64>::new()).parallel_gather(2, |_| fold(0, |sum, n| sum + n));
    sums.measured(&metrics).for_each(drop).expect("none fails");
    assert!(metrics.report().latency().max() <= metrics.report().elapsed());
}

/// Items that a run has left in a queue do not count in the next run's depth.
#[test_in(watched)]
fn a_depth_is_that_of_the_last_run() {
    let metrics = Metrics::new();
    let failure = from_iter(0..).sequential(|n: u64| n).measured(&metrics).for_each(|n| assert!(n < 500));
    failure.expect_err("it has no end");
    from_iter(0..100_u64).sequential(|n| n).measured(&metrics).for_each(drop).expect("none fails");
    let report = metrics.report();
    assert_eq!(report.stages()[1].depth(), 0);
    assert!(report.stages()[1].most() > 0);
    assert_eq!(report.stages()[1].replicas().len(), 2, "one a run");
}

/// A note is made anew for each report, may use the metrics itself, and belongs to the run that began last.
#[test_in(watched)]
fn notes_are_made_for_each_report() {
    let (metrics, asked) = (Metrics::new(), Arc::new(AtomicU64::new(0)));
    let run = |word: &'static str| {
        let (inner, asked) = (metrics.clone(), asked.clone());
        from_iter(0..10_u64)
            .parallel(3, |n| n)
            .named("farm")
            .noted(|| "forgotten".to_owned())
            .noted(move || {
                format!("{word}: report {}\nof {} items", asked.fetch_add(1, SeqCst), inner.throughput(LONG))
            })
            .sequential(|n| n)
            .measured(&metrics)
            .for_each(drop)
            .expect("none fails");
    };
    run("one");
    let before = [metrics.report(), metrics.report()];
    run("two");
    let notes: Vec<_> = before
        .iter()
        .chain([&metrics.report()])
        .map(|report| {
            let notes = report.stages().iter().map(|stage| stage.note().map(|note| note[..13].to_owned()));
            notes.collect::<Vec<_>>()
        })
        .collect();
    let expected = ["one: report 0", "one: report 1", "two: report 2"];
    let expected = expected.map(|note| vec![None, Some(note.to_owned()), None]);
    assert_eq!(notes, expected);
    let printed = metrics.report().to_string();
    assert!(printed.contains("\n        two: report 3\n        of "), "{printed}");
}

/// The replicas of a nested farm share the note of their stage.
#[test_in(watched)]
fn notes_in_parts() {
    let metrics = Metrics::new();
    from_iter(0..10_u64)
        .farm(2, |part| part.sequential(|n| n).named("inner").noted(|| "shared".to_owned()))
        .measured(&metrics)
        .for_each(drop)
        .expect("none fails");
    let report = metrics.report();
    let inner = report.stages().iter().find(|stage| stage.name() == "inner").expect("it is there");
    assert_eq!((inner.note(), inner.replicas().len()), (Some("shared"), 2));
}

/// A name behind a farm is that of all its replicas, whatever is in them: in metrics, and in the failure of
/// any replica. It may be longer than the greatest width of a format.
#[test_in(watched)]
fn names_of_parts() {
    let long = "x".repeat(1 << 16);
    type Share = Pipeline<u64, Part>;
    let parts: [fn(Share) -> Share; 3] = [
        |share| share.sequential(|n| n),
        |share| share.farm(2, |part| part.sequential(|n| n)),
        |share| {
            share
                .feedback(|again| again.sequential(|n| if n >= 1000 { Break(n) } else { Continue(n + 1000) }))
        },
    ];
    for part in parts {
        let metrics = Metrics::new();
        let farm = from_iter(0..50_u64).farm(2, |share| part(share.sequential(|n| n))).named(long.clone());
        farm.measured(&metrics).for_each(drop).expect("none fails");
        let names: Vec<_> = counts(&metrics).into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["source", "stage 1", &long]);
        assert!(metrics.report().to_string().len() > long.len());
    }
    for bad in 0..4 {
        let farm = from_iter(0..4).farm(2, move |share| share.sequential(move |n| assert!(n != bad)));
        let failure = farm.named(long.clone()).collect().expect_err("it panics");
        assert_eq!(failure.stage(), long);
        assert!(failure.to_string().len() > long.len());
    }
}

/// Each result that was taken from an iterator is counted, also if no more are asked for.
#[test_in(watched)]
fn results_that_are_taken_one_by_one() {
    for few in [0, 1, 3, 100] {
        let metrics = Metrics::new();
        let mut items = from_iter(0..100_u64).parallel(2, |n| n).measured(&metrics).into_iter();
        assert_eq!(items.by_ref().take(few).filter(Result::is_ok).count(), few);
        drop(items);
        assert_eq!(metrics.report().items(), few as u64);
    }
}

/// A merge is measured with the first metrics of its inputs.
#[test_in(watched)]
fn metrics_of_merged_pipelines() {
    let (left, right) = (Metrics::new(), Metrics::new());
    let one = from_iter(0..10).sequential(|n: u64| n).named("left").measured(&left);
    let other = from_iter(0..10).sequential(|n: u64| n).named("right").measured(&right);
    assert_eq!(merge([one, other]).collect().expect("none fails").len(), 20);
    let all = counts(&left);
    assert!(all.contains(&stage("left", 1, 10)) && all.contains(&stage("right", 1, 10)));
    assert!(right.report().stages().is_empty());
}
