//! Handshakes that fail: at the side that connects, each with its error; at the side that listens, without a
//! trace for its user.

use pipes::remote::Remote;
use pipes_remote::engine::{Accept, Engine};
use pipes_remote::{ConnectError, Refusal};
use pipes_remote_tests::raw::{self, Hello};
use pipes_remote_tests::{Net, at_rest, rest, talk, tasks, within};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep};

const SECOND: Duration = Duration::from_secs(1);
const HANDSHAKE: Duration = Duration::from_secs(5);

/// Programs that have grown apart: the same name, and something else behind it.
mod older {
    pipes::proto! {
        #[remote]
        pub talk { ask: send { question(u32) -> answer, stop -> ! } answer: recv { reply(u64) -> ask } }
    }
}

/// Payloads of one name and two shapes, whose protocols have the same text.
mod small {
    pub type Amount = u32;

    pipes::proto! {
        #[remote(schema)]
        pub shop { order: send { order(Amount) -> ! } }
    }
}

mod large {
    pub type Amount = u64;

    pipes::proto! {
        #[remote(schema)]
        pub shop { order: send { order(Amount) -> ! } }
    }
}

#[tokio::test(start_paused = true)]
async fn a_hello_that_is_never_finished_is_given_up() {
    let good = Hello::of::<talk::Protocol>().bytes();
    for length in [0, 1, 6, 7, 8, good.len() - 1] {
        let (base, net) = (tasks(), Net::new());
        let mut listener = talk::listen_async(&net.via()).await.expect("it is free");
        let mut wire = net.dial().expect("it listens");
        let began = Instant::now();
        wire.write_all(&good[..length]).await.expect("the link stands");
        let mut answer = Vec::new();
        within(wire.read_to_end(&mut answer)).await.expect("it ends in order");
        assert_eq!((began.elapsed(), answer), (HANDSHAKE, Vec::new()));
        // A good client comes next, and is the first that the listener sees.
        talk::connect_async(&net.via()).await.expect("others are taken").stop().expect("the link stands");
        let server = within(listener.recv_async()).await.expect("a client comes");
        assert!(matches!(within(server).await, Ok(talk::Ask::Stop)));
        drop(listener);
        at_rest(base).await;
    }
}

/// Silent clients use up all handshakes that may be under way, and later ones wait for those to be given up.
/// A listener that is dropped gives its address up at once.
#[tokio::test(start_paused = true)]
async fn many_silent_clients() {
    let (base, net) = (tasks(), Net::new());
    let mut listener = talk::listen_async(&net.via()).await.expect("it is free");
    let silent: Vec<_> = (0..300).map(|_| net.dial().expect("it listens")).collect();
    let patient = net.via().handshake(4 * HANDSHAKE);
    let _client = within(talk::connect_async(&patient)).await.expect("it is taken in the end");
    let server = within(listener.recv_async()).await.expect("a client comes");
    let again: Vec<_> = (0..300).map(|_| net.dial().expect("it listens")).collect();
    sleep(SECOND).await;
    drop(listener);
    sleep(SECOND).await;
    assert!(!net.is_bound());
    drop((silent, again, server));
    at_rest(base).await;
}

#[track_caller]
fn refusal<T>(refused: Result<T, ConnectError>) -> Refusal {
    match refused {
        Err(ConnectError::Refused { address, reason }) => {
            assert_eq!(address, "the net");
            reason
        }
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it is taken"),
    }
}

#[tokio::test(start_paused = true)]
async fn programs_that_have_grown_apart() {
    let net = Net::new();
    let _listener = talk::listen_async(&net.via()).await.expect("it is free");
    let refused = older::talk::connect_async(&net.via()).await.map(drop);
    let text = refused.as_ref().expect_err("it is refused").to_string();
    let hashes = [older::talk::Protocol::HASH, talk::Protocol::HASH];
    assert!(hashes[0] != hashes[1]);
    for hash in hashes {
        assert!(text.contains(&format!("`talk`, version 0, hash {hash:032x}")), "{text}");
    }
    let Refusal::Differs { theirs, ours } = refusal(refused) else { panic!("{text}") };
    assert_eq!([theirs.hash, ours.hash], hashes);
    assert_eq!([&*theirs.name, &ours.name], ["talk", "talk"]);
}

#[tokio::test(start_paused = true)]
async fn payloads_that_have_grown_apart() {
    assert_eq!(small::shop::Protocol::HASH, large::shop::Protocol::HASH);
    let net = Net::new();
    let mut listener = small::shop::listen_async(&net.via()).await.expect("it is free");
    let refused = refusal(large::shop::connect_async(&net.via()).await);
    assert!(matches!(refused, Refusal::Differs { .. }), "{refused:?}");
    let client = small::shop::connect_async(&net.via()).await.expect("it is the same");
    client.order(7).expect("the link stands");
    let server = within(listener.recv_async()).await.expect("a client comes");
    assert!(matches!(within(server).await, Ok(small::shop::Order::Order(7))));
}

#[tokio::test(start_paused = true)]
async fn a_client_too_many() {
    for backlog in [1, 3] {
        let net = Net::new();
        let via = net.via().backlog(backlog);
        let mut listener = talk::listen_async(&via).await.expect("it is free");
        let mut waiting = Vec::new();
        for _ in 0..backlog {
            waiting.push(talk::connect_async(&via).await.expect("there is room"));
        }
        assert_eq!(refusal(talk::connect_async(&via).await), Refusal::Busy);
        let server = within(listener.recv_async()).await.expect("a client waits");
        let one_more = talk::connect_async(&via).await.expect("there is room again");
        assert_eq!(refusal(talk::connect_async(&via).await), Refusal::Busy);
        waiting.remove(0).stop().expect("the link stands");
        assert!(matches!(within(server).await, Ok(talk::Ask::Stop)));
        drop(one_more);
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_listens() {
    let net = Net::new();
    // The hello is there, and the listener goes before anything else happens.
    let listener = talk::listen_async(&net.via()).await.expect("it is free");
    let mut wire = net.dial().expect("it listens");
    tokio::task::yield_now().await;
    wire.write_all(&Hello::of::<talk::Protocol>().bytes()).await.expect("there is room");
    drop(listener);
    let answer = within(raw::read_envelope(&mut wire)).await.expect("it answers");
    assert_eq!(answer[0], 1, "refused");
    let refusal: Refusal = postcard::from_bytes(&answer[1..]).expect("a refusal");
    assert_eq!(refusal, Refusal::NobodyListens);
    rest().await;
    assert!(!net.is_bound());
}

/// A server by hand answers a client like this.
pub async fn answered(bytes: &[u8], ends: bool) -> (Duration, ConnectError) {
    let (base, net) = (tasks(), Net::new());
    let mut accepts = net.bind().await.expect("it is free");
    let serving = async {
        let (mut wire, _) = accepts.accept().await.expect("it is bound").expect("a client comes");
        raw::read_envelope(&mut wire).await.expect("it says hello");
        wire.write_all(bytes).await.expect("the link stands");
        if !ends {
            let _ = wire.read_to_end(&mut Vec::new()).await;
        }
    };
    let connecting = async {
        let began = Instant::now();
        let error = talk::connect_async(&net.via()).await.map(drop).expect_err("it is not taken");
        (Instant::now() - began, error)
    };
    let (error, ()) = within(async { tokio::join!(connecting, serving) }).await;
    at_rest(base).await;
    error
}

/// A future that is dropped connects no more, and keeps nothing.
#[tokio::test(start_paused = true)]
async fn a_connection_that_is_given_up() {
    let (base, net) = (tasks(), Net::new());
    let mut accepts = net.bind().await.expect("it is free");
    let via = net.via().handshake(Duration::MAX);
    for number in 0..50 {
        let connecting = tokio::time::timeout(SECOND, talk::connect_async(&via)).await;
        assert!(connecting.is_err(), "there is no answer");
        let (mut wire, _) = accepts.accept().await.expect("it is bound").expect("a client comes");
        raw::read_envelope(&mut wire).await.expect("it says hello");
        within(wire.read_to_end(&mut Vec::new())).await.expect("it ends");
        assert!(net.cable(number).dropped(0).is_some());
    }
    assert_eq!(tasks(), base);
}
