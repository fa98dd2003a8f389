//! Protocols that send each other's endpoints.

pipes::proto! {
    /// A protocol whose sessions are handed over.
    inner<T> {
        ask: send { ask(T) -> answer }
        answer: recv { answer(T) -> ask, end -> ! }
    }

    /// Hands over the endpoints of protocols that are declared before and after it, and its own.
    outer {
        give: send {
            client(inner::Client<inner::Ask<u8>>) -> give,
            server(inner::server::Ask<u8>) -> give,
            any(Vec<inner::AnyServer<u8>>) -> give,
            message(inner::ClientMessage<u8>) -> give,
            receiving(inner::ReceivingServer<u8>, inner::ClientReceived<u8>) -> give,
            itself(outer::client::Give) -> give,
            path(self::outer::server::Give, super::neighbours::outer::AnyClient) -> give,
            later(Option<last::client::Only>) -> take
        }
        take: recv { take(inner::client::Answer<u8>) -> ! }
    }

    last {
        only: recv { back(outer::server::Give) -> ! }
    }

    /// A parameter as a payload, and as an argument of another protocol's endpoint in the same message.
    wrapped<T> {
        wrap: send { wrap(T, inner::Client<inner::Ask<T>>) -> wrap, end -> ! }
    }
}

#[test]
fn endpoints_of_protocols_before_and_behind() {
    let (client, server) = outer::pipe();
    let (ask, asked) = inner::pipe();
    let client = client.client(ask).expect("the server is here");
    let client = client.server(asked).expect("the server is here");
    let Ok(outer::Give::Client(ask, server)) = server.try_recv() else { panic!("something else was sent") };
    let Ok(outer::Give::Server(asked, server)) = server.try_recv() else { panic!("something else was sent") };
    let waiting = ask.ask(1).expect("the server is here");
    let Ok(inner::Ask::Ask(1, answering)) = asked.try_recv() else { panic!("something else was sent") };
    let (last_client, last_server) = last::pipe();
    let client = client.later(Some(last_client)).expect("the server is here");
    let Ok(outer::Give::Later(Some(last_client), server)) = server.try_recv() else {
        panic!("something else was sent");
    };
    server.take(waiting).expect("the client is here");
    let Ok(outer::Take::Take(waiting)) = client.try_recv() else { panic!("something else was sent") };
    answering.end().expect("the client is here");
    assert!(matches!(waiting.try_recv(), Ok(inner::Answer::End)));
    last_server.back(outer::pipe().1).expect("the client is here");
    assert!(matches!(last_client.try_recv(), Ok(last::Only::Back(server)) if server.is_closed()));
}

#[test]
fn endpoints_of_the_protocol_itself() {
    let (client, server) = outer::pipe();
    let (inner_client, inner_server) = outer::pipe();
    let client = client.itself(inner_client).expect("the server is here");
    let _client = client.path(inner_server, outer::pipe().0.into()).expect("the server is here");
    let Ok(outer::Give::Itself(inner_client, server)) = server.try_recv() else {
        panic!("something else was sent")
    };
    let Ok(outer::Give::Path(inner_server, _, _)) = server.try_recv() else {
        panic!("something else was sent")
    };
    drop(inner_server);
    assert!(inner_client.any(Vec::new()).is_err());
}

#[test]
fn endpoints_with_parameters() {
    let (client, server) = wrapped::pipe();
    let _client = client.wrap("text", inner::pipe().0).expect("the server is here");
    let Ok(wrapped::Wrap::Wrap("text", ask, _)) = server.try_recv() else {
        panic!("something else was sent")
    };
    assert_eq!(ask.ask("back").expect_err("nobody is there").into_payload(), "back");
}
