//! States whose parameters get new arguments in a step.

use pipes_tests::{Counted, Tally, watched};
use std::thread;

pipes::proto! {
    /// A payload of any type first, then bytes without end.
    widening {
        open<T>: send { send(T) -> open<Vec<u8>>, same(T) -> open<T> }
    }

    /// Two parameters that change places, with an answer to each message.
    #[bounded]
    swapping {
        left<T, U>: send { left(T) -> right<T, U> }
        right<T, U>: recv { right(U) -> left<U, T>, stop(Option<T>) -> left<(), [u64; 8]> }
    }

    /// A protocol's parameter, wrapped in an argument for a state's own parameter.
    wrapping<T> {
        first: send { first(T) -> then<(T, T)> }
        then<U>: recv { pair(U) -> first, many(Vec<U>) -> then<u8> }
    }
}

#[test]
fn another_payload_after_the_first_message() {
    watched(|| {
        let (client, server) = widening::pipe();
        let serving = thread::spawn(move || {
            let Ok(widening::Open::Same(5_u64, server)) = server.recv() else { panic!("it is sent") };
            let Ok(widening::Open::Send(6_u64, server)) = server.recv() else { panic!("it is sent") };
            let mut server: widening::server::Open<Vec<u8>> = server;
            let mut sum = 0;
            while let Ok(widening::Open::Send(bytes, next) | widening::Open::Same(bytes, next)) =
                server.recv()
            {
                (server, sum) = (next, sum + bytes.len());
            }
            sum
        });
        let client = client.same(5).expect("the server is there").send(6).expect("the server is there");
        let mut client = client;
        for length in 0..300 {
            client = client.send(vec![1; length]).expect("the server is there");
        }
        drop(client);
        assert_eq!(serving.join().expect("the server does not panic"), (0..300).sum());
    });
}

/// Unread messages of both instances, at every slot of a block.
#[test]
fn unread_messages_of_two_instances() {
    for before in 0..70 {
        for client_first in [false, true] {
            let tally = Tally::new();
            let (mut client, server) = widening::pipe();
            for number in 0..before {
                client = client.same(tally.make(number)).expect("the server is here");
            }
            let client = client.send(tally.make(before)).expect("the server is here");
            let client = client.send(vec![1, 2, 3]).expect("the server is here");
            let client = client.same(vec![4]).expect("the server is here");
            if client_first {
                drop(client);
                drop(server);
            } else {
                drop(server);
                assert_eq!(
                    client.send(vec![5]).map(drop).map_err(|error| error.into_payload()),
                    Err(vec![5])
                );
            }
            assert_eq!(tally.gone() as u64, before + 1);
        }
    }
}

/// The slots have room for later payloads, although the state that the pipe begins in does not mention them.
#[test]
fn slots_have_room_for_later_payloads() {
    let (client, server) = swapping::pipe::<(), u8>();
    let client = client.left(()).expect("the server is here");
    let Ok(swapping::Left::Left((), server)) = server.recv() else { panic!("it was sent") };
    let server = server.right(7).expect("the client is here");
    let Ok(swapping::Right::Right(7, client)) = client.recv() else { panic!("it was sent") };
    let client = client.left(8).expect("the server is here");
    let Ok(swapping::Left::Left(8, server)) = server.recv() else { panic!("it was sent") };
    let server = server.stop(Some(9)).expect("the client is here");
    let Ok(swapping::Right::Stop(Some(9), client)) = client.recv() else { panic!("it was sent") };
    let client = client.left(()).expect("the server is here");
    let Ok(swapping::Left::Left((), server)) = server.recv() else { panic!("it was sent") };
    let _server = server.right([3; 8]).expect("the client is here");
    let Ok(swapping::Right::Right(numbers, client)) = client.recv() else { panic!("it was sent") };
    assert_eq!(numbers, [3; 8]);
    assert!(client.left([4; 8]).is_ok());
}

#[test]
fn a_parameter_in_an_argument() {
    let tally = Tally::new();
    let (client, server) = wrapping::pipe::<Counted>();
    let client = client.first(tally.make(1)).expect("the server is here");
    let Ok(wrapping::First::First(one, server)) = server.recv() else { panic!("it was sent") };
    let server = server.pair((one, tally.make(2))).expect("the client is here");
    let Ok(wrapping::Then::Pair(pair, client)) = client.recv() else { panic!("it was sent") };
    assert_eq!((pair.0.number, pair.1.number), (1, 2));
    let client = client.first(pair.0).expect("the server is here");
    let Ok(wrapping::First::First(one, server)) = server.recv() else { panic!("it was sent") };
    let server = server.many(vec![(one, pair.1)]).expect("the client is here");
    let server: wrapping::server::Then<Counted, u8> = server;
    assert!(server.many(vec![1]).is_ok());
    assert_eq!(tally.gone(), 0);
    drop(client);
    tally.assert_all_gone();
}

/// The `Any` endpoints of an instance; another instance has other types.
#[test]
fn any_state_of_an_instance() {
    let (client, server) = widening::pipe();
    let client = client.same(1_u8).expect("the server is here");
    let any = widening::AnyServer::from(server);
    let Ok(widening::ServerMessage::Open(widening::Open::Same(1, server))) = any.recv() else {
        panic!("it was sent")
    };
    let _client = client.send(2).expect("the server is here").send(vec![3]).expect("the server is here");
    let any: widening::AnyServer<u8> = server.into();
    let Ok(widening::ServerMessage::Open(widening::Open::Send(2, server))) = any.recv() else {
        panic!("it was sent")
    };
    let any: widening::AnyServer<Vec<u8>> = server.into();
    let Ok(widening::ServerMessage::Open(message)) = any.recv() else { panic!("it was sent") };
    assert!(matches!(message, widening::Open::Send(bytes, _) if bytes == [3]));
}
