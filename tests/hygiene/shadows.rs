//! Messages with the names of verbs, fields with the names of variables in generated bodies, and keywords.

pipes::proto! {
    /// Every verb of a receiver, and some methods that every type has.
    verbs {
        sending: send {
            recv(u8) -> receiving, try_recv(u8) -> receiving, recv_timeout(u8) -> receiving,
            recv_deadline -> receiving, recv_async -> receiving, into_future -> receiving,
            ready -> receiving, poll_ready -> receiving, is_ready -> receiving, is_closed -> receiving,
            wait -> receiving, send(u8) -> receiving, finish -> receiving, map(u8) -> receiving,
            clone -> receiving, drop -> receiving, next -> receiving, payload(u8) -> receiving,
            into -> receiving, from -> receiving, fmt -> receiving, receiver -> receiving,
            receiver_mut -> receiving, not_receiving -> receiving, pipe -> receiving,
            client -> receiving, server -> receiving, any_client -> receiving,
            state -> receiving, info -> receiving, states -> receiving
        }
        receiving: recv { recv(u8) -> sending, ready -> sending, send -> sending, drop -> sending, end -> ! }
    }

    fields {
        begin: send {
            one(payload: u8) -> begin,
            all(
                next: u8, payload: u8, f: u8, client: u8, server: u8,
                s: u8, error: u8, message: u8, endpoint: u8
            ) -> begin,
            generated(payload0: u8, payload1: u8, _unused: u8, __hidden: u8) -> begin,
            raw(r#type: u8, r#fn: u8) -> begin,
            upper_and_not(u8, second: u8, u8) -> begin,
            end -> !
        }
    }

    keywords {
        r#type: send { r#move(u8) -> r#type, r#loop -> Match }
        Match: recv { While -> r#fn, r#Use -> Self_, Super -> Match, Crate -> Match }
        r#fn: send { Move(u8) -> r#type, Type(r#type: u8) -> r#type, Self_ -> r#type, Async -> Match }
        Self_: recv { r#gen -> Match, Dyn -> Match, Try -> Match }
    }
}

#[test]
fn messages_called_like_verbs() {
    let (client, server) = verbs::pipe();
    let client = client.recv(1).unwrap();
    take!(server, verbs::Sending::Recv(1, server));
    assert!(!client.is_ready());
    let server = server.recv(2).unwrap();
    take!(client, verbs::Receiving::Recv(2, client));
    let client = client.drop().unwrap();
    take!(server, verbs::Sending::Drop(server));
    let server = server.send().unwrap();
    assert!(client.is_ready());
    take!(client, verbs::Receiving::Send(client));
    assert_eq!(pipes::InState::state(&client), verbs::ClientState::Sending);
    let client = client.state().unwrap();
    take!(server, verbs::Sending::State(server));
    let server = server.send().unwrap();
    take!(client, verbs::Receiving::Send(client));
    drop(client.not_receiving().unwrap());
    let server = verbs::AnyServer::from(server);
    take!(server, verbs::ServerMessage::Sending(verbs::Sending::NotReceiving(_)));
}

#[test]
fn fields_called_like_what_bodies_use() {
    let (client, server) = fields::pipe();
    let client = client.all(1, 2, 3, 4, 5, 6, 7, 8, 9).unwrap();
    take!(server, fields::Begin::All(1, 2, 3, 4, 5, 6, 7, 8, 9, server));
    let client = client.upper_and_not(1, 2, 3).unwrap();
    take!(server, fields::Begin::UpperAndNot(1, 2, 3, server));
    drop(client.raw(1, 2).unwrap());
    take!(server, fields::Begin::Raw(1, 2, _));
}

#[test]
fn names_that_are_keywords() {
    let (client, server) = keywords::pipe();
    let client = client.r#move(1).unwrap();
    take!(server, keywords::Type::Move(1, server));
    let client = client.r#loop().unwrap();
    take!(server, keywords::Type::Loop(server));
    drop(server.r#while().unwrap());
    take!(client, keywords::Match::While(_));
}
