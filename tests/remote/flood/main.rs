//! A receiver that is much slower than its peer: its memory is limited by its window.
//!
//! `PIPES_FLOOD` sets the number of messages, `PIPES_FLOOD_WORK` the work for each: about half as many
//! steps.

use peak_alloc::PeakAlloc;
use pipes_remote_tests::raw::{HEAD, Hello, append};
use pipes_remote_tests::size;
use pipes_tests::{Random, watched};
use serde::{Deserialize, Deserializer, Serialize};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// How many items there are, and how many there were at once.
static ITEMS: AtomicUsize = AtomicUsize::new(0);
static MOST_ITEMS: AtomicUsize = AtomicUsize::new(0);

/// A number and some bytes, counted.
#[derive(Debug, Serialize)]
struct Item {
    number: u64,
    bytes: Vec<u8>,
}

impl<'a> Deserialize<'a> for Item {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let (number, bytes) = <(u64, Vec<u8>)>::deserialize(deserializer)?;
        let items = ITEMS.fetch_add(1, Ordering::Relaxed) + 1;
        MOST_ITEMS.fetch_max(items, Ordering::Relaxed);
        Ok(Item { number, bytes })
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        ITEMS.fetch_sub(1, Ordering::Relaxed);
    }
}

pipes::proto! {
    #[remote]
    flood { open: send { item(Item) -> open, done -> ! } }
}

/// The messages, and the bytes, of the usual window.
const WINDOW: (usize, usize) = (1024, 1 << 20);

/// Sends this number of items of this size, as fast as they are taken, and keeps none.
fn send(mut stream: UnixStream, hello: &[u8], items: u64, bytes: usize) {
    stream.write_all(hello).expect("it is read");
    let mut answer = [0; HEAD];
    stream.read_exact(&mut answer).expect("it answers");
    let mut rest = vec![0; usize::from(answer[HEAD - 1])];
    stream.read_exact(&mut rest).expect("it is short");
    let ballast = vec![7; bytes];
    let mut out = Vec::new();
    for number in 0..items {
        let payload = postcard::to_stdvec(&(number, &ballast)).expect("it can be written");
        append(&mut out, 8, &payload);
        if out.len() > 16 << 10 || number + 1 == items {
            stream.write_all(&out).expect("it is read");
            out.clear();
        }
    }
    append(&mut out, 9, &[]);
    stream.write_all(&out).expect("it is read");
    // Heartbeats, and then BYE. The side that hears it closes the stream.
    let mut word = [0; 5];
    while word != [0, 0, 0, 1, 1] {
        stream.read_exact(&mut word).expect("it confirms what it has");
    }
}

/// Receives the items, with this much work for each.
fn receive(items: u64, bytes: usize, work: u64) {
    let hello = Hello::of::<flood::Protocol>().bytes();
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("flood");
    let via = pipes_remote::unix(&path);
    let mut listener = flood::listen(&via).expect("it is free");
    let stream = UnixStream::connect(&path).expect("it listens");
    let sending = thread::spawn(move || send(stream, &hello, items, bytes));
    let mut server = listener.accept().expect("a client comes");
    let mut random = Random::new(1);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let mut next = 0;
    while let flood::Open::Item(item, then) = server.recv().expect("the link stands") {
        assert_eq!((item.number, item.bytes.len()), (next, bytes));
        next += 1;
        random.dawdle(work);
        server = then;
    }
    let more = MEMORY.peak_usage().saturating_sub(before);
    sending.join().expect("it does not panic");
    let most = MOST_ITEMS.swap(0, Ordering::Relaxed);
    println!("{items} items of {bytes} bytes: {more} bytes more, at most {most} at once");
    assert_eq!(next, items);
    assert!(more <= WINDOW.1 + (1 << 20), "{more} bytes more");
    // One that is being received, and one that has just been decoded.
    assert!(most <= WINDOW.0 + 2, "{most} at once");
    assert_eq!(ITEMS.load(Ordering::Relaxed), 0);
}

#[test]
fn a_slow_receiver_needs_no_more_than_its_window() {
    let (items, work) = (size("PIPES_FLOOD", 20_000), size("PIPES_FLOOD_WORK", 5_000));
    watched(move || {
        receive(items, 0, work);
        // Of these the bytes fill the window.
        receive(items.div_ceil(100), 10_000, 100 * work);
    });
}
