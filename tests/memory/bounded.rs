//! Oneshots and pipes of bounded protocols: at most one allocation for a pipe, none for a message. With the
//! cases of `pipe-manual-1.rs`, `-2.rs`, `-3.rs` and `pipe-pingpong-bounded.rs` of Rust 0.5.

use crate::{PIPE, counting, same_for_few_and_many};
use futures::join;
use pipes_tests::pingpong::{self, Ping, Pong};
use pipes_tests::{spawn, test_in, watched};

type Payload = [u64; 4];

/// Asserts that the action allocates so often, and that all memory comes back.
#[track_caller]
fn assert_allocates(times: u64, action: impl FnOnce()) {
    let ((), info) = counting(action);
    assert_eq!((info.count_total, info.bytes_current), (times, 0), "{info:?}");
}

#[test]
fn a_pipe_is_one_allocation() {
    let (ends, info) = counting(pingpong::pipe::<[Payload; 8]>);
    assert_eq!((info.count_total, info.count_current), (1, 1), "a large one");
    let ((), freed) = counting(|| drop(ends));
    assert_eq!((freed.count_total, freed.bytes_current), (0, -info.bytes_current));
    assert_allocates(PIPE, || drop(pingpong::pipe::<Payload>()));
    assert_allocates(PIPE, || {
        let (chan, port) = pipes::oneshot();
        chan.send([7_u64; 4]).expect("the port is there");
        assert_eq!(port.recv(), Ok([7; 4]));
    });
}

#[test]
fn a_oneshot_is_small() {
    // More of them than a thread keeps.
    let (ends, info) = counting(|| [(); 100].map(|()| pipes::oneshot::<u64>()));
    assert!(info.count_current > 80 && info.bytes_current <= 160 * info.count_current, "{info:?}");
    drop(ends);
}

/// Sessions that end after their first step, at the latest: everything is freed, in whatever order the ends
/// leave. The unread message owns memory, too.
#[test]
fn closing_gives_all_memory_back() {
    let unused: [fn(); 3] = [
        || drop(pingpong::pipe::<Box<u64>>()),
        || {
            let (chan, port) = pipes::oneshot();
            drop(port);
            assert_eq!(chan.send(9_u64).unwrap_err().into_payload(), 9);
        },
        || {
            let (client, server) = pingpong::pipe();
            drop(server);
            assert_eq!(client.ping(9_u64).unwrap_err().into_payload(), 9);
        },
    ];
    unused.into_iter().for_each(|session| assert_allocates(PIPE, session));
    let with_a_message: [fn(); 4] = [
        // The client leaves at once. The server reads, and leaves instead of answering.
        || {
            let (client, server) = pingpong::pipe();
            drop(client.ping(Box::new(5)));
            drop(server.recv());
        },
        || {
            let (client, server) = pingpong::pipe();
            let client = client.ping(Box::new(5));
            drop(server.recv());
            assert!(client.expect("the server was here").recv().is_err());
        },
        // The server leaves before it reads, where the original leaked and waited for ever.
        || {
            let (client, server) = pingpong::pipe();
            let client = client.ping(Box::new(5)).expect("the server is here");
            drop(server);
            assert!(client.recv().is_err());
        },
        // The ping is never read.
        || {
            let (client, server) = pingpong::pipe();
            drop(client.ping(Box::new(5)));
            drop(server);
        },
    ];
    with_a_message.into_iter().for_each(|session| assert_allocates(PIPE + 1, session));
}

/// The side that leaves second frees the pipe, in either thread.
#[test_in(watched)]
fn the_last_thread_frees_the_pipe() {
    let (client, server) = pingpong::pipe();
    let client = client.ping(1).expect("the server is here");
    let serving = spawn(move || {
        let Ok(Ping::Ping(1, server)) = server.recv() else { panic!("the client pings") };
        counting(|| drop(server)).1
    });
    let theirs = serving.join().expect("the server does not panic");
    assert_eq!((theirs.count_total, theirs.count_current), (0, 0), "the client is still there");
    let (closed, ours) = counting(|| client.recv().is_err());
    assert!(closed);
    assert_eq!((ours.count_total, ours.count_current), (0, -1), "{ours:?}");
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
    });
    assert_eq!((info.count_total, info.count_max, info.bytes_current), (PIPE, PIPE, 0), "{info:?}");
}

#[test]
fn round_trips_between_tasks() {
    same_for_few_and_many(async |rounds| {
        let (mut client, mut server) = pingpong::pipe();
        let calling = async {
            for round in 0..rounds {
                let waiting = client.ping([round; 4]).expect("the server serves");
                let Ok(Pong::Pong(answer, next)) = waiting.await else { panic!("the server serves") };
                assert_eq!(answer, [round; 4]);
                client = next;
            }
            drop(client);
        };
        let serving = async {
            while let Ok(Ping::Ping(payload, answering)) = server.await {
                server = answering.pong(payload).expect("the client waits");
            }
        };
        join!(calling, serving);
    });
}
