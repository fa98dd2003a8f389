//! Protocols that send each other's endpoints.

pipes::proto! {
    /// A protocol whose sessions are handed over.
    #[remote]
    inner<T> {
        ask: send { ask(T) -> answer }
        answer: recv { answer(T) -> ask, end -> ! }
    }

    /// Hands over the endpoints of protocols that are declared before and after it, and its own.
    #[remote]
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

    #[remote]
    last {
        only: recv { back(outer::server::Give) -> ! }
    }

    /// A parameter as a payload, and as an argument of another protocol's endpoint in the same message.
    #[remote]
    wrapped<T> {
        wrap: send { wrap(T, inner::Client<inner::Ask<T>>) -> wrap, end -> ! }
    }
}

#[test]
fn endpoints_of_protocols_before_and_behind() {
    let (client, server) = outer::pipe();
    let (ask, asked) = inner::pipe();
    let client = client.client(ask).unwrap();
    let client = client.server(asked).unwrap();
    take!(server, outer::Give::Client(ask, server));
    take!(server, outer::Give::Server(asked, server));
    let waiting = ask.ask(1).unwrap();
    take!(asked, inner::Ask::Ask(1, answering));
    let (last_client, last_server) = last::pipe();
    let client = client.later(Some(last_client)).unwrap();
    take!(server, outer::Give::Later(Some(last_client), server));
    server.take(waiting).unwrap();
    take!(client, outer::Take::Take(waiting));
    answering.end().unwrap();
    take!(waiting, inner::Answer::End);
    last_server.back(outer::pipe().1).unwrap();
    assert!(matches!(last_client.try_recv(), Ok(last::Only::Back(server)) if server.is_closed()));
}

#[test]
fn endpoints_of_the_protocol_itself() {
    let (client, server) = outer::pipe();
    let client = client.itself(outer::pipe().0).unwrap();
    drop(client.path(outer::pipe().1, outer::pipe().0.into()).unwrap());
    take!(server, outer::Give::Itself(_, server));
    take!(server, outer::Give::Path(..));
    let (client, server) = wrapped::pipe();
    let _client = client.wrap("text", inner::pipe().0).unwrap();
    take!(server, wrapped::Wrap::Wrap("text", _, _));
}
