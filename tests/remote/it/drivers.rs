//! Runtimes without drivers for sockets or timers: the sessions are in the background.

use pipes_remote::engine::{Engine, Quic, Tls, Ws};
use pipes_remote::{memory, over};
use pipes_remote_tests::engines::{Sides, memory_sides, secured_sides, serves, tcp_sides};
use pipes_remote_tests::numbers;
use pipes_tests::watched;
use std::thread;
use tokio::runtime::{Builder, Runtime};

/// One runtime of each kind that lacks something, with one thread and with two.
fn incomplete() -> Vec<Runtime> {
    let mut runtimes = Vec::new();
    for (has_sockets, has_timers) in [(false, false), (true, false), (false, true)] {
        let mut two = Builder::new_multi_thread();
        two.worker_threads(2);
        for mut builder in [Builder::new_current_thread(), two] {
            if has_sockets {
                builder.enable_io();
            }
            if has_timers {
                builder.enable_time();
            }
            runtimes.push(builder.build().expect("threads can be had"));
        }
    }
    runtimes
}

/// A session at this place, in a task.
async fn session<E: Engine>(Sides { here, there }: Sides<E>) {
    let mut listener = numbers::listen_async(&here).await.expect("the place is free");
    let client = numbers::connect_async(&there).await.expect("it listens");
    serves(&mut listener, client).await;
    listener.shutdown_async().await;
}

/// Runs this in each of them, outside and inside of a task.
fn in_each<F: Future<Output = ()> + Send + 'static>(test: impl Fn() -> F + Send + 'static) {
    watched(move || {
        for runtime in incomplete() {
            runtime.block_on(test());
            runtime.block_on(runtime.spawn(test())).expect("it does not panic");
        }
    });
}

macro_rules! over_each {
    ($($test:ident: $sides:expr;)*) => {
        $(#[test]
        fn $test() {
            in_each(|| session($sides));
        })*
    };
}

mod works_in_every_runtime {
    use super::*;

    over_each! {
        memory: memory_sides();
        tcp: tcp_sides();
        tls: secured_sides::<Tls>();
        quic: secured_sides::<Quic>();
        ws: secured_sides::<Ws>();
        streams: {
            let (ours, theirs) = tokio::io::duplex(1024);
            Sides { here: over(ours), there: over(theirs) }
        };
    }

    #[cfg(unix)]
    #[test]
    fn unix() {
        in_each(|| async {
            let folder = tempfile::tempdir().expect("there is room");
            session(Sides::same(pipes_remote::unix(folder.path().join("socket")))).await;
        });
    }
}

#[test]
fn services_work_in_every_runtime() {
    in_each(|| async {
        let (connector, mut listener) = pipes::listen::<numbers::Protocol>();
        let place = memory();
        place.serve_for_async(&connector).await.expect("the place is free");
        let client = numbers::connect_async(&place.clone().eager()).await.expect("it listens");
        serves(&mut listener, client).await;
    });
}

/// Farms block, and are in the background in any case.
#[test]
fn farms_work_in_every_runtime() {
    use pipes_remote::farm::{PipelineExt, Workers, worker};
    use pipes_skeleton::from_iter;
    in_each(|| async {
        let here = memory();
        let workers: Workers<u64, u64> = Workers::listen(&here).expect("the place is free");
        let working = thread::spawn(move || worker(&here, 1, |number: u64| number + 1));
        let sum: u64 = from_iter(0..10).remote(&workers, |it| it).collect().expect("it works").iter().sum();
        assert_eq!(sum, 55);
        assert!(workers.finish(std::time::Duration::from_secs(50)));
        assert_eq!(working.join().expect("it does not panic").expect("it has worked"), 10);
    });
}
