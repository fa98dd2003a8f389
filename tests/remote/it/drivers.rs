//! Runtimes without drivers for sockets or timers: the sessions are in the background.

use pipes::Closing;
use pipes_remote::engine::{Engine, Quic, Tls};
use pipes_remote::{memory, over};
use pipes_remote_tests::engines::{Sides, memory_sides, secured_sides, tcp_sides};
use pipes_remote_tests::talk;
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
    let mut listener = talk::listen_async(&here).await.expect("the place is free");
    let (client, link) = talk::connect_with_link_async(&there).await.expect("it listens");
    let server = listener.recv_async().await.expect("a client comes");
    let asking = client.question(1).expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = server.await else { panic!("a question comes") };
    let server = answer.reply(2).expect("the link stands");
    let Ok(talk::Answer::Reply(2, client)) = asking.await else { panic!("an answer comes") };
    client.stop().expect("the link stands");
    assert!(matches!(server.await, Ok(talk::Ask::Stop)));
    link.drained_async().await.expect("it is confirmed");
    listener.drain_async().await;
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
        streams: {
            let (ours, theirs) = tokio::io::duplex(1024);
            Sides { here: over(ours), there: over(theirs) }
        };
    }

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
        let (connector, mut listener) = pipes::listen::<talk::Protocol>();
        let place = memory();
        place.serve_for_async(&connector).await.expect("the place is free");
        let client = talk::connect_async(&place.clone().eager()).await.expect("it listens");
        client.stop().expect("the link stands");
        let server = listener.recv_async().await.expect("a client comes");
        assert!(matches!(server.await, Ok(talk::Ask::Stop)));
    });
}

/// Farms block, and are in the background in any case.
#[test]
fn farms_work_in_every_runtime() {
    use pipes_remote::farm::{Remote, Workers, worker};
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

/// A complete runtime has its sessions itself, also after one that is not.
#[test]
fn sessions_are_in_the_runtime_of_their_task_if_it_has_all_drivers() {
    watched(|| {
        for _ in incomplete().iter().map(|runtime| runtime.block_on(async { memory_session().await })) {}
        let complete = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (client, _server) = complete.block_on(memory_session());
        drop(complete);
        assert!(client.is_closed());
    });
}

async fn memory_session() -> (talk::Client<talk::Ask>, talk::Server<talk::Ask>) {
    let place = memory();
    let mut listener = talk::listen_async(&place).await.expect("the place is free");
    let client = talk::connect_async(&place).await.expect("it listens");
    (client, listener.recv_async().await.expect("a client comes"))
}
