//! Unbounded protocols of several parameters whose later states need fewer of them: each state has a slot of
//! its own size, with room for a ticket.

use super::meet;

pipes::proto! {
    #[remote]
    fewer<A, B, C> {
        all: send { first(A) -> all, third(C, u8) -> all, next(B) -> two }
        two: send { second(B, C) -> two, nothing -> two, next -> one }
        one: recv { third(C) -> one, many(Vec<C>) -> one, next -> nothing }
        nothing: send { more -> nothing, number(u64) -> nothing, end(()) -> ! }
    }
}

#[test]
fn later_states_have_fewer_parameters() {
    let ((client, _), (server, _)) = meet::<fewer::Protocol<[u64; 9], String, u8>>();
    let client = client.first([1; 9]).unwrap().third(2, 3).unwrap().next("4".into()).unwrap();
    let client = client.second("5".into(), 6).unwrap().nothing().unwrap().next().unwrap();
    let Ok(fewer::All::First(nine, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!(nine, [1; 9]);
    let Ok(fewer::All::Third(2, 3, server)) = server.recv() else { panic!("it was sent") };
    let Ok(fewer::All::Next(four, server)) = server.recv() else { panic!("it was sent") };
    let Ok(fewer::Two::Second(five, 6, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!((four.as_str(), five.as_str()), ("4", "5"));
    let Ok(fewer::Two::Nothing(server)) = server.recv() else { panic!("it was sent") };
    let Ok(fewer::Two::Next(server)) = server.recv() else { panic!("it was sent") };
    let server = server.third(7).unwrap().many(vec![8, 9]).unwrap().next().unwrap();
    let Ok(fewer::One::Third(7, client)) = client.recv() else { panic!("it was sent") };
    let Ok(fewer::One::Many(many, client)) = client.recv() else { panic!("it was sent") };
    assert_eq!(many, [8, 9]);
    let Ok(fewer::One::Next(client)) = client.recv() else { panic!("it was sent") };
    client.more().unwrap().number(10).unwrap().end(()).unwrap();
    let Ok(fewer::Nothing::More(server)) = server.recv() else { panic!("it was sent") };
    let Ok(fewer::Nothing::Number(10, server)) = server.recv() else { panic!("it was sent") };
    assert!(matches!(server.recv(), Ok(fewer::Nothing::End(()))));
}
