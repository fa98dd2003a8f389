//! Payloads whose code panics or fails. The user's endpoint closes, both sides know why, and other sessions
//! of the same listener go on.

use pipes::{
    Closing,
    remote::{Cause, Fault},
};
use pipes_remote_tests::{Cut, Net, Plan, Trap, UP, at_rest, session, tasks, traps, within};

/// What the server receives until its end closes.
async fn listen(mut server: traps::Server<traps::Open>) -> Vec<u64> {
    let mut heard = Vec::new();
    while let Ok(traps::Open::Trap(Trap::Harmless(number), next)) = server.await {
        heard.push(number);
        server = next;
    }
    heard
}

/// One side sends harmless payloads and then this one: what the other side heard, and the causes at the
/// sender and at the receiver. A second session goes on.
async fn send(by_client: bool, good: u64, bad: Trap, plan: Plan) -> (Vec<u64>, Cause, Cause) {
    let (net, base) = (Net::of(plan), tasks());
    let (mut listener, (mut client, link), (server, its_link)) = session!(traps, &net.via());
    let other = traps::connect_async(&net.via()).await.expect("it listens");
    let (other_server, _) = within(listener.recv_async()).await.expect("a client comes");
    let outcome = if by_client {
        for number in 0..good {
            client = client.trap(Trap::Harmless(number)).expect("the link stands");
        }
        let mut client = client.trap(bad).expect("the link stands");
        let heard = within(listen(server)).await;
        assert!(!matches!(its_link.cause(), Cause::Open), "it is known");
        within(client.closed()).await;
        assert!(!matches!(link.cause(), Cause::Open), "it is known");
        (heard, link.cause(), its_link.cause())
    } else {
        let mut back = client.turn().expect("the link stands");
        let Ok(traps::Open::Turn(mut server)) = within(server).await else { panic!("it is turned") };
        for number in 0..good {
            server = server.trap(Trap::Harmless(number)).expect("the link stands");
        }
        let mut server = server.trap(bad).expect("the link stands");
        let mut heard = Vec::new();
        while let Ok(traps::Back::Trap(Trap::Harmless(number), next)) = within(back).await {
            heard.push(number);
            back = next;
        }
        assert!(!matches!(link.cause(), Cause::Open), "it is known");
        within(server.closed()).await;
        assert!(!matches!(its_link.cause(), Cause::Open), "it is known");
        (heard, its_link.cause(), link.cause())
    };
    drop(other.trap(Trap::Harmless(7)).expect("the other session goes on"));
    assert_eq!(within(listen(other_server)).await, [7]);
    drop(listener);
    at_rest(base).await;
    outcome
}

#[track_caller]
fn assert_reported(cause: &Cause, what: &str) {
    match cause {
        Cause::Fault(Fault::Reported(words)) => assert!(words.contains(what), "{words}"),
        other => panic!("{other:?}"),
    }
}

/// The number of harmless payloads in front; some do not fit into one write.
const GOOD: [u64; 4] = [0, 1, 100, 5000];
/// What was sent before arrives, each side knows the fault, and the other one says it in its words.
#[tokio::test(start_paused = true)]
async fn what_was_sent_before_a_payload_that_fails_arrives() {
    for (bad, word) in [
        (Trap::PanicsInSerialize, "panic"),
        (Trap::FailsInSerialize, "cannot be encoded"),
        (Trap::PanicsInDeserialize, "panic"),
        (Trap::FailsInDeserialize, "cannot be decoded"),
    ] {
        for (by_client, good) in [true, false].into_iter().flat_map(|by| GOOD.map(|good| (by, good))) {
            // With little room, much is half written when the payload fails.
            for plan in [Plan::default(), Plan { piece: 7, room: 50, ..Plan::default() }] {
                let (heard, sender, receiver) = send(by_client, good, bad, plan).await;
                let (own, reported) = match bad {
                    Trap::PanicsInSerialize | Trap::FailsInSerialize => (sender, receiver),
                    _ => (receiver, sender),
                };
                match own {
                    Cause::Fault(Fault::Panicked) => assert_eq!(word, "panic"),
                    Cause::Fault(Fault::Unencodable(_)) => assert_eq!(bad, Trap::FailsInSerialize),
                    Cause::Fault(Fault::Undecodable(_)) => assert_eq!(bad, Trap::FailsInDeserialize),
                    other => panic!("{other:?}"),
                }
                assert_reported(&reported, word);
                assert!(heard.iter().copied().eq(0..good), "{} of {good}", heard.len());
            }
        }
    }
}

/// The FAULT never arrives.
#[tokio::test(start_paused = true)]
async fn a_fault_on_a_silent_connection_is_known_at_its_side() {
    let (net, base) = (Net::new(), tasks());
    let (listener, (client, link), (server, its_link)) = session!(traps, &net.via());
    net.cable(0).cut(UP, Cut::Dead);
    let mut client = client.trap(Trap::PanicsInSerialize).expect("the link stands");
    within(client.closed()).await;
    assert!(matches!(link.cause(), Cause::Fault(Fault::Panicked)));
    assert!(within(server).await.is_err());
    assert!(matches!(its_link.cause(), Cause::Silent(_)), "{its_link:?}");
    drop(listener);
    at_rest(base).await;
}
