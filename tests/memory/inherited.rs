//! Pipes whose states have different parameters: the state that a pipe begins in determines its memory.

use crate::{PIPE, both_without_allocating, counting, without_allocating};
use futures::executor::block_on;
use futures::join;
use pipes_tests::watched;
use std::sync::{Arc, Barrier};
use std::thread;

pipes::proto! {
    /// Bounded: only the first state mentions the first payload.
    #[bounded]
    handshake<T> {
        hello: send { hello(T) -> welcome }
        welcome: recv { welcome(u64) -> ask }
        ask: send { ask([u64; 4]) -> answer, bye -> ! }
        answer: recv { answer([u64; 4]) -> ask }
    }

    /// Unbounded: the second message gives its parameter a new argument.
    growing {
        open<T>: send { first(T) -> open<[u64; 8]>, next(T) -> open<T>, turn -> told }
        told: recv { told(u64) -> open<u8> }
    }
}

type Ask = (handshake::client::Ask, handshake::server::Ask);

/// Goes from the states that have a parameter to those that have none.
fn introduced<T>(greeting: T) -> Ask {
    let (client, server) = handshake::pipe();
    let client = client.hello(greeting).expect("the server is here");
    let Ok(handshake::Hello::Hello(_, server)) = server.recv() else { panic!("it was sent") };
    let server = server.welcome(1).expect("the client is here");
    let Ok(handshake::Welcome::Welcome(1, client)) = client.recv() else { panic!("it was sent") };
    (client, server)
}

fn ask(mut client: handshake::client::Ask, rounds: u64) -> handshake::client::Ask {
    for round in 0..rounds {
        let asked = client.ask([round; 4]).expect("the server is there");
        let Ok(handshake::Answer::Answer(answer, next)) = asked.recv() else { panic!("the server answers") };
        assert_eq!(answer, [round; 4]);
        client = next;
    }
    client
}

fn answer(mut server: handshake::server::Ask, rounds: u64) -> handshake::server::Ask {
    for _ in 0..rounds {
        let Ok(handshake::Ask::Ask(payload, answering)) = server.recv() else { panic!("the client asks") };
        server = answering.answer(payload).expect("the client waits");
    }
    server
}

/// The first payload may be of any size: nothing, or larger than all others.
#[test]
fn one_allocation_a_pipe() {
    fn session<T>(greeting: T, allocations: u64) {
        let ((), info) = counting(|| {
            let (mut client, mut server) = introduced(greeting);
            for round in 0..10_000 {
                let asked = client.ask([round; 4]).expect("the server is here");
                server = answer(server, 1);
                let Ok(handshake::Answer::Answer(_, next)) = asked.recv() else { panic!("it was sent") };
                client = next;
            }
            client.bye().expect("the server is here");
            assert!(matches!(server.recv(), Ok(handshake::Ask::Bye)));
        });
        assert_eq!((info.count_total, info.bytes_current), (allocations, 0), "{info:?}");
    }
    session((), PIPE);
    session(7_u64, PIPE);
    session([7_u64; 100], 1);
}

#[test]
fn none_a_message_between_threads() {
    watched(|| {
        let (client, server) = introduced("hello");
        let both = Arc::new(Barrier::new(2));
        let theirs = both.clone();
        let serving = thread::spawn(move || {
            // A thread's first sleep may allocate what all its later sleeps use.
            let server = answer(server, 100);
            both_without_allocating(&theirs, || answer(server, 20_000))
        });
        let client = ask(client, 100);
        let client = both_without_allocating(&both, || ask(client, 20_000));
        drop(serving.join().expect("the server allocates nothing"));
        drop(client);
    });
}

#[test]
fn none_a_message_between_tasks() {
    let allocations = |rounds: u64| {
        let ((), info) = counting(|| {
            block_on(async {
                let (mut client, mut server) = introduced(5_u8);
                let asking = async {
                    for round in 0..rounds {
                        let asked = client.ask([round; 4]).expect("the server is there");
                        let Ok(handshake::Answer::Answer(_, next)) = asked.await else {
                            panic!("it answers")
                        };
                        client = next;
                    }
                    client.bye().expect("the server is there");
                };
                let answering = async {
                    while let Ok(handshake::Ask::Ask(payload, next)) = server.await {
                        server = next.answer(payload).expect("the client waits");
                    }
                };
                join!(asking, answering);
            });
        });
        (info.count_total, info.bytes_max, info.bytes_current)
    };
    // The executor keeps memory for the thread.
    allocations(10);
    let few = allocations(1_000);
    assert_eq!(few.2, 0, "all memory comes back");
    assert_eq!(few, allocations(100_000));
}

/// A client and a server in the state with large payloads, after a warm-up.
type Large = (growing::client::Open<[u64; 8]>, growing::server::Open<[u64; 8]>);

fn run((mut client, mut server): Large, length: u64) -> Large {
    for number in 0..length {
        client = client.next([number; 8]).expect("the server is here");
    }
    for number in 0..length {
        let Ok(growing::Open::Next(payload, next)) = server.recv() else { panic!("it was sent") };
        assert_eq!(payload, [number; 8]);
        server = next;
    }
    (client, server)
}

/// The first payload is small and the later ones are large; the blocks have had room for the large ones from
/// the beginning.
#[test]
fn none_a_message_once_warm_without_a_bound() {
    let (client, server) = growing::pipe::<u8>();
    let client = client.first(1).expect("the server is here");
    let Ok(growing::Open::First(1, server)) = server.recv() else { panic!("it was sent") };
    let mut ends = (client, server);
    for _ in 0..200 {
        ends = run(ends, 100);
    }
    let ends = without_allocating(|| (0..1_000).fold(ends, |ends, _| run(ends, 100)));
    drop(ends);
}
