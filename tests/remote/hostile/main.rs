//! Strangers' bytes against a listener: random ones, sessions with changes, and those of a list by hand. Each
//! stream ends in a refusal, in a fault of its own, or in a session that is valid as far as it goes: there is
//! no panic, nothing waits for ever, no memory is reserved because a stranger says so, and other sessions of
//! the same process go on. Inside of this program, in virtual time, the ends are exact; the same bytes and
//! worse ones come to the sockets of each engine.
//!
//! `PIPES_HOSTILE` sets the number of streams, and `PIPES_HOSTILE_FIRST` the first. A crowd more for ten
//! thousand of them comes to the sockets of each engine.

mod by_hand;
mod fuzzed;
mod made;
mod place;
#[cfg(target_os = "linux")]
mod sockets;

use peak_alloc::PeakAlloc;
use pipes_remote_tests::raw::HEAD;
use pipes_remote_tests::stranger::{Ending, send, word};
use pipes_remote_tests::{size, virtually};
use pipes_tests::{Rng, watched};
use place::{MOST, Place};
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
async fn sent(random: &mut Rng, place: &Place, bytes: &[u8]) -> Vec<u8> {
    let piece = [1, 3, 1000][random.usize(..3)];
    let mut others = random.clone();
    let ending = [Ending::Goes, Ending::Waits, Ending::Ends][random.usize(..3)];
    send(place.stream(), bytes.chunks(piece), || others.u64(..4) == 0, ending).await
}

/// How each of the streams with these numbers ended.
async fn all(numbers: Range<u64>, running: Arc<AtomicU64>) -> BTreeMap<&'static str, u64> {
    let mut place = Place::new(true).await;
    let mut ends = BTreeMap::new();
    let mut most = 0;
    for number in numbers {
        running.store(number, Ordering::Relaxed);
        let mut random = Rng::with_seed(number + 1);
        let bytes = made::stream(&mut random);
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let said = sent(&mut random, &place, &bytes).await;
        let end = match said.get(HEAD) {
            Some(0) => word(&place.sessions.recv().await.expect("it serves").cause()),
            Some(_) => "refused",
            // Perhaps there is a session that has not been told of.
            None => match tokio::time::timeout(Duration::from_secs(60), place.sessions.recv()).await {
                Ok(link) => word(&link.expect("it serves").cause()),
                Err(_) => "no handshake",
            },
        };
        let more = MEMORY.peak_usage().saturating_sub(before);
        most = more.max(most);
        assert!(more < MOST, "stream {number} took {more} bytes");
        *ends.entry(end).or_default() += 1;
        if number % 8 == 0 {
            place.ask(number).await;
        }
    }
    assert!(place.sessions.try_recv().is_err(), "there is a session that nothing began");
    place.end().await;
    println!("memory {ends:?}, at most {most} bytes");
    ends
}

#[test]
fn streams_inside_of_a_program() {
    let (first, count) = (size("PIPES_HOSTILE_FIRST", 0), size("PIPES_HOSTILE", 2_400));
    let running = Arc::new(AtomicU64::new(0));
    let told = Told(running.clone());
    let ends = alone(|| watched(move || virtually().block_on(all(first..first + count, running))));
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
