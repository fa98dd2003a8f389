//! Messages, states and fields with the names of what generated code uses.

use super::meet;

pipes::proto! {
    /// Messages called like the methods and variables of a walker.
    #[remote]
    verbs {
        sending: send {
            lift -> receiving, lower(u8) -> receiving, state -> receiving, hash(u8) -> receiving,
            poll -> receiving, put(u8) -> receiving, get -> receiving, user_speaks -> receiving,
            dial -> receiving, serve -> receiving, dial_async -> receiving, serve_async -> receiving,
            connect -> receiving, listen -> receiving, into -> receiving, from -> receiving,
            poll_closed -> receiving, poll_ready -> receiving, combine -> receiving, shape -> receiving,
            drop -> receiving, map -> receiving
        }
        receiving: recv { lift(u8) -> sending, lower -> sending, poll_ready -> sending, send -> sending, finish -> ! }
    }

    /// Messages of these names in an unbounded protocol, with tickets.
    #[remote]
    tickets {
        sending: send {
            lift(u8) -> sending, lower -> sending, state(u8) -> sending, hash -> sending,
            poll(u8) -> sending, put -> sending, send(u8) -> sending, finish -> sending,
            ticket(u8) -> sending, room -> sending, drop(u8) -> sending, map -> sending, turn -> receiving
        }
        receiving: recv { send(u8) -> receiving, finish(u8) -> !, turn -> sending }
    }

    /// Fields called like variables.
    #[remote]
    fields {
        begin: send {
            all(
                next: u8, codec: u16, out: u32, message: u64, ticket: u8, endpoint: u16, payload: u32, kept: u64,
                other: u8, cx: u16, via: u32, server: u64, link: u8, client: u16
            ) -> begin,
            unnamed(u8, payload0: u8, u8) -> begin,
            raw(r#type: u8, r#self_: u8) -> begin,
            end(codec: u8, out: u8, message: u8, ticket: u8, endpoint: u8, next: u8) -> !
        }
    }

    /// States called like functions, traits and types of a walker.
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
        Match: recv { While -> r#fn, r#Use -> Match, Super(r#in: u8) -> Match }
        r#fn: send { Async(r#type: u8) -> r#type, Dyn -> Match, Self_ -> ! }
    }
}

#[test]
fn messages_called_like_what_walkers_have() {
    let ((client, _), (server, _)) = meet::<verbs::Protocol>();
    let client = client.lift().unwrap();
    let Ok(verbs::Sending::Lift(server)) = server.recv() else { panic!("something else was sent") };
    let server = server.lower().unwrap();
    let Ok(verbs::Receiving::Lower(client)) = client.recv() else { panic!("something else was sent") };
    let client = client.put(7).unwrap();
    let Ok(verbs::Sending::Put(7, server)) = server.recv() else { panic!("something else was sent") };
    let server = server.lift(8).unwrap();
    let Ok(verbs::Receiving::Lift(8, client)) = client.recv() else { panic!("something else was sent") };
    let client = client.poll_ready().unwrap();
    let Ok(verbs::Sending::PollReady(server)) = server.recv() else { panic!("something else was sent") };
    server.finish().unwrap();
    assert!(matches!(client.recv(), Ok(verbs::Receiving::Finish)));
}

#[test]
fn the_same_beside_tickets() {
    let ((client, _), (server, _)) = meet::<tickets::Protocol>();
    let client = client.lift(1).unwrap().lower().unwrap().ticket(2).unwrap().drop(3).unwrap().room().unwrap();
    let Ok(tickets::Sending::Lift(1, server)) = server.recv() else { panic!("something else was sent") };
    let Ok(tickets::Sending::Lower(server)) = server.recv() else { panic!("something else was sent") };
    let Ok(tickets::Sending::Ticket(2, server)) = server.recv() else { panic!("something else was sent") };
    let Ok(tickets::Sending::Drop(3, server)) = server.recv() else { panic!("something else was sent") };
    let Ok(tickets::Sending::Room(server)) = server.recv() else { panic!("something else was sent") };
    let client = client.turn().unwrap();
    let Ok(tickets::Sending::Turn(server)) = server.recv() else { panic!("something else was sent") };
    server.send(4).unwrap().finish(5).unwrap();
    let Ok(tickets::Receiving::Send(4, client)) = client.recv() else { panic!("something else was sent") };
    assert!(matches!(client.recv(), Ok(tickets::Receiving::Finish(5))));
}

#[test]
fn fields_called_like_variables() {
    let ((client, _), (server, _)) = meet::<fields::Protocol>();
    let client = client.all(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14).unwrap();
    let client = client.unnamed(1, 2, 3).unwrap().raw(4, 5).unwrap();
    client.end(1, 2, 3, 4, 5, 6).unwrap();
    let Ok(fields::Begin::All(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, server)) = server.recv() else {
        panic!("something else was sent");
    };
    let Ok(fields::Begin::Unnamed(1, 2, 3, server)) = server.recv() else { panic!("it was sent") };
    let Ok(fields::Begin::Raw(4, 5, server)) = server.recv() else { panic!("it was sent") };
    assert!(matches!(server.recv(), Ok(fields::Begin::End(1, 2, 3, 4, 5, 6))));
}

#[test]
fn states_called_like_items_and_keywords() {
    let ((client, _), (server, _)) = meet::<states::Protocol>();
    let _client = client.one().unwrap();
    let Ok(states::Connect::One(server)) = server.recv() else { panic!("it was sent") };
    drop(server.two().unwrap());
    let ((client, _), (server, _)) = meet::<r#loop::Protocol>();
    let _client = client.r#move(1).unwrap().r#loop().unwrap();
    let Ok(r#loop::Type::Move(1, server)) = server.recv() else { panic!("it was sent") };
    let Ok(r#loop::Type::Loop(server)) = server.recv() else { panic!("it was sent") };
    drop(server.super_(2).unwrap().r#while().unwrap());
}
