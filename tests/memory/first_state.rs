//! Pipes whose states have different parameters: the state that a pipe begins in determines its memory.

use crate::{PIPE, counting, without_allocating};

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

/// The first payload may be of any size: nothing, or larger than all others.
#[test]
fn one_allocation_a_pipe() {
    fn session<T>(greeting: T, allocations: u64) {
        let ((), info) = counting(|| {
            let (client, server) = handshake::pipe();
            let client = client.hello(greeting).expect("the server is here");
            let Ok(handshake::Hello::Hello(_, server)) = server.recv() else { panic!("it was sent") };
            let mut server = server.welcome(1).expect("the client is here");
            let Ok(handshake::Welcome::Welcome(1, mut client)) = client.recv() else { panic!("it was sent") };
            for round in 0..10_000 {
                let asked = client.ask([round; 4]).expect("the server is here");
                let Ok(handshake::Ask::Ask(payload, answering)) = server.recv() else {
                    panic!("it was sent")
                };
                server = answering.answer(payload).expect("the client waits");
                let Ok(handshake::Answer::Answer(answer, next)) = asked.recv() else { panic!("it was sent") };
                assert_eq!(answer, [round; 4]);
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

/// A client and a server in the state with large payloads.
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
    let ends = (0..200).fold((client, server), |ends, _| run(ends, 100));
    drop(without_allocating(|| (0..1_000).fold(ends, |ends, _| run(ends, 100))));
}
