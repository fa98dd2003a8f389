//! What is written by hand to a stream, after its engine's handshake: each ends as it must. And recordings
//! of a session, changed.

use super::{Attack, Guise, kind_of, read, told};
use crate::away::Stream;
use crate::bank::{bank, password};
use crate::places::{HANDSHAKE, LIMIT};
use pipes_remote_tests::raw::{BEAT, BYE, Hello, MESSAGE, append, frame, read_envelope};
use pipes_remote_tests::{Net, UP};
use serde::Serialize;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

/// The end of a connection of QUIC whose datagrams the system has dropped for too long: others fill the
/// bank's socket.
pub(super) const LOST: &str = "lost";

/// What is said to the bank, as it would be encoded.
fn payload(what: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(what).expect("it can be written")
}

fn login() -> Vec<u8> {
    frame(MESSAGE, &payload(&("mallory", password("mallory"))))
}

/// What a client sends in a session, from its hello to its last frame.
pub(super) async fn recording() -> Vec<u8> {
    let net = Net::new();
    let mut listener = bank::listen_async(&net.via()).await.expect("it is free");
    let serving = tokio::spawn(async move {
        let server = listener.recv_async().await.expect("a client comes");
        crate::bank::Accounts::default().serve(server).await
    });
    let (client, link) = bank::connect_with_link_async(&net.via()).await.expect("it listens");
    let said = "the link stands";
    let answer = client.login("mallory".into(), "wrong".into()).expect(said).await;
    let Ok(bank::LoginResponse::Invalid(client)) = answer else { panic!("{answer:?}") };
    let answer = client.login("mallory".into(), password("mallory")).expect(said).await;
    let Ok(bank::LoginResponse::Ok(client)) = answer else { panic!("{answer:?}") };
    let answer = client.deposit(300).expect(said).withdrawal(200).expect(said).await;
    let Ok(bank::WithdrawalResponse::Money(200, client)) = answer else { panic!("{answer:?}") };
    let answer = client.balance().expect(said).await;
    let Ok(bank::Statement::Cents(100, client)) = answer else { panic!("{answer:?}") };
    client.deposit(1).expect(said).leave().expect(said);
    link.drained_async().await.expect("it has arrived");
    serving.await.expect("it does not panic").expect("it ends");
    net.cable(0).history(UP)
}

impl Attack<'_> {
    async fn stream(&self) -> Option<Stream> {
        timeout(Duration::from_secs(20), self.at(Guise::Few).stream()).await.ok()?.ok()
    }

    pub(super) async fn scripts(&mut self) {
        let hello = Hello::of::<bank::Protocol>();
        let with = |more: &[u8]| [hello.bytes(), more.to_vec()].concat();
        let too_long = LIMIT + 1;
        let all: [(Vec<u8>, &str); 13] = [
            (with(&[0; 4]), "fault: an empty frame"),
            (with(&[0xff; 4]), "fault: a message of 4294967295 bytes, where at most 4096 are allowed"),
            (
                with(&(too_long as u32).to_be_bytes()),
                "fault: a message of 4097 bytes, where at most 4096 are allowed",
            ),
            (
                with(&frame(MESSAGE + 77, b"")),
                "fault: message 77 of the state `login`, which cannot be sent now",
            ),
            (with(&frame(BYE, b"")), "fault: a frame with the code 1, which is not sent here"),
            (with(&frame(5, b"")), "fault: a frame with the code 5, which is not sent here"),
            (
                with(&frame(MESSAGE, &payload(&("a", "b", 7u8)))),
                "fault: a payload with 1 bytes after its end",
            ),
            (with(&frame(MESSAGE, &[1])), "fault: a payload that cannot be decoded"),
            // A text of 2³⁵ bytes.
            (
                with(&frame(MESSAGE, &[0xff, 0xff, 0xff, 0xff, 0x7f])),
                "fault: a payload that cannot be decoded",
            ),
            (Hello { hash: hello.hash ^ 1, ..hello.clone() }.bytes(), "refused: another protocol"),
            (Hello { version: 9, ..hello.clone() }.bytes(), "refused: another protocol"),
            (Hello { name: "casino".into(), ..hello.clone() }.bytes(), "refused: an unknown protocol"),
            // Silence. A stream of QUIC is not seen at all before something is written.
            (b"pipe"[..].into(), "no word"),
        ];
        // All of them, but only one of those that take seconds.
        let slow = self.below(4);
        let first = self.below(all.len());
        for at in (first..all.len()).chain(0..first) {
            let (bytes, expected) = &all[at];
            if *expected != "no word" || slow == 3 {
                self.script(bytes, expected).await;
            }
        }
        if slow < 3 {
            let Some(stream) = self.stream().await else { return self.note("not reached") };
            self.slow(stream, slow).await;
        }
    }

    async fn script(&mut self, bytes: &[u8], expected: &str) {
        let Some(mut stream) = self.stream().await else { return self.note("not reached") };
        for piece in bytes.chunks([1, 7, usize::MAX][self.below(3)]) {
            if stream.write_all(piece).await.is_err() {
                break;
            }
        }
        let (said, is_over) = read(&mut stream, 4 * HANDSHAKE).await;
        let end = told(&said);
        match is_over && end.starts_with(expected) {
            true => self.note(kind_of(&end)),
            false if self.place.is_quic() && said.is_empty() => self.note(LOST),
            false => self.wrong(format!("{end:?} instead of {expected:?}, over: {is_over}")),
        }
    }

    /// A peer that takes its time.
    async fn slow(&mut self, mut stream: Stream, how: usize) {
        let hello = Hello::of::<bank::Protocol>().bytes();
        if how == 0 {
            // A byte a second, in the handshake: the bank does not wait for all of it.
            for byte in &hello {
                if stream.write_u8(*byte).await.is_err() {
                    return self.note("a byte a second: ended");
                }
                if let Ok(Ok(0) | Err(_)) = timeout(Duration::from_secs(1), stream.read(&mut [0; 64])).await {
                    return self.note("a byte a second: ended");
                }
            }
            return self.wrong("it takes a hello that takes a minute".into());
        }
        let _ = stream.write_all(&hello).await;
        if !read_envelope(&mut stream).await.is_ok_and(|answer| answer[0] == 0) {
            return match self.place.is_quic() {
                true => self.note(LOST),
                false => self.wrong("it is not taken".into()),
            };
        }
        if how == 1 {
            // A byte a second, in a session: it is alive, and has the time that it wants.
            for byte in login().iter().take(4) {
                if stream.write_u8(*byte).await.is_err() {
                    return self.wrong("it was ended".into());
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            return self.note("a byte a second: a session");
        }
        // It asks, and does not read.
        let mut bytes = login();
        let asks = frame(MESSAGE + 2, b"");
        (0..2000).for_each(|_| bytes.extend_from_slice(&asks));
        let _ = timeout(Duration::from_secs(2), stream.write_all(&bytes)).await;
        for _ in 0..3 {
            // Alive.
            let _ = timeout(Duration::from_millis(300), stream.write_all(&frame(BEAT, b""))).await;
        }
        self.note("asks and does not read");
    }

    pub(super) async fn recording(&mut self) {
        let Some(mut stream) = self.stream().await else { return self.note("not reached") };
        let mut bytes = self.camp.recording.clone();
        let hello = Hello::of::<bank::Protocol>().bytes().len();
        for _ in 0..self.below(4) {
            // Most changes are behind the handshake.
            let from = if self.below(8) == 0 { 0 } else { hello.min(bytes.len() - 1) };
            let at = from + self.below(bytes.len() - from);
            match self.below(5) {
                0 => bytes[at] ^= 1 << self.below(8),
                1 => bytes.insert(at, self.random.below(256) as u8),
                2 => bytes.truncate(at.max(1)),
                3 => drop(bytes.remove(at)),
                _ => append(&mut bytes, self.random.below(20) as u32, &[0; 3]),
            }
            if bytes.is_empty() {
                bytes.push(0);
            }
        }
        // At once, or as if it read the answers.
        let piece = [bytes.len(), 11][self.below(2)];
        let mut said = Vec::new();
        for piece in bytes.chunks(piece) {
            if stream.write_all(piece).await.is_err() {
                break;
            }
            let mut some = [0; 64];
            if let Ok(Ok(read)) = timeout(Duration::from_millis(20), stream.read(&mut some)).await {
                said.extend_from_slice(&some[..read]);
            }
        }
        match self.below(3) {
            0 => return self.note("left"),
            1 => drop(stream.shutdown().await),
            _ => {}
        }
        let (rest, is_over) = read(&mut stream, HANDSHAKE).await;
        said.extend(rest);
        // A session that is valid so far lasts until it is silent for too long.
        self.note(if is_over { kind_of(&told(&said)) } else { "held".into() });
    }
}
