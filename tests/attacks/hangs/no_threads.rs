//! A system that has few threads left, or none. Pipelines of many shapes, services and eventuals must report
//! that a thread is missing, no matter which; the skeletons for data in memory must work with the threads
//! that they get. Each test runs in its own process, in which a stack takes one of the few gibibytes of
//! address space.

use pipes::{Eventual, RecvError, listen, spawn_service, stream};
use pipes_skeleton::{
    Batching, Cause, Divided, Failure, Metrics, Pace, Pipeline, divide_and_conquer, from_iter, from_port,
    map, map_reduce, merge, posted, reduce,
};
use pipes_tests::{apart_in, greeting};
use std::ops::ControlFlow::{Break, Continue};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Runs the test in processes with room for 0 to `most` stacks.
fn with_few_threads(most: usize, test: fn()) {
    let limited = |program: &Path| {
        let program = program.to_owned();
        (0..=most).map(move |stacks| {
            let kibibytes = 1_100_000 * stacks + 400_000;
            let mut command = Command::new("sh");
            command
                .args(["-c", &format!("ulimit -v {kibibytes}; exec timeout 100 \"$0\" \"$@\"")])
                .arg(&program);
            command.env("RUST_MIN_STACK", "1073741824");
            command
        })
    };
    apart_in(limited, test);
}

/// Returns whether it has run to its end. Asserts that otherwise the system had no thread.
fn is_fine<R>(result: Result<R, Failure>) -> bool {
    match result {
        Ok(_) => true,
        Err(failure) => {
            assert!(matches!(failure.cause(), Cause::NoThread), "{failure}");
            assert!(failure.stuck().is_empty(), "{failure}");
            false
        }
    }
}

fn shapes() -> Vec<(&'static str, Pipeline<u64>)> {
    let items = || from_iter(0..50_u64).window(3).hand_over(2);
    let pace = Pace::new(1e9).expect("it can be kept");
    let batches = Batching::of(3).within(Duration::from_millis(1));
    vec![
        ("a source", items()),
        ("a stage", items().sequential(|n| n)),
        ("a farm", items().parallel(3, |n| n).in_order()),
        ("two farms", items().parallel(2, |n| n).parallel(2, |n| n)),
        ("dealt", items().round_robin(3, |n| n).in_order()),
        ("futures", items().concurrent(3, |n| async move { n }).in_order()),
        (
            "a farm of pipelines",
            items().farm(2, |share| share.sequential(|n| n).concurrent(2, |n| async move { n })),
        ),
        (
            "rounds",
            items().feedback(|again| {
                again.parallel(2, |n: u64| if n < 30 { Continue(n + 9) } else { Break(n) })
            }),
        ),
        ("merged", merge([items(), items().parallel(2, |n| n), items()])),
        ("batched", items().parallel(2, |n| n).batched(&batches).sequential(|batch| batch.len() as u64)),
        ("paced", items().paced(&pace).measured(&Metrics::new())),
    ]
}

#[test]
fn pipelines() {
    with_few_threads(9, || {
        for (name, pipeline) in shapes() {
            eprintln!("{name}: {}", is_fine(pipeline.for_each(drop)));
        }
        for (_, pipeline) in shapes() {
            let (port, running) = pipeline.into_port();
            let came = port.into_iter().count();
            assert!(!is_fine(running.join()) || came > 0);
        }
        for (_, pipeline) in shapes() {
            let (port, running) = pipeline.into_port();
            running.detach();
            port.into_iter().for_each(drop);
        }
        for (_, pipeline) in shapes() {
            for item in pipeline {
                let _came = is_fine(item);
            }
        }
        // One pipeline behind the other.
        for (_, pipeline) in shapes() {
            let (port, running) = pipeline.into_port();
            let behind = is_fine(from_port(port).parallel(2, |n| n).for_each(drop));
            let before = is_fine(running.join());
            eprintln!("{before} {behind}");
        }
    });
}

#[test]
fn posts() {
    with_few_threads(6, || {
        for _ in 0..10 {
            let running = posted(|items: Pipeline<u64>| {
                items.window(2).parallel(2, |n| n).in_order().sequential(|n| n)
            });
            let running = running.expect("it can be described so");
            let all = (0..100).all(|n| running.post(n).is_ok());
            assert_eq!(is_fine(running.collect()), all);
        }
    });
}

#[test]
fn data() {
    with_few_threads(5, || {
        let numbers: Vec<u64> = (0..1000).collect();
        for workers in [1, 2, 8, 100] {
            assert_eq!(map(&numbers, workers, |n| n + 1).expect("nothing panics")[999], 1000);
            assert_eq!(
                reduce(&numbers, workers, || 0, |a, b| a + b, |a, b| a + b).expect("nothing panics"),
                499_500
            );
            let ones = map_reduce(&numbers, workers, |n| [(n % 7, 1)], |a, b| a + b).expect("nothing panics");
            assert_eq!(ones.values().sum::<i32>(), 1000);
            let whole = divide_and_conquer(
                512_u64,
                workers,
                |n| if n == 1 { Divided::Solved(1) } else { Divided::Into(vec![n / 2; 2]) },
                |parts| parts.into_iter().sum::<u64>(),
            );
            assert_eq!(whole.expect("nothing panics"), 512);
        }
    });
}

#[test]
fn eventuals_and_services() {
    with_few_threads(4, || {
        let mut all: Vec<_> = (0..8_u64).map(|n| Eventual::spawn(move || n)).collect();
        for (n, it) in (0..).zip(&mut all) {
            assert!(matches!(it.get(), Ok(&got) if got == n) || it.get() == Err(RecvError));
            assert!(it.is_ready());
        }
        let (chan, _port) = stream::<()>();
        drop(chan);
        let clients: Vec<_> = (0..8)
            .map(|_| {
                spawn_service::<greeting::Protocol<u64>>(|server| {
                    let Ok(greeting::Reply::Thanks) = server.hello(1).expect("it is there").recv() else {
                        return;
                    };
                })
            })
            .collect();
        for client in clients {
            if let Ok(greeting::Hello::Hello(_, reply)) = client.recv() {
                let _ = reply.thanks();
            }
        }
        let (connector, listener) = listen::<greeting::Protocol<u64>>();
        drop(listener);
        assert!(connector.connect().is_err());
    });
}
