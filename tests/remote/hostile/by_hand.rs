//! Streams that are written by hand, each of which has an end of its own: what both sides are told is exact.

use crate::ways::{Memory, Place, Way};
use crate::{MEMORY, alone};
use pipes::remote::{Dial, Serve};
use pipes::{Cause, Closing, Fault, Link};
use pipes_remote::engine::{Quic, Tls};
use pipes_remote::{ConnectError, ListenError, Via};
use pipes_remote_tests::raw::{
    self, BEAT, BYE, FAULT, HEAD, Hello, LEAVE, MESSAGE, frame, frames, read_frame,
};
use pipes_remote_tests::stranger::{Ending, NO_ANSWER, parley, send};
use pipes_remote_tests::{feed, talk};
use pipes_tests::watched;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Builder;
use tokio::time::sleep;

const LIMIT: usize = 1 << 20;

/// What is expected of a session at the side that reads.
#[derive(Clone, Debug)]
enum End {
    Fault(Fault),
    /// A fault that says in other words what the codec says.
    Undecodable,
    /// A fault that the other side reports in these words. There is no answer to it.
    Reported(String),
    /// There is no session: the listener says this number for its reason.
    Refused(u8),
    /// Nothing is said at all.
    NoWord,
    Left,
    Ended,
    Broken,
}

impl End {
    /// Asserts that this is the cause, and that the other side was told that.
    fn check(&self, cause: &Cause, told: &[(u32, Vec<u8>)], what: &str) {
        let told: Vec<_> = told.iter().filter(|(code, _)| *code != BEAT).collect();
        let fits = match (self, cause) {
            (End::Fault(fault), Cause::Fault(found)) => fault == found,
            (End::Undecodable, Cause::Fault(found)) => matches!(found, Fault::Undecodable(_)),
            (End::Reported(words), Cause::Fault(Fault::Reported(found))) => words == found,
            (End::Left, Cause::Left) | (End::Ended, Cause::Ended) | (End::Broken, Cause::Broken(_)) => true,
            _ => false,
        };
        assert!(fits, "{what}: {cause:?} instead of {self:?}");
        match cause {
            Cause::Fault(Fault::Reported(_)) => assert!(told.is_empty(), "{what}: {told:?}"),
            Cause::Fault(fault) => {
                let Some((FAULT, words)) = told.last() else { panic!("{what}: {told:?}") };
                assert_eq!(String::from_utf8_lossy(words), fault.to_string(), "{what}");
            }
            _ => assert!(told.iter().all(|(code, _)| *code != FAULT), "{what}: {told:?}"),
        }
    }
}

/// What a client can say that is none of the protocol.
fn to_a_listener() -> Vec<(&'static str, Vec<u8>, End)> {
    let hello = Hello::of::<parley::Protocol>();
    let with = |frames: &[&[u8]]| [&hello.bytes(), &frames.concat()[..]].concat();
    let number = frame(MESSAGE, &[5]);
    let fault = End::Fault;
    // A list to which the program has no answer: it is to speak, and does not.
    let waits = frame(MESSAGE + 2, &[&[NO_ANSWER as u8][..], &[7, 0].repeat(NO_ANSWER)].concat());
    let bomb = |length: usize| (length as u32).to_be_bytes();
    let too_long = |length| fault(Fault::TooLong { length, limit: LIMIT });
    let no_code = |code: &[u8]| with(&[&bomb(code.len()), code]);
    let unknown = || fault(Fault::Unexpected { code: u32::MAX });
    let no_message = |tag| fault(Fault::NoSuchMessage { state: "ask", tag });
    let message = |tag, payload: &[u8]| with(&[&number, &frame(MESSAGE + tag, payload)]);
    let reports = |words: &[u8]| with(&[&number, &frame(FAULT, words), &number]);
    let beats = frame(BEAT, b"").repeat(1000);
    let mut list = vec![
        ("a length bomb", with(&[&number, &[0xff; 4], &[8; 99]]), too_long(u32::MAX as usize)),
        ("half of a length bomb", with(&[&bomb(1 << 30)]), too_long(1 << 30)),
        ("a byte too many", with(&[&bomb(LIMIT + 1)]), too_long(LIMIT + 1)),
        ("an empty frame", with(&[&number, &[0; 4]]), fault(Fault::Empty)),
        ("a tag out of range", message(77, b""), no_message(77)),
        ("the first tag out of range", message(5, b""), no_message(5)),
        ("the last tag", message(u32::MAX - MESSAGE, b""), no_message(u32::MAX - MESSAGE)),
        ("out of turn", with(&[&waits, &number]), fault(Fault::Unexpected { code: MESSAGE })),
        ("a confirmation of nothing", with(&[&frame(BYE, b"")]), fault(Fault::Unexpected { code: BYE })),
        ("a code in more bytes than it needs", no_code(&[0x80, 0]), unknown()),
        ("a code that is too long", no_code(&[0xff; 5]), unknown()),
        ("a code that is much too long", no_code(&[0xff; 9]), unknown()),
        ("half of a code", no_code(&[0x80]), unknown()),
        ("bytes left over", message(0, &[5, 0, 0]), fault(Fault::LeftOver { bytes: 2 })),
        ("bytes behind nothing", message(3, &[0]), fault(Fault::LeftOver { bytes: 1 })),
        ("no number", message(0, b""), End::Undecodable),
        ("a number without an end", message(0, &[0xff; 12]), End::Undecodable),
        ("a list without its items", message(2, &[0xff, 0xff, 0xff, 0xff, 15]), End::Undecodable),
        ("a text without its end", message(1, &[100, b'x']), End::Undecodable),
        ("a text that is none", message(1, &[1, 0xff]), End::Undecodable),
        ("a report", reports(b"no"), End::Reported("no".into())),
        ("a report without words", reports(b""), End::Reported(String::new())),
        ("a report that is no text", reports(&[0xff, b'a']), End::Reported("\u{fffd}a".into())),
        ("a long report", reports(&[b'x'; 9_000]), End::Reported("x".repeat(200))),
        ("a good-bye in a frame", with(&[&number, &bomb(9), &[8]]), End::Broken),
        ("nothing", with(&[]), End::Broken),
        ("a leave", with(&[&number, &frame(LEAVE, b"")]), End::Left),
        ("much behind a leave", with(&[&frame(LEAVE, b""), &number, &[0; 99]]), End::Left),
        ("many signs of life", with(&[&beats, &frame(BEAT, &[7; 99]), &frame(LEAVE, b"")]), End::Left),
        ("another hash", Hello { hash: hello.hash ^ 1, ..hello.clone() }.bytes(), End::Refused(0)),
        ("another version", Hello { version: 7, ..hello.clone() }.bytes(), End::Refused(0)),
        ("another codec", Hello { codec: "json".into(), ..hello.clone() }.bytes(), End::Refused(1)),
        ("another name", Hello { name: "casino".into(), ..hello.clone() }.bytes(), End::Refused(2)),
        ("another wire", raw::enveloped(9, &0u8), End::NoWord),
        ("another magic", [&b"pipf"[..], &hello.bytes()[4..]].concat(), End::NoWord),
        ("a hello that is too long", [&b"pipe\x01"[..], &[0xff; 300]].concat(), End::NoWord),
        ("a hello of nothing", b"pipe\x01\0\0".to_vec(), End::NoWord),
        ("a hello of nonsense", raw::envelope(1, &[0xff; 100]), End::NoWord),
        ("a hello with bytes left over", raw::enveloped(1, &(&hello, 0u8)), End::NoWord),
        ("half a hello", hello.bytes()[..9].to_vec(), End::NoWord),
        ("no hello", b"GET / HTTP/1.1\r\n\r\n".to_vec(), End::NoWord),
    ];
    for code in 4..MESSAGE {
        let end = fault(Fault::Unexpected { code });
        list.push(("a code that does not exist", with(&[&frame(code, b"x")]), end));
    }
    list
}

/// Runs both lists, and what follows, on a way.
async fn lists<W: Way>()
where
    Via<W::Engine>: Serve<parley::Protocol, (parley::Server<parley::Ask>, Link), Error = ListenError>
        + Serve<talk::Protocol, (talk::Server<talk::Ask>, Link), Error = ListenError>
        + Serve<feed::Protocol, (feed::Server<feed::Idle>, Link), Error = ListenError>
        + Dial<parley::Protocol, Error = ConnectError>
        + Dial<talk::Protocol, Error = ConnectError>,
{
    let mut place = Place::<W>::new(false).await;
    for (number, (what, bytes, end)) in to_a_listener().into_iter().enumerate() {
        for piece in [1, 5, usize::MAX] {
            MEMORY.reset_peak_usage();
            let before = MEMORY.current_usage();
            let stream = place.way.stream().await.expect("the connection stands");
            let said = send(stream, bytes.chunks(piece), || true, Ending::Ends).await;
            match (&end, said.get(HEAD)) {
                (End::NoWord, None) => {}
                (End::Refused(_), Some(1)) => {
                    let reason = said[HEAD + 1];
                    assert!(matches!(end, End::Refused(expected) if expected == reason), "{what}: {said:?}");
                }
                (_, Some(0)) => {
                    let link = place.sessions.recv().await.expect("it serves");
                    end.check(&link.cause(), &frames(&said), what);
                }
                other => panic!("{}, {what}: {other:?}", W::NAME),
            }
            let more = MEMORY.peak_usage().saturating_sub(before);
            assert!(more < W::MOST, "{what} took {more} bytes");
            place.ask(number as u64).await;
        }
        assert!(place.sessions.try_recv().is_err(), "{what} is a session");
    }
    let peers = place.end().await;
    assert!(W::NAME != Quic::NAME || peers.iter().all(|peer| *peer == peers[0]), "{peers:?}");
    to_a_client::<W>().await;
    reads_nothing::<W>().await;
    is_silent::<W>().await;
}

/// What a server can answer that is none of the protocol. Each time, the next session goes well.
async fn to_a_client<W: Way>()
where
    Via<W::Engine>: Dial<parley::Protocol, Error = ConnectError>,
{
    let answer = frame(MESSAGE, &[7]);
    let fault = End::Fault;
    let no_message = |tag| fault(Fault::NoSuchMessage { state: "answer", tag });
    let unexpected = |code| fault(Fault::Unexpected { code });
    // In the state in which the client listens, and after that, where it speaks.
    let speaks = |more: &[u8]| [&answer[..], more].concat();
    let list: Vec<(&str, Vec<u8>, End)> = vec![
        ("a length bomb", vec![0xff; 4], fault(Fault::TooLong { length: u32::MAX as usize, limit: LIMIT })),
        ("an empty frame", vec![0; 4], fault(Fault::Empty)),
        ("a tag out of range", frame(MESSAGE + 9, b""), no_message(9)),
        ("a confirmation of nothing", frame(BYE, b""), unexpected(BYE)),
        ("a code that does not exist", frame(5, b""), unexpected(5)),
        ("bytes left over", frame(MESSAGE, &[1, 1]), fault(Fault::LeftOver { bytes: 1 })),
        ("a number without an end", frame(MESSAGE, &[0xff; 12]), End::Undecodable),
        ("a report", frame(FAULT, b"nonsense"), End::Reported("nonsense".into())),
        ("out of turn", speaks(&answer), unexpected(MESSAGE)),
        ("a last message out of turn", speaks(&frame(MESSAGE + 2, b"")), unexpected(MESSAGE + 2)),
        ("a confirmation in between", speaks(&frame(BYE, b"")), unexpected(BYE)),
        ("an empty frame in between", speaks(&[0; 4]), fault(Fault::Empty)),
        ("a leave", frame(LEAVE, b""), End::Left),
    ];
    let (there, mut server) = W::by_hand().await;
    let mut peers = Vec::new();
    for (what, bytes, end) in list {
        for is_good in [false, true] {
            let answering = async {
                let (mut stream, peer) = W::accept(&mut server).await;
                raw::read_envelope(&mut stream).await.expect("it says hello");
                stream.write_all(&raw::taken()).await.expect("the link stands");
                assert_eq!(read_frame(&mut stream).await.expect("it asks").0, MESSAGE + 3);
                let _ = stream.write_all(if is_good { &answer } else { &bytes }).await;
                let _ = stream.flush().await;
                let mut told = Vec::new();
                while let Ok(frame) = read_frame(&mut stream).await {
                    let is_last = matches!(frame.0, FAULT | BYE | LEAVE);
                    told.push(frame);
                    if is_last {
                        break;
                    }
                }
                // The client's last frame, unless this was it.
                let _ = stream.write_all(&frame(BYE, b"")).await;
                let _ = stream.shutdown().await;
                let _ = stream.read_to_end(&mut Vec::new()).await;
                (told, peer)
            };
            let asking = async {
                let (client, link) = parley::connect_with_link_async(&there).await.expect("it listens");
                if let Ok(parley::Answer::Number(7, mut client)) = client.turn().expect("it stands").await
                    && !is_good
                {
                    client.closed().await;
                }
                let _ = link.drained_async().await;
                link.cause()
            };
            let ((told, peer), cause) = tokio::join!(answering, asking);
            match is_good {
                false => end.check(&cause, &told, what),
                true => assert!(matches!(cause, Cause::LeftHere), "after {what}: {cause:?}"),
            }
            peers.push(peer);
        }
    }
    assert!(W::NAME != Quic::NAME || peers.iter().all(|peer| *peer == peers[0]), "{peers:?}");
}

/// A client that wants a lot, does not read it, and goes: the rest of it stays where it is.
async fn reads_nothing<W: Way>()
where
    Via<W::Engine>: Serve<feed::Protocol, (feed::Server<feed::Idle>, Link), Error = ListenError>,
{
    const ITEMS: u64 = 200_000;
    let (here, way) = W::new();
    let mut listener = feed::listen_with_links_async(&here).await.expect("it is free");
    let mut stream = way.stream().await.expect("the connection stands");
    let bytes = [Hello::of::<feed::Protocol>().bytes(), frame(MESSAGE, b"")].concat();
    stream.write_all(&bytes).await.expect("the link stands");
    stream.flush().await.expect("the link stands");
    let (server, link) = listener.recv_async().await.expect("a client comes");
    let Ok(feed::Idle::Start(mut flow)) = server.await else { panic!("it starts") };
    for _ in 0..ITEMS {
        flow = flow.item(u64::MAX).expect("the link stands");
    }
    assert!(matches!(link.cause(), Cause::Open), "{link:?}");
    drop(stream);
    flow.closed().await;
    assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
}

/// A client that begins its hello and says nothing more.
async fn is_silent<W: Way>()
where
    Via<W::Engine>: Serve<parley::Protocol, (parley::Server<parley::Ask>, Link), Error = ListenError>,
{
    let (here, way) = W::new();
    let here = here.handshake(Duration::from_millis(100));
    let mut listener = parley::listen_with_links_async(&here).await.expect("it is free");
    let stream = way.stream().await.expect("the connection stands");
    let said = send(stream, [b"pipe"], || false, Ending::Waits).await;
    assert_eq!(said, []);
    assert!(listener.try_recv().is_err(), "it has no session");
}

/// A byte a second, in a session: it may take its time; and in the handshake it may not.
async fn takes_its_time() {
    let mut place = Place::<Memory>::new(false).await;
    let bytes =
        [frame(MESSAGE, &[5]), frame(MESSAGE + 1, &[2, b'h', b'i']), frame(MESSAGE + 4, &[1])].concat();
    let hello = Hello::of::<parley::Protocol>().bytes();
    let mut stream = place.way.stream().await.expect("it listens");
    stream.write_all(&hello).await.expect("the link stands");
    for byte in bytes {
        sleep(Duration::from_secs(1)).await;
        stream.write_all(&[byte]).await.expect("the link stands");
    }
    let mut said = Vec::new();
    stream.read_to_end(&mut said).await.expect("it ends");
    let link = place.sessions.recv().await.expect("it serves");
    End::Ended.check(&link.cause(), &frames(&said), "a byte a second");
    let mut stream = place.way.stream().await.expect("it listens");
    let mut taken = 0;
    for byte in &hello {
        sleep(Duration::from_secs(1)).await;
        if stream.write_all(&[*byte]).await.is_err() {
            break;
        }
        taken += 1;
    }
    assert!(taken < hello.len(), "it is waited for");
    drop(stream);
    place.end().await;
}

macro_rules! on_each_way {
    ($($test:ident $way:ty)*) => { $(
        #[test]
        fn $test() {
            alone(|| watched(|| {
                let runtime = Builder::new_current_thread().enable_all().start_paused(<$way>::IS_VIRTUAL).build();
                runtime.expect("it can be had").block_on(lists::<$way>());
            }));
        }
    )* };
}

on_each_way! {
    by_hand_inside_of_a_program Memory
    by_hand_over_tls Tls
    by_hand_on_a_connection_of_quic Quic
}

#[test]
fn a_byte_a_second() {
    alone(|| {
        watched(|| {
            let runtime = Builder::new_current_thread().enable_all().start_paused(true).build();
            runtime.expect("it can be had").block_on(takes_its_time());
        });
    });
}
