//! Streams that are written by hand, each of which has an end of its own: what both sides are told is exact.

use crate::place::{MOST, Place};
use crate::{MEMORY, alone};
use pipes::{
    Closing,
    remote::{Cause, Fault},
};
use pipes_remote::engine::{Accept, Engine};
use pipes_remote_tests::raw::{
    self, BEAT, BYE, FAULT, HEAD, Hello, LEAVE, MESSAGE, frame, frames, read_frame,
};
use pipes_remote_tests::stranger::{Ending, NO_ANSWER, parley, send};
use pipes_remote_tests::{Net, virtually};
use pipes_tests::watched;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
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
fn clients() -> Vec<(&'static str, Vec<u8>, End)> {
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

/// What a client says.
async fn to_a_listener() {
    let mut place = Place::new(false).await;
    for (number, (what, bytes, end)) in clients().into_iter().enumerate() {
        for piece in [1, 5, usize::MAX] {
            MEMORY.reset_peak_usage();
            let before = MEMORY.current_usage();
            let stream = place.stream();
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
                other => panic!("{what}: {other:?}"),
            }
            let more = MEMORY.peak_usage().saturating_sub(before);
            assert!(more < MOST, "{what} took {more} bytes");
            place.ask(number as u64).await;
        }
        assert!(place.sessions.try_recv().is_err(), "{what} is a session");
    }
    place.end().await;
}

/// What a server can answer that is none of the protocol. Each time, the next session goes well.
async fn to_a_client() {
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
    let net = Net::new();
    let (there, mut server) = (net.via(), net.bind().await.expect("it is free"));
    for (what, bytes, end) in list {
        for is_good in [false, true] {
            let answering = async {
                let (mut stream, _) = server.accept().await.expect("it is bound").expect("a client comes");
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
                told
            };
            let asking = async {
                let (client, link) = parley::connect_with_link_async(&there).await.expect("it listens");
                if let Ok(parley::Answer::Number(7, mut client)) = client.turn().expect("it stands").await
                    && !is_good
                {
                    client.closed().await;
                }
                let _ = link.delivered_async().await;
                link.cause()
            };
            let (told, cause) = tokio::join!(answering, asking);
            match is_good {
                false => end.check(&cause, &told, what),
                true => assert!(matches!(cause, Cause::LeftHere), "after {what}: {cause:?}"),
            }
        }
    }
}

/// A byte a second, in a session: it may take its time; and in the handshake it may not.
async fn takes_its_time() {
    let mut place = Place::new(false).await;
    let bytes =
        [frame(MESSAGE, &[5]), frame(MESSAGE + 1, &[2, b'h', b'i']), frame(MESSAGE + 4, &[1])].concat();
    let hello = Hello::of::<parley::Protocol>().bytes();
    let mut stream = place.stream();
    stream.write_all(&hello).await.expect("the link stands");
    for byte in bytes {
        sleep(Duration::from_secs(1)).await;
        stream.write_all(&[byte]).await.expect("the link stands");
    }
    let mut said = Vec::new();
    stream.read_to_end(&mut said).await.expect("it ends");
    let link = place.sessions.recv().await.expect("it serves");
    End::Ended.check(&link.cause(), &frames(&said), "a byte a second");
    let mut stream = place.stream();
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

/// Runs this by itself, in virtual time.
fn run<F: Future<Output = ()>>(test: impl FnOnce() -> F + Send + 'static) {
    alone(|| watched(move || virtually().block_on(test())));
}

#[test]
fn a_client_of_a_listener() {
    run(to_a_listener);
}

#[test]
fn a_server_of_a_client() {
    run(to_a_client);
}

#[test]
fn a_byte_a_second() {
    run(takes_its_time);
}
