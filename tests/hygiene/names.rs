//! Payloads with the names of generated items.

#[derive(Debug, PartialEq)]
struct Client(u8);
#[derive(Debug, PartialEq)]
struct Server(u8);
#[derive(Debug, PartialEq)]
struct AnyClient(u8);
#[derive(Debug, PartialEq)]
struct ServerMessage(u8);
#[derive(Debug, PartialEq)]
struct Protocol(u8);
#[derive(Debug, PartialEq)]
struct NotReceiving(u8);
#[derive(Debug, PartialEq)]
struct ReceivingServer(u8);
#[derive(Debug, PartialEq)]
struct ClientReceived(u8);
#[derive(Debug, PartialEq)]
struct Login {
    user: String,
}

pipes::proto! {
    endpoints {
        ends: send { ends(Client, Server) -> others, receiving(ReceivingServer, ClientReceived) -> others }
        others: recv { others(AnyClient, ServerMessage, Protocol, NotReceiving) -> ends, end -> ! }
    }

    /// States with the names of their payloads.
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
    let waiting = client.ends(Client(1), Server(2)).expect("the server is here");
    let endpoints::Ends::Ends(Client(1), Server(2), server) = server.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    let _server = server
        .others(AnyClient(3), ServerMessage(4), Protocol(5), NotReceiving(6))
        .expect("the client is here");
    let endpoints::Others::Others(AnyClient(3), ServerMessage(4), Protocol(5), NotReceiving(6), _) =
        waiting.try_recv().expect("it was sent")
    else {
        panic!("something else was sent");
    };
    let (client, server) = endpoints::pipe();
    drop(client.receiving(ReceivingServer(7), ClientReceived(8)).expect("the server is here"));
    assert!(matches!(
        endpoints::ReceivingServer::from(server).try_recv(),
        Ok(endpoints::ServerReceived::Ends(endpoints::Ends::Receiving(
            ReceivingServer(7),
            ClientReceived(8),
            _
        )))
    ));
}

#[test]
fn payloads_called_like_states() {
    let (client, server) = called_alike::pipe();
    let client = client.login(Login { user: String::from("me") }).expect("the server is here");
    let called_alike::Login::Login(login, server) = server.try_recv().expect("it was sent");
    let server = server.strings(vec![login.user]).expect("the client is here");
    let called_alike::String::Strings(strings, client) = client.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    let client = client.vec(strings.into_iter().map(Some).collect()).expect("the server is here");
    let called_alike::Vec::Vec(options, server) = server.try_recv().expect("it was sent");
    assert_eq!(options, [Some(String::from("me"))]);
    let server = server.option(Some(Err(()))).expect("the client is here");
    let called_alike::Option::Option(option, client) = client.try_recv().expect("it was sent");
    assert_eq!(option, Some(Err(())));
    let client = client.result(Ok(String::new())).expect("the server is here");
    let called_alike::Result::Result(result, server) = server.try_recv().expect("it was sent");
    assert_eq!(result, Ok(String::new()));
    drop(client);
    let back = server.box_(Box::new(5)).expect_err("nobody is there");
    drop(back.into_payload());
}

#[test]
fn parameters_beside_states_called_like_types() {
    let text = String::from("text");
    let (client, server) = generic_alike::pipe();
    let client = client.vec(vec![String::new()], &text).expect("the server is here");
    let generic_alike::Vec::Vec(_, borrowed, server) = server.try_recv().expect("it was sent");
    let server = server.option(Some(std::slice::from_ref(borrowed))).expect("the client is here");
    let generic_alike::Option::Option(slice, client) = client.try_recv().expect("it was sent");
    assert_eq!(slice.map(<[String]>::len), Some(1));
    client.end().expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(generic_alike::Cow::End)));
}

pipes::proto! {
    /// Names that are spelled in unusual ways, and none of which is a reason for a warning.
    spelled {
        a__b: send {
            x__y(u8) -> a__b,
            X__Z(u8) -> a__b,
            _front -> a__b,
            back_ -> a__b,
            X1 -> a__b,
            x1_2 -> _1,
            ärger -> 请求
        }
        _1: recv { HTTPGet -> 请求, go2_ -> a__b }
        请求: recv { 回答(String) -> ! }
    }
}

#[test]
fn spelled_in_unusual_ways() {
    let (client, server) = spelled::pipe();
    let waiting = client.x__y(1).unwrap().x__z(2).unwrap()._front().unwrap().back_().unwrap().x1().unwrap();
    let waiting = waiting.ärger().unwrap();
    let Ok(spelled::AB::XY(1, server)) = server.recv() else { panic!("it was sent") };
    let Ok(spelled::AB::XZ(2, server)) = server.recv() else { panic!("it was sent") };
    let Ok(spelled::AB::Front(server)) = server.recv() else { panic!("it was sent") };
    let Ok(spelled::AB::Back(server)) = server.recv() else { panic!("it was sent") };
    let Ok(spelled::AB::X1(server)) = server.recv() else { panic!("it was sent") };
    let Ok(spelled::AB::Ärger(server)) = server.recv() else { panic!("it was sent") };
    server.回答("yes".into()).unwrap();
    assert!(matches!(waiting.recv(), Ok(spelled::请求::回答(text)) if text == "yes"));
}
