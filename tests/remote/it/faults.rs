//! Bytes that are no session, written by hand after a good handshake. Each is its fault at the side that
//! reads it, and the listener's other sessions go on.

use pipes::{Cause, Fault};
use pipes_remote_tests::raw::{self, BEAT, BYE, FAULT, LEAVE, MESSAGE, frame};
use pipes_remote_tests::{Net, Plan, numbers, rest, talk, tasks, within};
use pipes_tests::Random;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const LIMIT: usize = 1 << 20;

/// A good number, as a frame.
fn number(number: u64) -> Vec<u8> {
    frame(MESSAGE, &postcard::to_stdvec(&number).expect("a number can be written"))
}

/// What became of a session.
#[derive(Debug)]
struct Outcome {
    /// The numbers that the user received.
    heard: Vec<u64>,
    /// Why its end closed.
    cause: Cause,
    /// What the other side was told.
    told: Vec<(u32, Vec<u8>)>,
}

impl Outcome {
    #[track_caller]
    fn is_fault(&self, expected: &Fault, heard: &[u64]) {
        assert_eq!(self.heard, heard, "{self:?}");
        match &self.cause {
            Cause::Fault(fault) => assert_eq!(fault, expected),
            other => panic!("{other:?} instead of {expected:?}"),
        }
        let told: Vec<_> = self.told.iter().filter(|(code, _)| *code != BEAT).collect();
        let [(FAULT, words)] = told[..] else { panic!("{told:?}") };
        assert_eq!(String::from_utf8_lossy(words), expected.to_string());
    }
}

/// Clients by hand write these bytes, in small pieces or not, to a server of `numbers`.
async fn to_server(bytes: &[u8]) -> Outcome {
    let small = to_server_in(1, bytes).await;
    let whole = to_server_in(usize::MAX, bytes).await;
    assert_eq!(format!("{small:?}"), format!("{whole:?}"));
    whole
}

async fn to_server_in(piece: usize, bytes: &[u8]) -> Outcome {
    let (base, net) = (tasks(), Net::of(Plan { piece, ..Plan::default() }));
    let mut listener = numbers::listen_with_links_async(&net.via()).await.expect("it is free");
    let other = numbers::connect_async(&net.via()).await.expect("it listens");
    let (other_server, _) = within(listener.recv_async()).await.expect("a client comes");

    let mut wire = net.dial().expect("it listens");
    raw::handshake::<numbers::Protocol>(&mut wire).await;
    let (mut server, link) = within(listener.recv_async()).await.expect("a client comes");
    // The server may have enough before all is written.
    let _ = within(wire.write_all(bytes)).await;
    let mut heard = Vec::new();
    let cause = loop {
        match within(server).await {
            Ok(numbers::Open::Number(number, next)) => {
                heard.push(number);
                server = next;
            }
            Ok(numbers::Open::Done(answer)) => {
                // So that what comes out of turn is read before the answer.
                rest().await;
                let _ = answer.sum(1);
                break link.cause();
            }
            Err(_) => break link.cause(),
        }
    };
    let mut told = Vec::new();
    while let Ok(frame) = within(raw::read_frame(&mut wire)).await {
        told.push(frame);
    }
    drop(wire);

    let sum = other.number(1).expect("the other session goes on").done().expect("it goes on");
    let Ok(numbers::Open::Number(1, other_server)) = within(other_server).await else { panic!("it goes on") };
    let Ok(numbers::Open::Done(answer)) = within(other_server).await else { panic!("it goes on") };
    answer.sum(1).expect("the other session goes on");
    assert!(matches!(within(sum).await, Ok(numbers::Sum::Sum(1))));
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
    Outcome { heard, cause, told }
}

#[tokio::test(start_paused = true)]
async fn lengths_that_cannot_be() {
    let begin = number(5);
    to_server(&[&begin[..], &[0; 4]].concat()).await.is_fault(&Fault::Empty, &[5]);
    for length in [LIMIT + 1, 1 << 30, u32::MAX as usize] {
        let bomb = (length as u32).to_be_bytes();
        let fault = Fault::TooLong { length, limit: LIMIT };
        to_server(&[&begin[..], &bomb, &[MESSAGE as u8; 1000]].concat()).await.is_fault(&fault, &[5]);
    }
}

#[tokio::test(start_paused = true)]
async fn codes_that_do_not_exist() {
    for code in 4..MESSAGE {
        to_server(&frame(code, b"x")).await.is_fault(&Fault::Unexpected { code }, &[]);
    }
    for code in [&[0x80, 0][..], &[0xff; 5], &[0xff; 9], &[0x80]] {
        let bytes = [&(code.len() as u32).to_be_bytes(), code].concat();
        to_server(&bytes).await.is_fault(&Fault::Unexpected { code: u32::MAX }, &[]);
    }
}

#[tokio::test(start_paused = true)]
async fn messages_that_the_state_does_not_have() {
    for tag in [2, 3, 119, 120, 1 << 20, u32::MAX - MESSAGE] {
        let fault = Fault::NoSuchMessage { state: "open", tag };
        to_server(&[number(9), frame(MESSAGE + tag, b"")].concat()).await.is_fault(&fault, &[9]);
    }
}

#[tokio::test(start_paused = true)]
async fn payloads_that_are_none() {
    let outcome = to_server(&[number(1), frame(MESSAGE, b"")].concat()).await;
    assert!(matches!(&outcome.cause, Cause::Fault(Fault::Undecodable(_))), "{outcome:?}");
    let outcome = to_server(&frame(MESSAGE, &[0xff; 20])).await;
    assert!(matches!(&outcome.cause, Cause::Fault(Fault::Undecodable(_))), "{outcome:?}");
    to_server(&frame(MESSAGE, &[1, 2, 3])).await.is_fault(&Fault::LeftOver { bytes: 2 }, &[]);
    to_server(&frame(MESSAGE + 1, &[0])).await.is_fault(&Fault::LeftOver { bytes: 1 }, &[]);
}

#[tokio::test(start_paused = true)]
async fn frames_at_the_wrong_time() {
    to_server(&[number(1), frame(BYE, b"")].concat()).await.is_fault(&Fault::Unexpected { code: BYE }, &[1]);
    // The server is to speak.
    let out_of_turn = Fault::Unexpected { code: MESSAGE };
    to_server(&[frame(MESSAGE + 1, b""), number(1)].concat()).await.is_fault(&out_of_turn, &[]);
    // What comes behind a LEAVE is not read.
    let bytes = [number(1), frame(LEAVE, b""), number(2), frame(BYE, b""), vec![0; 99]].concat();
    let outcome = to_server(&bytes).await;
    assert!(matches!(outcome.cause, Cause::Left), "{outcome:?}");
    assert_eq!((&outcome.heard[..], &outcome.told[..]), (&[1][..], &[(BYE, Vec::new())][..]));
}

#[tokio::test(start_paused = true)]
async fn reports_that_are_no_text() {
    for (words, expected) in [
        (vec![0xff, b'a', 0xfe], String::from("\u{fffd}a\u{fffd}")),
        (Vec::new(), String::new()),
        (vec![b'x'; 100_000], "x".repeat(200)),
    ] {
        let outcome = to_server(&[number(3), frame(FAULT, &words), number(4)].concat()).await;
        assert_eq!(outcome.heard, [3]);
        assert!(outcome.told.is_empty(), "a fault has no answer: {outcome:?}");
        let Cause::Fault(Fault::Reported(words)) = outcome.cause else { panic!("{:?}", outcome.cause) };
        assert_eq!(words, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn many_signs_of_life_are_none_too_many() {
    let bytes =
        [frame(BEAT, b"").repeat(100_000), frame(BEAT, &[7; 1000]), number(8), frame(LEAVE, b"")].concat();
    let outcome = to_server(&bytes).await;
    assert_eq!(outcome.heard, [8]);
    assert!(matches!(outcome.cause, Cause::Left), "{outcome:?}");
}

/// Its peer has ended its own direction, and reads.
#[tokio::test(start_paused = true)]
async fn a_peer_that_says_no_more_is_told_as_well() {
    for (bytes, told) in [(vec![0xff; 4], FAULT), (frame(5, b""), FAULT), (frame(LEAVE, b""), BYE)] {
        let net = Net::new();
        let mut listener = numbers::listen_with_links_async(&net.via()).await.expect("it is free");
        let mut wire = net.dial().expect("it listens");
        raw::handshake::<numbers::Protocol>(&mut wire).await;
        let (server, link) = within(listener.recv_async()).await.expect("a client comes");
        wire.write_all(&bytes).await.expect("the link stands");
        wire.shutdown().await.expect("the link stands");
        assert!(within(server).await.is_err());
        let said = within(raw::read_frame(&mut wire)).await;
        assert_eq!(said.expect("it is told").0, told, "{link:?}");
        let _ = within(link.drained_async()).await;
        assert!(matches!(link.cause(), Cause::Fault(_) | Cause::Left), "{link:?}");
    }
}

/// A server by hand answers the first question of a client like this.
async fn to_client(bytes: &[u8]) -> (Option<u64>, Cause) {
    let (base, net) = (tasks(), Net::new());
    let mut accepts = pipes_remote::engine::Engine::bind(&net).await.expect("it is free");
    let serving = async {
        use pipes_remote::engine::Accept;
        let (mut wire, _) = accepts.accept().await.expect("it is bound").expect("a client comes");
        raw::read_envelope(&mut wire).await.expect("it says hello");
        wire.write_all(&raw::taken()).await.expect("the link stands");
        assert_eq!(raw::read_frame(&mut wire).await.expect("it asks").0, MESSAGE);
        let _ = wire.write_all(bytes).await;
        // Until the client ends it.
        let _ = wire.read_to_end(&mut Vec::new()).await;
    };
    let asking = async {
        let (client, link) = talk::connect_with_link_async(&net.via()).await.expect("it listens");
        let reply = match client.question(1).expect("the link stands").await {
            Ok(talk::Answer::Reply(reply, client)) => {
                let mut client = client;
                pipes::Closing::closed(&mut client).await;
                Some(reply)
            }
            Ok(talk::Answer::Enough) => panic!("it is not enough"),
            Err(_) => None,
        };
        (reply, link.cause())
    };
    let ((), outcome) = within(async { tokio::join!(serving, asking) }).await;
    rest().await;
    assert_eq!(tasks(), base);
    outcome
}

#[tokio::test(start_paused = true)]
async fn clients_read_with_the_same_care() {
    let reply = frame(MESSAGE, &[7]);
    for (bytes, expected) in [
        (vec![0; 4], Fault::Empty),
        (vec![0xff; 4], Fault::TooLong { length: u32::MAX as usize, limit: LIMIT }),
        (frame(5, b""), Fault::Unexpected { code: 5 }),
        (frame(BYE, b""), Fault::Unexpected { code: BYE }),
        (frame(MESSAGE + 2, b""), Fault::NoSuchMessage { state: "answer", tag: 2 }),
        (frame(MESSAGE, &[1, 1]), Fault::LeftOver { bytes: 1 }),
        (frame(FAULT, b"nonsense"), Fault::Reported("nonsense".into())),
    ] {
        let (reply, cause) = to_client(&bytes).await;
        assert!(reply.is_none());
        assert!(matches!(&cause, Cause::Fault(fault) if *fault == expected), "{cause:?}");
    }
    // In a state in which it speaks.
    for (bytes, expected) in [
        (frame(MESSAGE, &[8]), Fault::Unexpected { code: MESSAGE }),
        (frame(MESSAGE + 1, b""), Fault::Unexpected { code: MESSAGE + 1 }),
        (frame(BYE, b""), Fault::Unexpected { code: BYE }),
        (vec![0; 4], Fault::Empty),
    ] {
        let (reply, cause) = to_client(&[reply.clone(), bytes].concat()).await;
        assert_eq!(reply, Some(7));
        assert!(matches!(&cause, Cause::Fault(fault) if *fault == expected), "{cause:?}");
    }
}

/// Good sessions with a few bytes changed, added and left out, the handshake as well: each ends.
#[tokio::test(start_paused = true)]
async fn sessions_with_random_mistakes() {
    let (mut random, base, mut ends) = (Random::new(1), tasks(), [0; 3]);
    let mut below = move |limit: usize| random.below(limit as u64) as usize;
    let net = Net::new();
    let mut listener = numbers::listen_with_links_async(&net.via()).await.expect("it is free");
    let serving = tokio::spawn(async move {
        let mut causes = Vec::new();
        while let Ok((mut server, link)) = listener.recv_async().await {
            loop {
                server = match server.await {
                    Ok(numbers::Open::Number(u64::MAX, _)) => return causes,
                    Ok(numbers::Open::Number(_, next)) => next,
                    Ok(numbers::Open::Done(answer)) => {
                        let _ = answer.sum(1);
                        break;
                    }
                    Err(_) => break,
                }
            }
            causes.push(link);
        }
        causes
    });
    for _ in 0..4000 {
        let hello = raw::Hello::of::<numbers::Protocol>().bytes();
        let handshake = hello.len();
        let mut bytes = hello;
        for _ in 0..below(20) {
            bytes.extend_from_slice(&number(below(1 << 40) as u64));
        }
        bytes.extend_from_slice(&frame([LEAVE, MESSAGE + 1][below(2)], b""));
        for _ in 0..1 + below(3) {
            // Most mistakes are behind the handshake.
            let from = if below(10) == 0 { 0 } else { handshake.min(bytes.len() - 1) };
            let at = from + below(bytes.len() - from);
            match below(3) {
                0 => bytes[at] ^= 1 << below(8),
                1 => bytes.insert(at, below(256) as u8),
                _ => bytes.truncate(at.max(from + 1)),
            }
        }
        let mut wire = net.dial().expect("it listens");
        let _ = within(wire.write_all(&bytes)).await;
        let _ = within(wire.shutdown()).await;
        let _ = within(wire.read_to_end(&mut Vec::new())).await;
    }
    let last = numbers::connect_async(&net.via()).await.expect("it listens");
    drop(last.number(u64::MAX).expect("the link stands"));
    for link in within(serving).await.expect("it does not panic") {
        match link.cause() {
            Cause::Broken(_) => ends[0] += 1,
            Cause::Fault(_) => ends[1] += 1,
            Cause::Left => ends[2] += 1,
            // Without the client's BYE, nothing is known to have ended.
            other => panic!("{other:?}"),
        }
    }
    assert!(ends.iter().all(|count| *count > 50), "{ends:?}");
    rest().await;
    assert_eq!(tasks(), base);
}
