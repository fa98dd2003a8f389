//! A system that has few threads left, or none. Pipelines, services and eventuals report that a thread is
//! missing, no matter which. Functions on slices work with the threads that they get. Each test runs in
//! processes in which a stack takes one of the few gibibytes of address space.
#![cfg(all(target_os = "linux", not(miri)))]

use pipes::{Eventual, RecvError, spawn_service};
use pipes_skeleton::{
    Batching, Divided, Failure, FailureKind, Metrics, Pace, Pipeline, divide_and_conquer, from_iter,
    from_port, map, map_reduce, merge, posted,
};
use pipes_tests::{apart_in, greeting};
use std::ops::ControlFlow::{Break, Continue};
use std::process::Command;
use std::time::Duration;

/// Runs the test in processes with room for 0 to `most` stacks.
fn with_few_threads(most: usize, test: fn()) {
    let limited = |program: Command| {
        (0..=most).map(move |stacks| {
            let limit = format!("ulimit -v {}; exec timeout 100 \"$0\" \"$@\"", 1_100_000 * stacks + 400_000);
            let mut command = Command::new("sh");
            command
                .args(["-c", &limit])
                .arg(program.get_program())
                .args(program.get_args())
                .env("RUST_MIN_STACK", "1073741824");
            command
        })
    };
    apart_in(limited, test);
}

/// Returns whether it has run to its end. Asserts that otherwise the system had no thread.
fn is_fine<R>(result: Result<R, Failure>) -> bool {
    let Err(failure) = result else { return true };
    assert!(matches!(failure.kind(), FailureKind::NoThread) && failure.stuck().is_empty(), "{failure}");
    false
}

const SHAPES: [fn(Pipeline<u64>) -> Pipeline<u64>; 9] = [
    |items| items,
    |items| items.parallel(3, |n| n).in_order().sequential(|n| n),
    |items| items.parallel(2, |n| n).parallel(2, |n| n),
    |items| items.round_robin(3, |n| n).in_order(),
    |items| items.concurrent(3, |n| async move { n }).in_order(),
    |items| items.farm(2, |share| share.sequential(|n| n).concurrent(2, |n| async move { n })),
    |items| {
        items.feedback(|again| again.parallel(2, |n: u64| if n < 30 { Continue(n + 9) } else { Break(n) }))
    },
    |items| merge([items.parallel(2, |n| n), from_iter(0..9), from_iter(0..9)]),
    |items| {
        let (pace, batches) = (Pace::new(1e9), Batching::of(3).within(Duration::from_millis(1)));
        let paced = items.paced(&pace.expect("it can be kept")).measured(&Metrics::new());
        paced.batched(&batches).sequential(|batch| batch.len() as u64)
    },
];

#[test]
fn pipelines() {
    with_few_threads(9, || {
        for shape in SHAPES {
            let make = || shape(from_iter(0..50_u64).in_flight(6));
            is_fine(make().for_each(drop));
            make().into_iter().for_each(|item| _ = is_fine(item));
            let (port, running) = make().into_port();
            let came = port.into_iter().count();
            assert!(!is_fine(running.join()) || came > 0);
            let (port, running) = make().into_port();
            running.detach();
            port.into_iter().for_each(drop);
            // One pipeline behind the other.
            let (port, running) = make().into_port();
            is_fine(from_port(port).parallel(2, |n| n).for_each(drop));
            is_fine(running.join());
            let running = posted(|items| shape(items.in_flight(4))).expect("it can be described so");
            let all = (0..100).all(|n| running.post(n).is_ok());
            assert_eq!(is_fine(running.collect()), all);
        }
    });
}

#[test]
fn functions_on_slices() {
    with_few_threads(5, || {
        let numbers: Vec<u64> = (0..1000).collect();
        for workers in [1, 2, 8, 100] {
            assert_eq!(map(&numbers, workers, |n| n + 1).expect("nothing panics")[999], 1000);
            let ones = map_reduce(&numbers, workers, |n| [(n % 7, 1)], |a, b| a + b).expect("nothing panics");
            assert_eq!(ones.values().sum::<i32>(), 1000);
            let divide = |n| if n == 1 { Divided::Solved(1) } else { Divided::Into(vec![n / 2; 2]) };
            let whole = divide_and_conquer(512_u64, workers, divide, |parts| parts.into_iter().sum::<u64>());
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
        }
        let serve = || {
            spawn_service::<greeting::Protocol<u64>>(|server| {
                drop(server.hello(1).expect("it is there").recv());
            })
        };
        let clients: Vec<_> = (0..8).map(|_| serve()).collect();
        for client in clients {
            if let Ok(greeting::Hello::Hello(_, reply)) = client.recv() {
                let _ = reply.thanks();
            }
        }
    });
}
