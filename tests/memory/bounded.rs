//! Pipes of bounded protocols: at most one allocation for a pipe, none for a message.

use crate::{PIPE, both_without_allocating, counting};
use futures::executor::block_on;
use futures::join;
use pipes_tests::greeting::{self, Hello, Reply};
use pipes_tests::pingpong::{self, Client, Ping, Pong, Server};
use pipes_tests::watched;
use std::sync::{Arc, Barrier};
use std::thread;

type Payload = [u64; 4];

/// Does this many round trips as a client; returns the client.
fn call(mut client: Client<Ping<Payload>>, rounds: u64) -> Client<Ping<Payload>> {
    for round in 0..rounds {
        let Ok(Pong::Pong([answer, ..], next)) = client.ping([round; 4]).expect("the server serves").recv()
        else {
            panic!("the server serves")
        };
        assert_eq!(answer, round);
        client = next;
    }
    client
}

fn serve(mut server: Server<Ping<Payload>>, rounds: u64) -> Server<Ping<Payload>> {
    for _ in 0..rounds {
        let Ok(Ping::Ping(payload, answering)) = server.recv() else { panic!("the client calls") };
        server = answering.pong(payload).expect("the client waits");
    }
    server
}

async fn call_async(mut client: Client<Ping<Payload>>, rounds: u64) {
    for round in 0..rounds {
        let Ok(Pong::Pong([answer, ..], next)) = client.ping([round; 4]).expect("the server serves").await
        else {
            panic!("the server serves")
        };
        assert_eq!(answer, round);
        client = next;
    }
}

async fn serve_async(mut server: Server<Ping<Payload>>) -> u64 {
    let mut served = 0;
    while let Ok(Ping::Ping(payload, answering)) = server.await {
        server = answering.pong(payload).expect("the client waits");
        served += 1;
    }
    served
}

#[test]
fn a_pipe_is_one_allocation() {
    let (ends, info) = counting(pingpong::pipe::<[Payload; 8]>);
    assert_eq!((info.count_total, info.count_current), (1, 1), "a large one");
    let ((), freed) = counting(|| drop(ends));
    assert_eq!((freed.count_total, freed.bytes_current), (0, -info.bytes_current));
    let ((), info) = counting(|| drop(pingpong::pipe::<Payload>()));
    assert_eq!((info.count_total, info.bytes_current), (PIPE, 0));
}

#[test]
fn a_oneshot_is_one_allocation() {
    let (value, info) = counting(|| {
        let (chan, port) = pipes::oneshot();
        chan.send([7_u64; 4]).expect("the port is there");
        port.recv()
    });
    assert_eq!(value, Ok([7; 4]));
    assert_eq!((info.count_total, info.bytes_current), (PIPE, 0));
}

#[test]
fn a_oneshot_is_small() {
    // More of them than a thread keeps.
    let (ends, info) = counting(|| [(); 100].map(|()| pipes::oneshot::<u64>()));
    assert!(info.count_current > 80 && info.bytes_current <= 160 * info.count_current, "{info:?}");
    drop(ends);
}

/// A million round trips on one thread use no more memory than the first.
#[test]
fn a_million_round_trips_on_one_thread() {
    let ((), info) = counting(|| {
        let (mut client, mut server) = pingpong::pipe::<Payload>();
        for round in 0..1_000_000 {
            let waiting = client.ping([round; 4]).expect("the server is there");
            let Ok(Ping::Ping(payload, answering)) = server.recv() else { panic!("it was sent") };
            server = answering.pong(payload).expect("the client is there");
            let Ok(Pong::Pong(_, next)) = waiting.recv() else { panic!("it was answered") };
            client = next;
        }
        let waiting = client.ping([0; 4]).expect("the server is there");
        let Ok(Ping::Ping(payload, answering)) = server.recv() else { panic!("it was sent") };
        answering.bye(payload).expect("the client is there");
        assert!(matches!(waiting.recv(), Ok(Pong::Bye(_))));
    });
    assert_eq!((info.count_total, info.count_max, info.bytes_current), (PIPE, PIPE, 0), "{info:?}");
}

#[test]
fn round_trips_between_threads() {
    watched(|| {
        let (client, server) = pingpong::pipe();
        let both = Arc::new(Barrier::new(2));
        let theirs = both.clone();
        let serving = thread::spawn(move || {
            // A thread's first sleep may allocate what all its later sleeps use.
            let server = serve(server, 100);
            both_without_allocating(&theirs, || serve(server, 100_000))
        });
        let client = call(client, 100);
        let client = both_without_allocating(&both, || call(client, 100_000));
        drop(serving.join().expect("the server allocates nothing"));
        drop(client);
    });
}

/// The executor allocates the same for a thousand messages and for a million.
#[test]
fn a_million_round_trips_between_tasks() {
    let allocations = |rounds| {
        let (served, info) = counting(|| {
            block_on(async {
                let (client, server) = pingpong::pipe();
                join!(call_async(client, rounds), serve_async(server)).1
            })
        });
        assert_eq!(served, rounds);
        (info.count_total, info.bytes_max, info.bytes_current)
    };
    // The executor keeps memory for the thread.
    allocations(10);
    let few = allocations(1_000);
    assert_eq!(few.2, 0, "all memory comes back");
    assert_eq!(few, allocations(1_000_000));
}

#[test]
fn round_trips_between_tasks_of_tokio() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime can be had");
    let allocations = |rounds| {
        let (served, info) = counting(|| {
            runtime.block_on(async {
                let (client, server) = pingpong::pipe();
                let serving = tokio::spawn(serve_async(server));
                call_async(client, rounds).await;
                serving.await.expect("the server does not panic")
            })
        });
        assert_eq!(served, rounds);
        info.count_total
    };
    allocations(10);
    assert_eq!(allocations(1_000), allocations(100_000));
}

/// The server sends first, and the client ends the session.
#[test]
fn a_protocol_that_starts_with_a_receive() {
    let ((), info) = counting(|| {
        let (mut client, mut server) = greeting::pipe();
        for round in 0..10_000_u64 {
            let asking = server.hello(round).expect("the client is there");
            let Ok(Hello::Hello(_, replying)) = client.recv() else { panic!("it was sent") };
            client = replying.again(round).expect("the server is there");
            let Ok(Reply::Again(_, next)) = asking.recv() else { panic!("it was answered") };
            server = next;
        }
    });
    assert_eq!((info.count_total, info.bytes_current), (PIPE, 0), "{info:?}");
}

/// Closing early, with a message unread, also frees everything, in either order.
#[test]
fn closing_gives_all_memory_back() {
    for client_first in [false, true] {
        let ((), info) = counting(|| {
            let (client, server) = pingpong::pipe();
            let client = client.ping(Box::new(5)).expect("the server is there");
            if client_first {
                drop(client);
                drop(server);
            } else {
                drop(server);
                drop(client);
            }
        });
        assert_eq!((info.count_total, info.bytes_current), (PIPE + 1, 0), "{info:?}");
    }
}

#[test]
fn a_failed_send_gives_all_memory_back() {
    let ((), info) = counting(|| {
        let (client, server) = pingpong::pipe();
        drop(server);
        assert_eq!(client.ping(9_u64).unwrap_err().into_payload(), 9);
        let (chan, port) = pipes::oneshot();
        drop(port);
        assert_eq!(chan.send(9_u64).unwrap_err().into_payload(), 9);
    });
    assert_eq!((info.count_total, info.bytes_current), (2 * PIPE, 0), "{info:?}");
}
