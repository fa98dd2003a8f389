//! Sessions that begin without an answer, with refusals of all kinds at all times, and with servers that
//! answer what they should not.

use crate::eager::{looking, refusal};
use pipes::{Cause, Closing, Fault, Link};
use pipes_remote::engine::{Accept, Engine, Peer};
use pipes_remote::{ConnectError, Refusal, Spoken, Via};
use pipes_remote_tests::net::Accepts;
use pipes_remote_tests::raw::{self, BYE, FAULT, LEAVE, MESSAGE};
use pipes_remote_tests::{Counted, Counts, Net, Plan, Trap, UP, Wire};
use pipes_remote_tests::{feed, letter, loads, rest, talk, tasks, traps, within};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};

const SECOND: Duration = Duration::from_secs(1);

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

/// A server that answers within the time for a handshake is not silent, however short the time of silence is.
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
            let mut accepts = net.bind().await.expect("it is free");
            let (client, link) = talk::connect_with_link_async(&net.via().eager()).await.expect("a stream");
            let (mut asking, mut idle) = (None, None);
            match done {
                Done::Nothing => idle = Some(client),
                Done::Waits => asking = Some(client.question(1).expect("the link stands")),
                Done::Leaves => drop(client.question(1).expect("the link stands")),
                Done::LeavesAtOnce => drop(client),
                Done::Ends => client.stop().expect("the link stands"),
            }
            let (mut wire, _) = accepts.accept().await.expect("it is bound").expect("a client comes");
            assert!(timeout(SECOND, link.drained_async()).await.is_err() || matches!(done, Done::Nothing));
            assert_eq!(link.peer(), "a server");
            let refused = raw::enveloped(1, &(1_u32, &reason));
            wire.write_all(&refused).await.expect("the link stands");
            match (asking, idle) {
                (Some(asking), _) => assert!(within(asking).await.is_err()),
                (_, Some(mut client)) => within(client.closed()).await,
                _ => rest().await,
            }
            assert_eq!(refusal(&link), reason, "{done:?}");
            let drained = within(link.drained_async()).await;
            assert!(drained.is_err() || matches!(done, Done::Nothing), "{done:?}");
            drop(wire);
            rest().await;
            assert_eq!(tasks(), base, "{done:?}");
        }
    }
}

/// What a client that asks becomes of when the server says this.
async fn told(bytes: &[u8]) -> (Result<u64, ()>, Link) {
    let (base, net) = (tasks(), Net::new());
    let mut accepts = net.bind().await.expect("it is free");
    let (client, link) = talk::connect_with_link_async(&net.via().eager()).await.expect("there is a stream");
    let asking = client.question(7).expect("the link stands");
    let (mut wire, _) = accepts.accept().await.expect("it is bound").expect("a client comes");
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
    rest().await;
    assert_eq!(tasks(), base);
    (answer, link)
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_none() {
    let body = |terms: &dyn Fn() -> Vec<u8>| raw::envelope(1, &terms());
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
            let terms = body(&|| postcard::to_stdvec(&(0_u32, limit, heartbeat)).expect("it can be written"));
            let (answer, link) = told(&with(terms, &message)).await;
            assert_eq!(answer, Ok(8), "{link:?}");
        }
    }
}

/// An answer that comes after its time finds nothing, also if the server said all but its end before.
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_late() {
    let (base, net) = (tasks(), Net::new());
    let mut accepts = net.bind().await.expect("it is free");
    let via = net.via().eager().handshake(SECOND).lost(60 * SECOND);
    let (client, link) = talk::connect_with_link_async(&via).await.expect("there is a stream");
    let asking = client.question(7).expect("the link stands");
    let (mut wire, _) = accepts.accept().await.expect("it is bound").expect("a client comes");
    let taken = raw::taken();
    for byte in &taken[..taken.len() - 1] {
        sleep(SECOND / 40).await;
        wire.write_all(&[*byte]).await.expect("the link stands");
    }
    assert!(within(asking).await.is_err());
    looking(&link, |error| assert!(matches!(error, ConnectError::TimedOut { .. }), "{error:?}"));
    assert!(wire.write_all(&taken[taken.len() - 1..]).await.is_err());
    drop(wire);
    rest().await;
    assert_eq!(tasks(), base);
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
        let taken = 100_000 - (Counts::now().alive() - before.alive());
        assert!(taken <= (16 << 10), "{taken} were taken");
        if leaves {
            drop(client);
        } else {
            within(client.closed()).await;
            assert!(client.load(Counted::new(0)).is_err());
        }
        assert!(within(link.drained_async()).await.is_err());
        looking(&link, |error| assert!(matches!(error, ConnectError::TimedOut { .. }), "{error:?}"));
        rest().await;
        assert_eq!(Counts::now().alive(), before.alive());
        assert_eq!(tasks(), base);
        assert_eq!(net.cable(0).read(UP), 0);
    }
}

/// A client whose server speaks first in its state, and that gives up before there is an answer.
#[tokio::test(start_paused = true)]
async fn a_client_that_gives_up_waiting() {
    let (base, net) = (tasks(), Net::new());
    let mut listener = feed::listen_with_links_async(&net.via()).await.expect("it is free");
    let client = feed::connect_async(&net.via().eager()).await.expect("there is a stream");
    let flow = client.start().expect("the link stands");
    assert!(timeout(Duration::ZERO, flow).await.is_err());
    let (server, link) = within(listener.recv_async()).await.expect("a client comes");
    let Ok(feed::Idle::Start(mut flow)) = within(server).await else { panic!("{link:?}") };
    within(flow.closed()).await;
    assert!(matches!(link.cause(), Cause::Left), "{link:?}");
    drop((flow, listener));
    rest().await;
    assert_eq!(tasks(), base);
}

/// A place to which the way is long.
struct Far(Net, Duration);

impl Engine for Far {
    type Stream = Wire;
    type Accept = Accepts;

    fn address(&self) -> String {
        String::from("far away")
    }

    async fn open(&self) -> io::Result<(Wire, Peer)> {
        sleep(self.1).await;
        self.0.open().await
    }

    async fn bind(&self) -> io::Result<Accepts> {
        self.0.bind().await
    }
}

/// The time for a connection and its handshake is one time.
#[tokio::test(start_paused = true)]
async fn a_connection_that_takes_long() {
    let net = Net::new();
    let _accepts = net.bind().await.expect("it is free");
    let via = Via::new(Far(net, 3 * SECOND)).handshake(4 * SECOND).eager();
    let began = Instant::now();
    let (mut client, link) = talk::connect_with_link_async(&via).await.expect("there is a stream");
    assert_eq!(began.elapsed(), 3 * SECOND);
    within(client.closed()).await;
    assert_eq!(began.elapsed(), 4 * SECOND);
    looking(&link, |error| {
        assert!(matches!(error, ConnectError::TimedOut { time, .. } if *time == 4 * SECOND), "{error:?}");
    });
}

/// A first message that cannot be written is the fault, whatever the server says to the hello.
#[tokio::test(start_paused = true)]
async fn a_first_message_that_is_none() {
    let refused = raw::enveloped(1, &(1_u32, Refusal::Busy));
    for answer in [vec![], refused, raw::taken()] {
        for trap in [Trap::FailsInSerialize, Trap::PanicsInSerialize] {
            for before in [0, 3] {
                let (base, net) = (tasks(), Net::new());
                let mut accepts = net.bind().await.expect("it is free");
                let connected = traps::connect_with_link_async(&net.via().eager()).await;
                let (mut client, link) = connected.expect("there is a stream");
                for number in 0..before {
                    client = client.trap(Trap::Harmless(number)).expect("the link stands");
                }
                let mut client = client.trap(trap).expect("the link stands");
                let (mut wire, _) = accepts.accept().await.expect("it is bound").expect("a client comes");
                within(client.closed()).await;
                wire.write_all(&answer).await.expect("the link stands");
                let mut said = Vec::new();
                within(wire.read_to_end(&mut said)).await.expect("the link stands");
                let codes = raw::codes(&said);
                assert_eq!(codes.len(), before as usize + 1);
                assert_eq!(codes.last(), Some(&FAULT));
                drop(wire);
                assert!(within(link.drained_async()).await.is_err());
                assert!(matches!(link.cause(), Cause::Fault(_)), "{link:?}");
                rest().await;
                assert_eq!(tasks(), base);
            }
        }
    }
}
