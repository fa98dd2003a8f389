//! States as values and as constants.

use pipes::{InState, StateInfo};
use std::collections::HashSet;

pipes::proto! {
    shop {
        idle: send { report(u8) -> idle, order(u8, String) -> printing, leave -> ! }
        printing: recv { Receipt -> idle, r#try -> closing_time }
        closing_time: recv { end -> ! }
    }
    generic<'a, T: Clone> {
        open: send<const N: usize> { array([T; N]) -> open<2>, text -> text<&'a str> }
        text: recv<U> { text(U, T) -> open<1> }
    }
}

/// The name of a message, and the state that it leads to.
type Message = (&'static str, Option<&'static str>);

#[test]
fn a_table_has_all_states_and_messages_in_the_order_of_the_source() {
    let rows = shop::STATES.iter().map(|state| {
        let messages = state.messages.iter().map(|message| (message.name, message.next));
        (state.index, state.protocol, state.name, state.sender, messages.collect())
    });
    let rows: Vec<(usize, &str, &str, &str, Vec<Message>)> = rows.collect();
    let idle = vec![("report", Some("idle")), ("order", Some("printing")), ("leave", None)];
    let printing = vec![("Receipt", Some("idle")), ("r#try", Some("closing_time"))];
    let expected = vec![
        (0, "shop", "idle", "client", idle),
        (1, "shop", "printing", "server", printing),
        (2, "shop", "closing_time", "server", vec![("end", None)]),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn values_and_descriptions_belong_together() {
    assert_eq!((shop::ClientState::NAME, shop::ClientState::ALL.len()), ("shop", 3));
    for (state, described) in shop::ClientState::ALL.iter().zip(shop::STATES) {
        assert_eq!((state.info(), <&StateInfo>::from(*state)), (described, described));
        assert_eq!((*state as usize, state.to_string()), (described.index, described.name.to_owned()));
    }
    assert_eq!(
        format!("{:?}: {:>9}", shop::ServerState::ClosingTime, shop::ServerState::Idle),
        "ClosingTime:      idle"
    );
    let different: HashSet<_> = shop::ServerState::ALL.iter().collect();
    assert_eq!(different.len(), 3);
    const SENDER: &str = shop::ClientState::Printing.info().sender;
    assert_eq!(SENDER, "server");
}

#[test]
fn endpoints_say_which_state_they_are_in() {
    fn said(endpoint: &impl InState) -> (&'static str, usize) {
        let info: &StateInfo = endpoint.state().into();
        (info.name, info.index)
    }
    let (client, server) = shop::pipe();
    assert_eq!((client.state(), server.state()), (shop::ClientState::Idle, shop::ServerState::Idle));
    let client = client.order(1, String::new()).unwrap();
    assert_eq!(client.state(), shop::ClientState::Printing);
    let receiving = shop::ReceivingClient::from(client);
    assert_eq!(receiving.state(), shop::ClientState::Printing);
    let any = shop::AnyClient::from(receiving);
    assert_eq!((any.state(), said(&any)), (shop::ClientState::Printing, ("printing", 1)));

    let any = shop::AnyServer::from(server);
    assert_eq!(any.state(), shop::ServerState::Idle);
    let Ok(shop::ServerMessage::Idle(shop::Idle::Order(_, _, server))) = any.recv() else {
        panic!("an order")
    };
    assert_eq!(said(&server), ("printing", 1));
}

#[test]
fn states_with_parameters_are_one_state() {
    let (client, _server) = generic::pipe::<u8, 3>();
    assert_eq!(client.state(), generic::ClientState::Open);
    let client = client.array([1, 2, 3]).unwrap();
    assert_eq!(client.state(), generic::ClientState::Open);
    assert_eq!(client.text().unwrap().state(), generic::ClientState::Text);
}

#[test]
fn diagrams_are_constants_with_all_states_and_messages() {
    const TEXTS: [&[&str]; 2] = [&[shop::MERMAID, shop::DOT], &[generic::MERMAID, generic::DOT]];
    for (texts, states) in TEXTS.into_iter().zip([shop::STATES, generic::STATES]) {
        let messages = states.iter().flat_map(|state| state.messages).map(|message| message.name);
        for name in states.iter().map(|state| state.name).chain(messages) {
            let name = name.trim_start_matches("r#");
            assert!(texts.iter().all(|text| text.contains(name)), "{name} is not in one of {texts:?}");
        }
    }
}
