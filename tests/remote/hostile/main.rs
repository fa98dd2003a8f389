//! Strangers' bytes against a listener: random ones, changed recordings of sessions, and those of a list by
//! hand; inside of this program, over TLS, and as streams of one connection of QUIC. Each stream ends in a
//! refusal, in a fault of its own, or in a session that is valid as far as it goes: there is no panic,
//! nothing waits for ever, no memory is reserved because a stranger says so, and other sessions of the same
//! process, over QUIC of the same connection, go on.
//!
//! `PIPES_HOSTILE` sets the number of streams: eight tenths of them come inside of this program, in virtual
//! time, and a tenth over TLS and QUIC each. `PIPES_HOSTILE_FIRST` sets the first.

mod by_hand;
mod fuzzed;
mod made;
mod ways;

use made::Made;
use peak_alloc::PeakAlloc;
use pipes::Link;
use pipes::remote::{Dial, Serve};
use pipes_remote::engine::{Quic, Tls};
use pipes_remote::{ConnectError, ListenError, Via};
use pipes_remote_tests::raw::HEAD;
use pipes_remote_tests::stranger::{Ending, parley, send, word};
use pipes_remote_tests::{size, talk};
use pipes_tests::{Random, watched};
use std::collections::BTreeMap;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Builder;
use ways::{Memory, Place, Way};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The memory is that of all threads, so there is one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Runs a test by itself, and makes sure that nothing panics in it.
fn alone<T>(test: impl FnOnce() -> T) -> T {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let panics = Arc::new(AtomicU64::new(0));
    let (counted, hook) = (panics.clone(), Arc::new(panic::take_hook()));
    let before = hook.clone();
    panic::set_hook(Box::new(move |panic| {
        counted.fetch_add(1, Ordering::Relaxed);
        before(panic);
    }));
    let outcome = test();
    panic::set_hook(Box::new(move |panic| hook(panic)));
    assert_eq!(panics.load(Ordering::Relaxed), 0);
    outcome
}

/// Sends a stream in some way. Returns what was said to it.
async fn sent<W: Way>(random: &mut Random, way: &W, bytes: &[u8]) -> Vec<u8> {
    let stream = way.stream().await.expect("the connection stands");
    let piece = [1, 3, 1000][random.below(3) as usize];
    let mut others = random.clone();
    let ending = match random.below(3) {
        // What is silent, and what has gone, is known in virtual time only.
        0 if W::IS_VIRTUAL => Ending::Goes,
        0 => Ending::GoesAnswered,
        1 if W::IS_VIRTUAL => Ending::Waits,
        _ => Ending::Ends,
    };
    send(stream, bytes.chunks(piece), || others.below(4) == 0, ending).await
}

/// How each of the streams with these numbers ended.
async fn all<W: Way>(numbers: std::ops::Range<u64>, running: Arc<AtomicU64>) -> BTreeMap<&'static str, u64>
where
    Via<W::Engine>: Serve<parley::Protocol, (parley::Server<parley::Ask>, Link), Error = ListenError>
        + Serve<talk::Protocol, (talk::Server<talk::Ask>, Link), Error = ListenError>
        + Dial<talk::Protocol, Error = ConnectError>,
{
    let made = Made::new().await;
    let mut place = Place::<W>::new(true).await;
    let mut ends = BTreeMap::new();
    let mut most = 0;
    for number in numbers {
        running.store(number, Ordering::Relaxed);
        let mut random = Random::new(number + 1);
        let bytes = made.stream(&mut random);
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let said = sent(&mut random, &place.way, &bytes).await;
        let end = match said.get(HEAD) {
            Some(0) => word(&place.sessions.recv().await.expect("it serves").cause()),
            Some(_) => "refused",
            None if !W::IS_VIRTUAL => "no handshake",
            // Perhaps there is a session that has not been told of.
            None => match tokio::time::timeout(Duration::from_secs(60), place.sessions.recv()).await {
                Ok(link) => word(&link.expect("it serves").cause()),
                Err(_) => "no handshake",
            },
        };
        let more = MEMORY.peak_usage().saturating_sub(before);
        most = more.max(most);
        assert!(more < W::MOST, "stream {number} took {more} bytes");
        *ends.entry(end).or_default() += 1;
        if number % 8 == 0 {
            place.ask(number).await;
        }
    }
    assert!(place.sessions.try_recv().is_err(), "there is a session that nothing began");
    let peers = place.end().await;
    if W::NAME == Quic::NAME {
        assert!(peers.iter().all(|peer| *peer == peers[0]), "another connection: {peers:?}");
    }
    println!("{} {ends:?}, at most {most} bytes", W::NAME);
    ends
}

/// Runs some of the streams.
fn streams<W: Way>(numbers: std::ops::Range<u64>, expected: &[&str])
where
    Via<W::Engine>: Serve<parley::Protocol, (parley::Server<parley::Ask>, Link), Error = ListenError>
        + Serve<talk::Protocol, (talk::Server<talk::Ask>, Link), Error = ListenError>
        + Dial<talk::Protocol, Error = ConnectError>,
{
    let running = Arc::new(AtomicU64::new(0));
    let told = Told(running.clone());
    let ends = alone(|| {
        watched(move || {
            let runtime = Builder::new_current_thread().enable_all().start_paused(W::IS_VIRTUAL).build();
            runtime.expect("it can be had").block_on(all::<W>(numbers, running))
        })
    });
    for end in expected {
        assert!(ends.contains_key(end), "none is {end}: {ends:?}");
    }
    drop(told);
}

/// The number of all streams, and the first.
fn numbers(tenths: u64) -> std::ops::Range<u64> {
    let (first, count) = (size("PIPES_HOSTILE_FIRST", 0), size("PIPES_HOSTILE", 3_000));
    first..first + count * tenths / 10
}

#[test]
fn streams_inside_of_a_program() {
    let all = ["refused", "no handshake", "fault", "broken", "left", "left here", "ended", "silent"];
    streams::<Memory>(numbers(8), &all);
}

#[test]
fn streams_over_tls() {
    streams::<Tls>(numbers(1), &["refused", "no handshake", "fault", "broken", "left", "ended"]);
}

#[test]
fn streams_of_a_connection_of_quic() {
    streams::<Quic>(numbers(1), &["refused", "no handshake", "fault", "broken", "left", "ended"]);
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
