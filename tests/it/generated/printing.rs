//! The `Debug` output of the generated types.

use pipes::Protocol as _;
use std::fmt::Debug;
use std::rc::Rc;

/// A type without `Debug`.
struct Silent;

pipes::proto! {
    /// Payloads need not be `Debug`.
    quiet<T> {
        open: send { some_value(T, Silent) -> answer_to_it, stop -> ! }
        answer_to_it: recv { yes(Rc<Silent>) -> open }
    }

    /// One state with a derived `Debug`, and one without.
    mixed {
        #[derive(Debug)]
        open: send { pair(u8, text: &'static str) -> answer, stop -> ! }
        answer: recv { yes(u8) -> open }
    }

    /// Derives on the protocol apply to the messages of every state.
    #[derive(Debug, PartialEq)]
    last {
        open: send { value(u8) -> !, nothing -> ! }
    }
}

fn printed(thing: &impl Debug) -> String {
    format!("{thing:?}")
}

#[test]
fn endpoints_say_their_side_and_their_state() {
    let (client, server) = quiet::pipe::<u8>();
    assert_eq!([printed(&client), printed(&server)], ["Client<Open<u8>>", "Server<Open<u8>>"]);
    let client = client.some_value(1, Silent).expect("the server is here");
    assert_eq!(printed(&client), "Client<AnswerToIt<u8>>");
    let (client, _server) = quiet::pipe::<fn(u8) -> u8>();
    assert_eq!(printed(&client), "Client<Open<fn(u8) -> u8>>");
    let (client, server) = mixed::pipe();
    assert_eq!([printed(&client), printed(&server)], ["Client<Open>", "Server<Open>"]);
    let (client, server) = (mixed::AnyClient::from(client), mixed::AnyServer::from(server));
    assert_eq!([printed(&client), printed(&server)], ["Client<Open>", "Server<Open>"]);
}

/// The variant's name only, unless `Debug` is derived.
#[test]
fn messages_say_their_name() {
    let (client, server) = quiet::pipe::<Silent>();
    let client = client.some_value(Silent, Silent).expect("the server is here");
    let Ok(message) = server.recv() else { panic!("it was sent") };
    assert_eq!(printed(&message), "SomeValue");
    let quiet::Open::SomeValue(.., server) = message else { panic!("it was another") };
    let server = server.yes(Rc::new(Silent)).expect("the client is here");
    let Ok(message) = client.recv() else { panic!("it was sent") };
    assert_eq!(printed(&message), "Yes");
    let quiet::AnswerToIt::Yes(_, client) = message;
    client.stop().expect("the server is here");
    assert_eq!(printed(&server.recv()), "Ok(Stop)");
}

#[test]
fn a_derive_prints_everything() {
    let (client, server) = mixed::pipe();
    let client = client.pair(7, "seven").expect("the server is here");
    let Ok(message) = server.recv() else { panic!("it was sent") };
    assert_eq!(printed(&message), r#"Pair(7, "seven", Server<Answer>)"#);
    let mixed::Open::Pair(.., server) = message else { panic!("it was another") };
    let _server = server.yes(8).expect("the client is here");
    assert_eq!(printed(&client.recv()), "Ok(Yes)", "this one was not asked to");
    assert_eq!(printed(&last::Open::Value(9)), "Value(9)");
    assert!(last::Open::Value(9) != last::Open::Nothing);
}

/// The state, and no more of the message: whether that can be printed depends on the state.
#[test]
fn messages_of_any_state() {
    let (client, server) = mixed::pipe();
    let _client = client.pair(7, "seven").expect("the server is here");
    let message = mixed::AnyServer::from(server).recv();
    assert_eq!(printed(&message), "Ok(Open(..))");
    let Ok(mixed::ServerMessage::Open(mixed::Open::Pair(.., server))) = message else {
        panic!("it was another")
    };
    let sending = mixed::AnyServer::from(server).recv();
    assert_eq!(printed(&sending), "Ok(NotReceiving(Server<Answer>))");
}

/// A failed send can be printed for any payload.
#[test]
fn errors() {
    let (client, _) = quiet::pipe::<Silent>();
    assert_eq!(printed(&client.some_value(Silent, Silent)), "Err(SendError { .. })");
    let (_client, server) = quiet::Protocol::<Silent>::pipe();
    assert_eq!(printed(&server.try_recv()), "Err(Empty(..))");
}
