//! Messages with the names of verbs, fields with the names of variables in generated bodies, and keywords.
//!
//! Sessions between programs are tested with the same protocols (`tests/remote/it/hygiene.rs`).

pipes::proto! {
    /// Every verb of a receiver, some methods that every type has, and those of what carries messages to
    /// another program.
    #[remote]
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
            lift -> receiving, lower(u8) -> receiving, state -> receiving, hash(u8) -> receiving,
            poll -> receiving, put(u8) -> receiving, get -> receiving, user_speaks -> receiving,
            dial -> receiving, serve -> receiving, dial_async -> receiving, serve_async -> receiving,
            connect -> receiving, listen -> receiving, poll_closed -> receiving, combine -> receiving,
            shape -> receiving, info -> receiving, states -> receiving
        }
        receiving: recv {
            recv(u8) -> sending, ready -> sending, send -> sending, drop -> sending, lift(u8) -> sending,
            lower -> sending, poll_ready -> sending, finish -> !
        }
    }

    /// Messages of these names in an unbounded protocol, whose messages have tickets between programs.
    #[remote]
    tickets {
        sending: send {
            lift(u8) -> sending, lower -> sending, state(u8) -> sending, hash -> sending,
            poll(u8) -> sending, put -> sending, send(u8) -> sending, finish -> sending,
            ticket(u8) -> sending, room -> sending, drop(u8) -> sending, map -> sending, turn -> receiving
        }
        receiving: recv { send(u8) -> receiving, finish(u8) -> !, turn -> sending }
    }

    #[remote]
    fields {
        begin: send {
            one(payload: u8) -> begin,
            all(
                next: u8, payload: u8, f: u8, client: u8, server: u8,
                s: u8, error: u8, message: u8, endpoint: u8
            ) -> begin,
            between(
                codec: u16, out: u32, ticket: u8, kept: u64, other: u8, cx: u16, via: u32, link: u8
            ) -> begin,
            generated(payload0: u8, payload1: u8, _unused: u8, __hidden: u8) -> begin,
            raw(r#type: u8, r#self_: u8) -> begin,
            upper_and_not(u8, second: u8, u8) -> begin,
            unnamed(u8, payload0: u8, u8) -> begin,
            end(codec: u8, out: u8, message: u8, ticket: u8, endpoint: u8, next: u8) -> !
        }
    }

    /// States with the names of functions, traits and types that generated code uses.
    #[remote]
    states {
        connect: send { one -> listen } listen: recv { two -> relay } relay: send { three -> remote }
        remote: recv { four -> carries, many -> remote } carries: send { five -> lifted }
        lifted: recv { six -> lowered }
        lowered: send { seven -> incoming } incoming: recv { eight -> ticket } ticket: send { nine -> link }
        link: recv { ten -> option } option: send { eleven -> result } result: recv { twelve -> vec }
        vec: send { thirteen -> some } some: recv { fourteen -> none } none: send { fifteen -> into }
        into: recv { sixteen -> sized } sized: send { seventeen -> sync } sync: recv { eighteen -> ! }
    }

    #[remote]
    r#loop {
        r#type: send { r#move(u8) -> r#type, r#loop -> Match }
        Match: recv { While -> r#fn, r#Use -> Self_, Super(r#in: u8) -> Match, Crate -> Match }
        r#fn: send { Move(u8) -> r#type, Type(r#type: u8) -> r#type, Self_ -> r#type, Async -> Match }
        Self_: recv { r#gen -> Match, Dyn -> Match, Try -> Match }
    }
}

#[test]
fn messages_called_like_verbs() {
    let (client, server) = pipe!(verbs);
    let client = client.recv(1).unwrap();
    take!(server, verbs::Sending::Recv(1, server));
    assert!(!client.is_ready());
    let server = server.recv(2).unwrap();
    take!(client, verbs::Receiving::Recv(2, client));
    let client = client.drop().unwrap();
    take!(server, verbs::Sending::Drop(server));
    let server = server.send().unwrap();
    take!(client, verbs::Receiving::Send(client));
    assert_eq!(pipes::InState::state(&client), verbs::ClientState::Sending);
    let client = client.state().unwrap();
    take!(server, verbs::Sending::State(server));
    let server = server.send().unwrap();
    take!(client, verbs::Receiving::Send(client));
    let client = client.lift().unwrap();
    take!(server, verbs::Sending::Lift(server));
    let server = server.lower().unwrap();
    take!(client, verbs::Receiving::Lower(client));
    let client = client.put(3).unwrap();
    take!(server, verbs::Sending::Put(3, server));
    let server = server.lift(4).unwrap();
    take!(client, verbs::Receiving::Lift(4, client));
    drop(client.not_receiving().unwrap());
    let server = verbs::AnyServer::from(server);
    take!(server, verbs::ServerMessage::Sending(verbs::Sending::NotReceiving(_)));
}

#[test]
fn messages_called_like_verbs_beside_tickets() {
    let (client, server) = pipe!(tickets);
    let client = client.lift(1).unwrap().lower().unwrap().ticket(2).unwrap().drop(3).unwrap().room().unwrap();
    take!(server, tickets::Sending::Lift(1, server));
    take!(server, tickets::Sending::Lower(server));
    take!(server, tickets::Sending::Ticket(2, server));
    take!(server, tickets::Sending::Drop(3, server));
    take!(server, tickets::Sending::Room(server));
    let client = client.turn().unwrap();
    take!(server, tickets::Sending::Turn(server));
    server.send(4).unwrap().finish(5).unwrap();
    take!(client, tickets::Receiving::Send(4, client));
    take!(client, tickets::Receiving::Finish(5));
}

#[test]
fn fields_called_like_what_bodies_use() {
    let (client, server) = pipe!(fields);
    let client = client.all(1, 2, 3, 4, 5, 6, 7, 8, 9).unwrap();
    take!(server, fields::Begin::All(1, 2, 3, 4, 5, 6, 7, 8, 9, server));
    let client = client.between(1, 2, 3, 4, 5, 6, 7, 8).unwrap();
    take!(server, fields::Begin::Between(1, 2, 3, 4, 5, 6, 7, 8, server));
    let client = client.upper_and_not(1, 2, 3).unwrap().unnamed(1, 2, 3).unwrap();
    take!(server, fields::Begin::UpperAndNot(1, 2, 3, server));
    take!(server, fields::Begin::Unnamed(1, 2, 3, server));
    client.raw(1, 2).unwrap().end(1, 2, 3, 4, 5, 6).unwrap();
    take!(server, fields::Begin::Raw(1, 2, server));
    take!(server, fields::Begin::End(1, 2, 3, 4, 5, 6));
}

#[test]
fn states_called_like_items_and_keywords() {
    let (client, server) = pipe!(states);
    let _client = client.one().unwrap();
    take!(server, states::Connect::One(server));
    drop(server.two().unwrap());
    let (client, server) = pipe!(r#loop);
    let client = client.r#move(1).unwrap();
    take!(server, r#loop::Type::Move(1, server));
    let client = client.r#loop().unwrap();
    take!(server, r#loop::Type::Loop(server));
    drop(server.super_(2).unwrap().r#while().unwrap());
    take!(client, r#loop::Match::Super(2, client));
    take!(client, r#loop::Match::While(_));
}
