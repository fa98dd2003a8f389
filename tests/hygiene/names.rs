//! Payloads with the names of generated items.

macro_rules! payloads {
    ($($name:ident)*) => {
        $(#[derive(Debug, PartialEq)]
        struct $name(u8);)*
    };
}

payloads! {
    Client Server AnyClient ServerMessage Protocol NotReceiving ReceivingServer ClientReceived ClientState
    ServerState
}

#[derive(Debug, PartialEq)]
struct Login {
    user: String,
}

pipes::proto! {
    #[remote]
    endpoints {
        ends: send {
            ends(Client, Server) -> others, receiving(ReceivingServer, ClientReceived) -> others,
            states(ClientState, ServerState) -> others
        }
        others: recv { others(AnyClient, ServerMessage, Protocol, NotReceiving) -> ends, end -> ! }
    }

    /// States with the names of their payloads.
    #[remote]
    called_alike {
        login: send { login(Login) -> string }
        string: recv { string(String) -> vec, strings(Vec<String>) -> vec }
        vec: send { vec(Vec<Option<String>>) -> option }
        option: recv { option(Option<Result<Box<Login>, ()>>) -> result }
        result: send { result(Result<String, Vec<u8>>) -> box_ }
        box_: recv { box_(Box<dyn Send>) -> send }
        send: send { ok(Option<u8>) -> some, err -> ! }
        some: recv { some(std::option::Option<u8>) -> ok }
        ok: send { ok -> none }
        none: recv { none -> debug }
        debug: send { debug(Box<dyn std::fmt::Debug>) -> u8 }
        u8: recv { u8(u8, [u8; 2], &'static [u8]) -> str }
        str: send { str(&'static str) -> ! }
    }

    /// Parameters, next to states with the names of types.
    generic_alike<'a, T: 'a> {
        vec: send { vec(Vec<T>, &'a T) -> option }
        option: recv { option(Option<&'a [T]>) -> cow }
        cow: send { cow(Vec<Option<&'a T>>) -> vec, end -> ! }
    }
}

#[test]
fn payloads_called_like_endpoints() {
    let (client, server) = endpoints::pipe();
    let waiting = client.ends(Client(1), Server(2)).unwrap();
    take!(server, endpoints::Ends::Ends(Client(1), Server(2), server));
    let _server = server.others(AnyClient(3), ServerMessage(4), Protocol(5), NotReceiving(6)).unwrap();
    take!(
        waiting,
        endpoints::Others::Others(AnyClient(3), ServerMessage(4), Protocol(5), NotReceiving(6), _)
    );
    let (client, server) = endpoints::pipe();
    drop(client.receiving(ReceivingServer(7), ClientReceived(8)).unwrap());
    let server = endpoints::ReceivingServer::from(server);
    take!(server, endpoints::ServerReceived::Ends(received));
    assert!(matches!(received, endpoints::Ends::Receiving(ReceivingServer(7), ClientReceived(8), _)));
    let (client, server) = endpoints::pipe();
    drop(client.states(ClientState(9), ServerState(10)).unwrap());
    take!(server, endpoints::Ends::States(ClientState(9), ServerState(10), _));
}

#[test]
fn payloads_called_like_states() {
    drop(generic_alike::pipe::<u8>());
    let (client, server) = called_alike::pipe();
    let client = client.login(Login { user: String::from("me") }).unwrap();
    take!(server, called_alike::Login::Login(login, server));
    let server = server.strings(vec![login.user]).unwrap();
    take!(client, called_alike::String::Strings(strings, client));
    let client = client.vec(strings.into_iter().map(Some).collect()).unwrap();
    take!(server, called_alike::Vec::Vec(_, server));
    let server = server.option(Some(Err(()))).unwrap();
    take!(client, called_alike::Option::Option(Some(Err(())), client));
    drop(client.result(Ok(String::new())).unwrap());
    take!(server, called_alike::Result::Result(Ok(_), _));
}

pipes::proto! {
    /// Names that are spelled in unusual ways, and none of which is a reason for a warning.
    #[remote]
    spelled {
        a__b: send {
            x__y(u8) -> a__b, X__Z(u8) -> a__b, _front -> a__b, back_ -> a__b, X1 -> a__b, x1_2 -> _1, ärger -> 请求
        }
        _1: recv { HTTPGet -> 请求, go2_ -> a__b }
        请求: recv { 回答(String) -> ! }
    }
}

#[test]
fn spelled_in_unusual_ways() {
    let (client, server) = spelled::pipe();
    let waiting = client.x__y(1).unwrap().x__z(2).unwrap().ärger().unwrap();
    take!(server, spelled::AB::XY(1, server));
    take!(server, spelled::AB::XZ(2, server));
    take!(server, spelled::AB::Ärger(server));
    server.回答("yes".into()).unwrap();
    assert!(matches!(waiting.recv(), Ok(spelled::请求::回答(text)) if text == "yes"));
}
