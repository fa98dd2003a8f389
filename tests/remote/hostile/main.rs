//! Random bytes against a listener. Each stream ends in a refusal, in a fault, or in a session that is valid
//! as far as it goes: there is no panic, nothing waits for ever, and no memory is reserved because a stranger
//! says so.
//!
//! `PIPES_HOSTILE` sets the number of streams, `PIPES_HOSTILE_FIRST` the first.

use peak_alloc::PeakAlloc;
use pipes::{Cause, Link};
use pipes_remote_tests::peer::{HEAD, Wire, raw, read_hello};
use pipes_remote_tests::raw::append;
use pipes_remote_tests::size;
use pipes_tests::{Random, watched};
use std::collections::BTreeMap;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

pipes::proto! {
    /// Both sides speak, and one of them may say a lot.
    #[remote]
    talk {
        ask: send {
            number(u64) -> ask,
            text(String) -> ask,
            list(Vec<(u8, Option<String>)>) -> answer,
            turn -> answer,
            end(bool) -> !
        }
        answer: recv { number(u64) -> ask, again -> ask, end -> ! }
    }
}

/// What the program says at the other end of a stream.
async fn serve(server: talk::Server<talk::Ask>, leaves: bool) {
    let mut server = server;
    loop {
        server = match server.await {
            Ok(talk::Ask::Number(_, next) | talk::Ask::Text(_, next)) => next,
            Ok(talk::Ask::List(_, answer)) if leaves => return drop(answer),
            Ok(talk::Ask::List(list, answer)) => match answer.number(list.len() as u64) {
                Ok(next) => next,
                Err(_) => return,
            },
            Ok(talk::Ask::Turn(answer)) => match answer.again() {
                Ok(next) => next,
                Err(_) => return,
            },
            Ok(talk::Ask::End(_)) | Err(_) => return,
        }
    }
}

/// What a client says first.
async fn hello() -> Vec<u8> {
    let (via, mut wire) = raw();
    let dialing = tokio::spawn(async move { talk::connect_async(&via).await.is_ok() });
    let mut stream = wire.dialed.recv().await.expect("it connects");
    let hello = read_hello(&mut stream).await.expect("it says hello");
    drop(stream);
    assert!(!dialing.await.expect("it does not panic"), "there was no answer");
    hello
}

fn bytes(random: &mut Random, most: u64) -> Vec<u8> {
    (0..random.below(most)).map(|_| random.below(256) as u8).collect()
}

/// A frame that may be one of the protocol.
fn likely(random: &mut Random, out: &mut Vec<u8>) {
    match random.below(10) {
        0..3 => append(out, 8, &[random.below(128) as u8]),
        3..5 => append(out, 9, &[3, b'a', b'b', b'c']),
        5 => append(out, 10, &[2, 7, 0, 8, 1, 1, b'x']),
        6 => append(out, 11, &[]),
        7 => append(out, 12, &[random.below(3) as u8]),
        8 => append(out, random.below(20) as u32, &bytes(random, 10)),
        _ => append(out, 3, &[]),
    }
}

/// Some bytes of a stream.
fn stream(random: &mut Random, hello: &[u8]) -> Vec<u8> {
    let mut out = hello.to_vec();
    match random.below(8) {
        0 => return bytes(random, 100),
        1 => {
            // Another hello, or half of it.
            let at = random.below(out.len() as u64) as usize;
            match random.below(3) {
                0 => out.truncate(at),
                1 => out[at] = random.below(256) as u8,
                _ => out.insert(at, random.below(256) as u8),
            }
        }
        2 => out.extend(bytes(random, 200)),
        3 => {
            // A length, and less or more than it says.
            let length = [0, 1, 2, 1 << 20, (1 << 20) + 1, u32::MAX][random.below(6) as usize];
            out.extend(length.to_be_bytes());
            out.extend(bytes(random, 50));
        }
        4 => {
            // A list of many items, most of which are missing.
            append(&mut out, 10, &[0xff, 0xff, 0xff, 0xff, random.below(16) as u8]);
        }
        5 => (0..random.below(20)).for_each(|_| append(&mut out, random.below(16) as u32, &bytes(random, 6))),
        kind => {
            (0..random.below(20)).for_each(|_| likely(random, &mut out));
            if kind == 6 {
                let at = hello.len() + random.below((out.len() - hello.len() + 1) as u64) as usize;
                match random.below(2) {
                    0 => out.truncate(at),
                    _ => out.insert(at, random.below(256) as u8),
                }
            }
        }
    }
    out
}

/// Sends a stream, perhaps in pieces, and ends it or waits for its end. Returns what was said to it.
async fn send(random: &mut Random, wire: &Wire, bytes: &[u8]) -> Vec<u8> {
    let mut stream = wire.connect();
    let pieces = [1, 3, 1000][random.below(3) as usize];
    for piece in bytes.chunks(pieces) {
        if stream.write_all(piece).await.is_err() {
            break;
        }
        if random.below(4) == 0 {
            tokio::task::yield_now().await;
        }
    }
    match random.below(3) {
        0 => return Vec::new(),
        1 => drop(stream.shutdown().await),
        // Silence.
        _ => {}
    }
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said).await;
    said
}

/// The word for a cause.
fn word(cause: &Cause) -> &'static str {
    match cause {
        Cause::Ended => "ended",
        Cause::Left => "left",
        Cause::LeftHere => "left here",
        Cause::Broken(_) => "broken",
        Cause::Silent(_) => "silent",
        Cause::Fault(_) => "fault",
        _ => panic!("the session has no end"),
    }
}

/// How each of them ended.
async fn all(running: Arc<AtomicU64>) -> BTreeMap<&'static str, u64> {
    let hello = hello().await;
    let (via, wire) = raw();
    let mut listener = talk::listen_with_links_async(&via).await.expect("it is free");
    let (served, mut sessions) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut leaves = false;
        while let Ok((server, link)) = listener.recv_async().await {
            leaves = !leaves;
            let (served, leaves) = (served.clone(), leaves);
            tokio::spawn(async move {
                serve(server, leaves).await;
                // The pump has said its last word when this is known.
                let _ = link.drained_async().await;
                let _ = served.send(link);
            });
        }
    });
    let first = size("PIPES_HOSTILE_FIRST", 0);
    let mut ends = BTreeMap::new();
    for number in first..first + size("PIPES_HOSTILE", 3_000) {
        running.store(number, Ordering::Relaxed);
        let mut random = Random::new(number + 1);
        let bytes = stream(&mut random, &hello);
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let said = send(&mut random, &wire, &bytes).await;
        let end = match said.get(HEAD) {
            Some(0) => {
                let link: Link = sessions.recv().await.expect("it serves");
                word(&link.cause())
            }
            Some(_) => "refused",
            // Perhaps there is a session that nobody has been told of.
            None => match tokio::time::timeout(std::time::Duration::from_secs(60), sessions.recv()).await {
                Ok(link) => word(&link.expect("it serves").cause()),
                Err(_) => "no handshake",
            },
        };
        let more = MEMORY.peak_usage().saturating_sub(before);
        assert!(more < 3 << 20, "stream {number} took {more} bytes");
        *ends.entry(end).or_default() += 1;
    }
    ends
}

#[test]
fn streams_of_random_bytes() {
    let panics = Arc::new(AtomicU64::new(0));
    let (counted, hook) = (panics.clone(), panic::take_hook());
    panic::set_hook(Box::new(move |panic| {
        counted.fetch_add(1, Ordering::Relaxed);
        hook(panic);
    }));
    let running = Arc::new(AtomicU64::new(0));
    let told = Told(running.clone());
    let ends = watched(move || {
        // Time passes when there is nothing else to do.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
        runtime.expect("it can be had").block_on(all(running))
    });
    println!("{ends:?}");
    assert_eq!(panics.load(Ordering::Relaxed), 0);
    for end in ["refused", "no handshake", "fault", "broken", "left", "left here", "ended", "silent"] {
        assert!(ends.contains_key(end), "none is {end}: {ends:?}");
    }
    drop(told);
}

/// Reports which stream fails or hangs.
struct Told(Arc<AtomicU64>);

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("PIPES_HOSTILE_FIRST={} fails", self.0.load(Ordering::Relaxed));
        }
    }
}
