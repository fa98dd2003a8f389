//! Sessions that begin without the other side's answer.

use crate::secure::{new, serve, showing, sum, trusting};
use pipes::{Cause, Closing, Link};
use pipes_remote::engine::{Accept, Engine};
use pipes_remote::{ConnectError, Refusal, Via, quic, quic_free_port, tcp_free_port};
use pipes_remote_tests::raw::{self, Hello};
use pipes_remote_tests::{Net, letter, numbers, rest, talk, tasks, within};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;

const SECOND: Duration = Duration::from_secs(1);
const HANDSHAKE: Duration = Duration::from_secs(5);

/// Looks at what a patient client would have got as its error.
#[track_caller]
pub fn looking<T>(link: &Link, look: impl FnOnce(&ConnectError) -> T) -> T {
    let Cause::Broken(error) = link.cause() else { panic!("{link:?}") };
    look(error.get_ref().and_then(|inner| inner.downcast_ref()).expect("the error of a client"))
}

#[track_caller]
pub fn refusal(link: &Link) -> Refusal {
    looking(link, |error| match error {
        ConnectError::Refused { reason, .. } => reason.clone(),
        other => panic!("{other:?}"),
    })
}

/// A server by hand that sees what a client says before there is an answer.
#[tokio::test(start_paused = true)]
async fn what_is_said_first_travels_with_the_hello() {
    let (base, net) = (tasks(), Net::new());
    let mut accepts = net.bind().await.expect("it is free");
    let client = talk::connect_async(&net.via().eager()).await.expect("there is a stream");
    let asking = client.question(7).expect("the link stands");
    let (mut wire, _) = within(accepts.accept()).await.expect("it is bound").expect("a client comes");
    let hello = within(raw::read_envelope(&mut wire)).await.expect("it says hello");
    assert_eq!(raw::envelope(1, &hello), Hello::of::<talk::Protocol>().bytes());
    let frame = within(raw::read_frame(&mut wire)).await.expect("it asks");
    assert_eq!(frame, (raw::MESSAGE, vec![7]));
    let mut answer = raw::taken();
    raw::append(&mut answer, raw::MESSAGE, &[8]);
    wire.write_all(&answer).await.expect("the link stands");
    let Ok(talk::Answer::Reply(8, client)) = within(asking).await else { panic!("it was answered") };
    drop((client, wire));
    rest().await;
    assert_eq!(tasks(), base);
}

/// An answer may come in pieces, and with the first message behind it.
#[tokio::test(start_paused = true)]
async fn an_answer_in_pieces() {
    let mut answer = raw::taken();
    raw::append(&mut answer, raw::MESSAGE, &[8]);
    for at in 1..answer.len() {
        let net = Net::new();
        let mut accepts = net.bind().await.expect("it is free");
        let client = talk::connect_async(&net.via().eager()).await.expect("there is a stream");
        let asking = client.question(7).expect("the link stands");
        let (mut wire, _) = within(accepts.accept()).await.expect("it is bound").expect("a client comes");
        wire.write_all(&answer[..at]).await.expect("the link stands");
        tokio::time::sleep(SECOND).await;
        wire.write_all(&answer[at..]).await.expect("the link stands");
        assert!(matches!(within(asking).await, Ok(talk::Answer::Reply(8, _))), "cut at {at}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_the_cause() {
    let base = tasks();
    let net = Net::new();
    let via = net.via().eager();
    let listener = talk::listen_async(&net.via().backlog(1)).await.expect("it is free");
    let (client, link) = numbers::connect_with_link_async(&via).await.expect("there is a stream");
    let mut client = client.number(1).expect("the refusal is under way");
    within(client.closed()).await;
    assert_eq!(refusal(&link), Refusal::UnknownProtocol);
    assert!(link.drained_async().await.is_err(), "what was sent is lost");

    let waiting = talk::connect_async(&via).await.expect("there is a stream");
    rest().await;
    let (client, link) = talk::connect_with_link_async(&via).await.expect("there is a stream");
    let asking = client.question(1).expect("the refusal is under way");
    assert!(within(asking).await.is_err());
    assert_eq!(refusal(&link), Refusal::Busy);
    drop((waiting, listener));
    rest().await;
    assert_eq!(tasks(), base);
}

#[tokio::test(start_paused = true)]
async fn no_answer_is_a_session_without_one() {
    let taken = raw::taken();
    for length in [0, 1, taken.len() - 1] {
        for ends in [false, true] {
            let (base, net) = (tasks(), Net::new());
            let mut accepts = net.bind().await.expect("it is free");
            let via = net.via().eager();
            let (client, link) = talk::connect_with_link_async(&via).await.expect("there is a stream");
            let asking = client.question(1).expect("the link stands");
            let (mut wire, _) = accepts.accept().await.expect("it is bound").expect("a client comes");
            let began = Instant::now();
            wire.write_all(&taken[..length]).await.expect("the link stands");
            let wire = (!ends).then_some(wire);
            assert!(within(asking).await.is_err());
            let took = Instant::now() - began;
            looking(&link, |error| match error {
                ConnectError::Unreachable { .. } if ends => assert_eq!(took, Duration::ZERO),
                ConnectError::TimedOut { time, .. } if !ends => assert_eq!([took, *time], [HANDSHAKE; 2]),
                other => panic!("{other:?}"),
            });
            drop(wire);
            rest().await;
            assert_eq!(tasks(), base);
        }
    }
}

/// Where there is no stream, there is no session.
#[tokio::test(start_paused = true)]
async fn a_place_without_a_listener() {
    let refused = talk::connect_async(&Net::new().via().eager()).await;
    assert!(matches!(refused, Err(ConnectError::Unreachable { .. })));
}

/// The other side's limit is known with its answer, and its heartbeat interval.
#[tokio::test(start_paused = true)]
async fn the_answer_says_what_was_agreed() {
    for patient in [false, true] {
        let net = Net::new();
        let here = net.via().limit(1024).beat(SECOND).lost(3 * SECOND);
        let mut listener = letter::listen_with_links_async(&here).await.expect("it is free");
        let via = if patient { net.via() } else { net.via().eager() };
        let (client, link) = letter::connect_with_link_async(&via).await.expect("it listens");
        let (server, its_link) = within(listener.recv_async()).await.expect("a client comes");
        tokio::time::sleep(10 * SECOND).await;
        assert!(matches!(its_link.cause(), Cause::Open), "{its_link:?}");
        let home = client.letter(vec![0; 2000]).expect("the link stands");
        assert!(within(home).await.is_err());
        let Cause::Fault(fault) = link.cause() else { panic!("{link:?}") };
        assert!(matches!(fault, pipes::Fault::TooLong { .. }), "{fault:?}");
        assert!(within(server).await.is_err());
    }
}

/// What was sent before the answer may be above the limit: then the other side says so.
#[tokio::test(start_paused = true)]
async fn a_message_above_a_limit_that_is_not_known_yet() {
    let net = Net::new();
    let _listener = letter::listen_async(&net.via().limit(1024)).await.expect("it is free");
    let (client, link) = letter::connect_with_link_async(&net.via().eager()).await.expect("it listens");
    let home = client.letter(vec![0; 2000]).expect("the link stands");
    assert!(within(home).await.is_err());
    let Cause::Fault(pipes::Fault::Reported(words)) = link.cause() else { panic!("{link:?}") };
    assert!(words.contains("2003") && words.contains("1024"), "{words}");
}

/// A client that leaves at once, and what it said before that.
#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_before_the_answer() {
    let (base, net) = (tasks(), Net::new());
    let mut listener = numbers::listen_with_links_async(&net.via()).await.expect("it is free");
    let (client, link) = numbers::connect_with_link_async(&net.via().eager()).await.expect("it listens");
    drop(client.number(1).and_then(|client| client.number(2)).expect("the link stands"));
    let (mut server, its_link) = within(listener.recv_async()).await.expect("a client comes");
    for number in [1, 2] {
        let Ok(numbers::Open::Number(got, next)) = within(server).await else { panic!("{its_link:?}") };
        assert_eq!(got, number);
        server = next;
    }
    assert!(within(server).await.is_err());
    assert!(matches!(its_link.cause(), Cause::Left), "{its_link:?}");
    within(link.drained_async()).await.expect("it is confirmed");
    assert!(matches!(link.cause(), Cause::LeftHere), "{link:?}");
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
}

/// Sessions over sockets, and refusals behind much that was sent.
async fn over_sockets<E: Engine>(here: Via<E>, there: Via<E>) {
    let there = there.eager();
    let mut listener = numbers::listen_with_links_async(&here.sessions(1)).await.expect("it is free");
    for _ in 0..20 {
        let client = numbers::connect_async(&there).await.expect("it listens");
        let serving = async {
            let (server, link) = listener.recv_async().await.expect("a client comes");
            serve(server).await;
            link
        };
        let (sum, link) = tokio::join!(sum(client), serving);
        assert_eq!(sum, 5050);
        link.drained_async().await.expect("the client is there");
    }
    let _only = numbers::connect_async(&there).await.expect("it listens");
    let _served = listener.recv_async().await.expect("a client comes");
    for _ in 0..20 {
        let (client, link) = numbers::connect_with_link_async(&there).await.expect("it listens");
        // It may be refused in the middle of this.
        let sent = (0..10_000).try_fold(client, |client, number| client.number(number).ok());
        if let Some(mut client) = sent {
            client.closed().await;
        }
        assert_eq!(refusal(&link), Refusal::Sessions { most: 1 });
    }
}

#[tokio::test]
async fn over_tcp() {
    let here = tcp_free_port().expect("there is a free port");
    over_sockets(here.clone(), here).await;
}

#[tokio::test]
async fn over_quic() {
    let server = new();
    let here = quic_free_port(showing(&server)).expect("there is a free port");
    let there = quic(here.address(), trusting(&server));
    over_sockets(here, there).await;
}
