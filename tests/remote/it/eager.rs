//! Clients that do not wait for the answer: what they learn of it, whatever it is.

use crate::handshake::answered;
use pipes::{
    Closing,
    remote::{Cause, Fault, Link},
};
use pipes_remote::engine::{Accept, Engine};
use pipes_remote::{ConnectError, Refusal, Spoken};
use pipes_remote_tests::raw::{self, BYE, Hello, LEAVE, MESSAGE};
use pipes_remote_tests::{Counted, Counts, Net, Plan, UP, at_rest, letter, loads, rest, talk, tasks, within};
use std::io;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep, timeout};

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

/// A session without an answer, to a server by hand: the client's end with its link, and the server's
/// stream.
macro_rules! unanswered {
    ($protocol:ident, $net:expr) => {{
        let mut accepts = $net.bind().await.expect("it is free");
        let client =
            $protocol::connect_with_link_async(&$net.via().eager()).await.expect("there is a stream");
        let (wire, _) = within(accepts.accept()).await.expect("it is bound").expect("a client comes");
        (client, wire)
    }};
}
pub(crate) use unanswered;

#[tokio::test(start_paused = true)]
async fn what_is_said_first_travels_with_the_hello() {
    let (base, net) = (tasks(), Net::new());
    let ((client, _), mut wire) = unanswered!(talk, net);
    let asking = client.question(7).expect("the link stands");
    let hello = within(raw::read_envelope(&mut wire)).await.expect("it says hello");
    assert_eq!(raw::envelope(1, &hello), Hello::of::<talk::Protocol>().bytes());
    let frame = within(raw::read_frame(&mut wire)).await.expect("it asks");
    assert_eq!(frame, (raw::MESSAGE, vec![7]));
    let mut answer = raw::taken();
    raw::append(&mut answer, raw::MESSAGE, &[8]);
    wire.write_all(&answer).await.expect("the link stands");
    let Ok(talk::Answer::Reply(8, client)) = within(asking).await else { panic!("it was answered") };
    drop((client, wire));
    at_rest(base).await;
}

/// No answer, or a part of one, all at once or byte by byte. A patient client learns it at once.
#[tokio::test(start_paused = true)]
async fn no_answer_is_a_session_without_one() {
    let refused = talk::connect_async(&Net::new().via().eager()).await;
    assert!(matches!(refused, Err(ConnectError::Unreachable { .. })), "where there is no listener");
    let taken = raw::taken();
    for length in [0, 1, taken.len() - 1] {
        for (ends, pause) in [(false, 0), (false, 40), (true, 0)] {
            let (took, error) = answered(&taken[..length], ends).await;
            match error {
                ConnectError::Unreachable { error, .. } if ends => {
                    assert_eq!((took, error.kind()), (Duration::ZERO, io::ErrorKind::UnexpectedEof));
                }
                ConnectError::TimedOut { time, .. } if !ends => assert_eq!([took, time], [HANDSHAKE; 2]),
                other => panic!("{other:?}"),
            }
            let (base, net) = (tasks(), Net::new());
            let ((client, link), mut wire) = unanswered!(talk, net);
            let asking = client.question(1).expect("the link stands");
            let began = Instant::now();
            for byte in &taken[..length] {
                sleep(SECOND / 100 * pause).await;
                wire.write_all(&[*byte]).await.expect("the link stands");
            }
            let wire = (!ends).then_some(wire);
            assert!(within(asking).await.is_err());
            let took = began.elapsed();
            looking(&link, |error| match error {
                ConnectError::Unreachable { .. } if ends => assert_eq!(took, Duration::ZERO),
                ConnectError::TimedOut { time, .. } if !ends => assert_eq!([took, *time], [HANDSHAKE; 2]),
                other => panic!("{other:?}"),
            });
            if let Some(mut wire) = wire {
                assert!(wire.write_all(&taken[length..]).await.is_err(), "it is too late");
            }
            at_rest(base).await;
        }
    }
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
        assert!(matches!(fault, pipes::remote::Fault::TooLong { .. }), "{fault:?}");
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
    let Cause::Fault(pipes::remote::Fault::Reported(words)) = link.cause() else { panic!("{link:?}") };
    assert!(words.contains("2003") && words.contains("1024"), "{words}");
}

/// A first message may be as long as the server allows, which the client does not know yet.
#[tokio::test(start_paused = true)]
async fn a_message_as_long_as_the_server_allows() {
    for patient in [true, false] {
        let net = Net::new();
        let mut listener = letter::listen_async(&net.via().limit(4 << 20)).await.expect("it is free");
        let via = if patient { net.via() } else { net.via().eager() };
        let (client, link) = letter::connect_with_link_async(&via).await.expect("it listens");
        let _home = client.letter(vec![7; 2 << 20]).expect("the link stands");
        let server = within(listener.recv_async()).await.expect("a client comes");
        let Ok(letter::Out::Letter(bytes, _)) = within(server).await else { panic!("{link:?}") };
        assert_eq!(bytes.len(), 2 << 20);
    }
}

/// A server that answers within the time for a handshake is not silent, however short the time of silence
/// is.
#[tokio::test(start_paused = true)]
async fn an_answer_after_the_time_of_silence() {
    for patient in [true, false] {
        let net = Net::new();
        let mut accepts = net.bind().await.expect("it is free");
        let via = net.via().beat(SECOND / 10).lost(SECOND);
        let via = if patient { via } else { via.eager() };
        let client = tokio::spawn(async move {
            let (client, link) = talk::connect_with_link_async(&via).await.expect("it answers");
            let answer = client.question(7).expect("the link stands").await;
            assert!(matches!(answer, Ok(talk::Answer::Reply(8, _))), "{link:?}");
        });
        let (mut wire, _) = within(accepts.accept()).await.expect("it is bound").expect("a client comes");
        sleep(3 * SECOND).await;
        let mut answer = raw::taken();
        raw::append(&mut answer, MESSAGE, &[8]);
        wire.write_all(&answer).await.expect("the link stands");
        within(client).await.expect("it does not panic");
    }
}

/// All reasons, as a server writes them.
fn refusals() -> Vec<Refusal> {
    let spoken = || Box::new(Spoken { name: "x".repeat(300), hash: u128::MAX, version: u32::MAX });
    vec![
        Refusal::Differs { theirs: spoken(), ours: spoken() },
        Refusal::Codec { ours: String::from("none") },
        Refusal::UnknownProtocol,
        Refusal::NobodyListens,
        Refusal::Busy,
        Refusal::Sessions { most: 0 },
        Refusal::NotAdmitted,
    ]
}

/// What a client has done before it is refused.
#[derive(Clone, Copy, Debug)]
enum Done {
    Nothing,
    Waits,
    Leaves,
    LeavesAtOnce,
    Ends,
}

/// The refusal is the cause, whatever the client has done, and nothing is said to have arrived.
#[tokio::test(start_paused = true)]
async fn a_refusal_is_the_cause_whatever_the_client_does() {
    for reason in refusals() {
        for done in [Done::Nothing, Done::Waits, Done::Leaves, Done::LeavesAtOnce, Done::Ends] {
            let (base, net) = (tasks(), Net::new());
            let ((client, link), mut wire) = unanswered!(talk, net);
            let (mut asking, mut idle) = (None, None);
            match done {
                Done::Nothing => idle = Some(client),
                Done::Waits => asking = Some(client.question(1).expect("the link stands")),
                Done::Leaves => drop(client.question(1).expect("the link stands")),
                Done::LeavesAtOnce => drop(client),
                Done::Ends => client.stop().expect("the link stands"),
            }
            assert!(timeout(SECOND, link.delivered_async()).await.is_err() || matches!(done, Done::Nothing));
            assert_eq!(link.peer().to_string(), "a server");
            let refused = raw::enveloped(1, &(1_u32, &reason));
            wire.write_all(&refused).await.expect("the link stands");
            match (asking, idle) {
                (Some(asking), _) => assert!(within(asking).await.is_err()),
                (_, Some(mut client)) => within(client.closed()).await,
                _ => rest().await,
            }
            assert_eq!(refusal(&link), reason, "{done:?}");
            let delivered = within(link.delivered_async()).await;
            assert!(delivered.is_err() || matches!(done, Done::Nothing), "{done:?}");
            drop(wire);
            rest().await;
            assert_eq!(tasks(), base, "{done:?}");
        }
    }
}

/// What a client that asks becomes of when the server says this.
async fn told(bytes: &[u8]) -> (Result<u64, ()>, Link) {
    let (base, net) = (tasks(), Net::new());
    let ((client, link), mut wire) = unanswered!(talk, net);
    let asking = client.question(7).expect("the link stands");
    wire.write_all(bytes).await.expect("the link stands");
    let answer = match within(asking).await {
        Ok(talk::Answer::Reply(number, client)) => {
            drop(client);
            Ok(number)
        }
        Ok(talk::Answer::Enough) => Ok(0),
        Err(_) => Err(()),
    };
    drop(wire);
    at_rest(base).await;
    (answer, link)
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_none() {
    let with = |mut bytes: Vec<u8>, more: &[u8]| {
        bytes.extend_from_slice(more);
        bytes
    };
    let message = raw::frame(MESSAGE, &[8]);
    let nonsense = [
        ("a message", message.clone()),
        ("a last frame", raw::frame(LEAVE, &[])),
        ("zeros", vec![0; 100]),
        ("an answer of another wire", raw::enveloped(2, &(0_u32, 1_u32, SECOND))),
        ("a third kind of answer", raw::enveloped(1, &2_u32)),
        ("a refusal that does not exist", raw::enveloped(1, &(1_u32, 99_u32))),
        ("nothing in an envelope", raw::envelope(1, &[])),
        ("a long envelope", raw::envelope(1, &[0; 1025])),
        ("half of the terms", raw::enveloped(1, &(0_u32, 1_u32))),
        ("too much", raw::enveloped(1, &(0_u32, 1_u32 << 20, SECOND, 0_u8))),
        (
            "a heartbeat interval that is too long",
            raw::enveloped(1, &(0_u32, 1_u32 << 20, u64::MAX, u32::MAX)),
        ),
        ("a hello", raw::Hello::of::<talk::Protocol>().bytes()),
    ];
    for (name, bytes) in nonsense {
        let (took, error) = answered(&bytes, false).await;
        let ConnectError::Unreachable { error, .. } = error else { panic!("{error:?}") };
        assert_eq!((took, error.kind()), (Duration::ZERO, io::ErrorKind::InvalidData), "{name}: {error}");
        let bytes = with(bytes, &with(raw::taken(), &message));
        let (answer, link) = told(&bytes).await;
        assert_eq!(answer, Err(()), "{name}");
        looking(&link, |error| {
            assert!(matches!(error, ConnectError::Unreachable { .. }), "{name}: {error:?}");
        });
    }
    // What comes behind a refusal is not for the client.
    let refused = raw::enveloped(1, &(1_u32, Refusal::Busy));
    let (answer, link) = told(&with(refused, &with(raw::taken(), &message))).await;
    assert_eq!((answer, refusal(&link)), (Err(()), Refusal::Busy));
    // A second answer is a frame like any other.
    let (answer, link) = told(&with(raw::taken(), &raw::taken())).await;
    assert_eq!(answer, Err(()));
    assert!(matches!(link.cause(), Cause::Fault(Fault::TooLong { .. })), "{link:?}");
    let (answer, link) = told(&with(raw::taken(), &raw::frame(BYE, &[]))).await;
    assert_eq!(answer, Err(()));
    assert!(matches!(link.cause(), Cause::Fault(Fault::Unexpected { code: BYE })), "{link:?}");
    // Terms that are absurd, and still terms.
    for heartbeat in [Duration::ZERO, Duration::MAX] {
        for limit in [0, u32::MAX] {
            let terms = raw::enveloped(1, &(0_u32, limit, heartbeat));
            let (answer, link) = told(&with(terms, &message)).await;
            assert_eq!(answer, Ok(8), "{link:?}");
        }
    }
}

/// A server that is silent for ever, and takes no bytes: the time for the handshake ends the session,
/// whatever its client does, and all that was sent is dropped.
#[tokio::test(start_paused = true)]
async fn much_that_is_sent_before_an_answer_that_never_comes() {
    for leaves in [false, true] {
        let (base, before, net) = (tasks(), Counts::now(), Net::of(Plan { room: 1000, ..Plan::default() }));
        let mut accepts = net.bind().await.expect("it is free");
        let (mut client, link) = loads::connect_with_link_async(&net.via().eager()).await.expect("a stream");
        for number in 0..100_000 {
            client = client.load(Counted::new(number)).expect("the link stands");
        }
        let _accepted = accepts.accept().await.expect("it is bound").expect("a client comes");
        sleep(SECOND).await;
        // What the stream does not take stays in the pipe.
        let taken = 100_000 - (Counts::now().alive - before.alive);
        assert!(taken <= (16 << 10), "{taken} were taken");
        if leaves {
            drop(client);
        } else {
            within(client.closed()).await;
            assert!(client.load(Counted::new(0)).is_err());
        }
        assert!(within(link.delivered_async()).await.is_err());
        looking(&link, |error| assert!(matches!(error, ConnectError::TimedOut { .. }), "{error:?}"));
        rest().await;
        assert_eq!(Counts::now().alive, before.alive);
        assert_eq!(tasks(), base);
        assert_eq!(net.cable(0).read(UP), 0);
    }
}
