//! Connections of QUIC on which there is no session.

use crate::secure::{new, serve, showing, sum, trusting};
use futures::StreamExt;
use futures::stream;
use pipes_remote::engine::{Engine, Quic};
use pipes_remote::{quic, quic_free_port};
use pipes_remote_tests::numbers;
use pipes_tests::watched;
use std::thread;
use tokio::runtime::{Builder, Runtime};

/// The connections that a machine keeps at most if there is nothing on them, and the tasks of each.
const CONNECTIONS: usize = 256;
const TASKS: usize = 2;

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads can be had")
}

/// They are alive, and each costs its server memory.
#[test]
fn connections_without_a_session_are_limited() {
    watched(|| {
        let server = new();
        let here = quic_free_port(showing(&server)).expect("there is a free port");
        let (serving, clients) = (runtime(), runtime());
        let mut listener = serving.block_on(numbers::listen_async(&here)).expect("the port is free");
        serving.spawn(async move {
            while let Ok(server) = listener.recv_async().await {
                tokio::spawn(serve(server));
            }
        });
        // Each opens a stream, says nothing, and keeps its connection.
        let begin = |_| {
            let place = Quic::new(here.address(), trusting(&server));
            async move {
                drop(place.open().await.expect("it listens"));
                place
            }
        };
        let idle = stream::iter(0..CONNECTIONS + 40).map(begin).buffer_unordered(20).collect::<Vec<_>>();
        let idle = clients.block_on(idle);
        assert!(idle.len() > CONNECTIONS);
        // The listener has tasks as well.
        while serving.metrics().num_alive_tasks() > TASKS * CONNECTIONS + 8 {
            thread::yield_now();
        }
        let there = quic(here.address(), trusting(&server));
        let client = clients.block_on(numbers::connect_async(&there)).expect("it listens");
        assert_eq!(clients.block_on(sum(client)), 5050);
    });
}
