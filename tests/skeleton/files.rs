//! Sources that read, and sinks that write.

use fastrand::Rng;
use pipes_skeleton::{Cancel, FailureKind, LineChunk, from_iter, from_stream, line_chunks, lines};
use pipes_tests::{DropCounter, effort, test_in, watched};
use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Poll};
use std::thread;

/// Reads a text in pieces of random sizes, with interruptions.
struct Pieces(Rng, io::Cursor<Vec<u8>>);

impl Read for Pieces {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.0.u8(..5) == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = into.len().min(self.0.usize(1..20));
        self.1.read(&mut into[..most])
    }
}

/// Whatever the sizes of reads and chunks are, each chunk has whole lines, and nothing is lost.
#[test_in(watched)]
fn chunks_of_whole_lines() {
    for seed in 0..effort(2000) as u64 {
        let mut random = Rng::with_seed(seed);
        let letters = ["\n", "\n", "\r\n", "a", "b", "\r", "long line ", "ä"];
        let text: String = (0..random.usize(..60)).map(|_| letters[random.usize(..8)]).collect();
        let bytes = random.usize(1..40);
        let reader = Pieces(random, io::Cursor::new(text.clone().into()));
        let chunks = line_chunks(reader, bytes).collect().expect("nothing fails");
        let (last, before) = chunks.split_last().map_or((None, &[][..]), |(last, all)| (Some(last), all));
        assert!(before.iter().all(|chunk| chunk.ends_with(b"\n")), "{chunks:?} of {text:?}");
        assert!(last.is_none_or(|last| !last.is_empty()));
        for chunk in &chunks {
            let is_long = chunk.lines().any(|line| line.len() + 2 >= bytes);
            assert!(chunk.len() <= bytes || is_long, "{chunk:?}, not {bytes}");
        }
        let found: Vec<_> = chunks.iter().flat_map(LineChunk::lines).collect();
        assert!(text.lines().map(str::as_bytes).eq(found.iter().copied()), "{text:?} is {found:?}");
        let all: Vec<u8> = chunks.into_iter().flat_map(LineChunk::into_bytes).collect();
        assert_eq!(all, text.as_bytes());
    }
}

/// Lines of all lengths are found, with and without a newline after the last one. What differs from a newline
/// in a bit is none.
#[test]
fn lines_of_all_lengths() {
    let bytes = || [0x0b, 0x08, 0x8a, 0x0e, 0x00, 0xff].into_iter().cycle();
    for most in 1..70 {
        let due: Vec<Vec<u8>> =
            (0..=most).rev().chain(1..=most).map(|len| bytes().take(len).collect()).collect();
        let text = due.join(&b'\n');
        for text in [[text.clone(), b"\n".to_vec()].concat(), text] {
            let chunks = line_chunks(io::Cursor::new(text), 1 << 14).collect().expect("nothing fails");
            let found: Vec<_> = chunks.iter().flat_map(LineChunk::lines).collect();
            assert_eq!(found, due);
        }
    }
}

#[test]
fn lines_of_a_text() {
    let all = |text: &'static [u8]| lines(text).collect();
    let found = all(b"one\r\n\ntwo \nthree").expect("nothing fails");
    assert_eq!(found, ["one", "", "two ", "three"]);
    assert_eq!(all(b"").expect("nothing fails"), Vec::<String>::new());
    let failure = all(b"one\n\xff\n").expect_err("it is no UTF-8");
    assert_eq!((failure.stage(), matches!(failure.kind(), FailureKind::Error(_))), ("source", true));
    let large = line_chunks(&b"one\n"[..], usize::MAX).collect().expect("nothing fails");
    assert_eq!(large.len(), 1);
    let none = line_chunks(io::empty(), 0).collect().expect_err("there is no room");
    assert_eq!(none.to_string(), "source failed: a chunk needs room for at least one byte");
}

/// A reader that says that it is about to block, blocks, and fails.
struct Blocks(mpsc::Sender<()>, mpsc::Receiver<()>);

impl Read for Blocks {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.send(()).expect("the test waits for it");
        // The test lets it go on, or has ended.
        let _ = self.1.recv();
        Err(io::Error::other("too late"))
    }
}

/// A pipeline that is cancelled or dropped does not wait for a `read` that blocks. The failure names the
/// source.
#[test_in(watched)]
fn a_read_that_blocks() {
    for is_cancelled in [false, true] {
        let ((blocks, blocked), (go, goes)) = (mpsc::channel(), mpsc::channel());
        let cancel = Cancel::new();
        let mut items = lines(Blocks(blocks, goes)).named("read").cancelled_by(&cancel).into_iter();
        let reading = if is_cancelled {
            blocked.recv().expect("it reads");
            cancel.cancel();
            let failure = items.next().expect("a failure").expect_err("it was cancelled");
            assert!(matches!(failure.kind(), FailureKind::Cancelled));
            assert_eq!(failure.stuck(), ["read"]);
            None
        } else {
            blocked.recv().expect("it reads");
            Some(items)
        };
        drop(reading);
        drop(go);
        assert!(blocked.recv().is_err(), "the source has ended");
    }
}

/// A stream that is woken by another thread for each item.
struct Slow(std::ops::Range<u64>, bool, DropCounter);

impl futures::Stream for Slow {
    type Item = pipes_tests::Counted;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.1 = !self.1;
        if self.1 {
            let waker = cx.waker().clone();
            thread::spawn(|| waker.wake());
            return Poll::Pending;
        }
        let drops = self.2.clone();
        Poll::Ready(self.0.next().map(|number| drops.make(number)))
    }
}

#[test_in(watched)]
fn a_stream_of_futures() {
    let drops = DropCounter::new();
    let numbers = from_stream(Slow(0..20, false, drops.clone())).parallel(2, |item| item.number);
    assert!(numbers.in_order().collect().expect("nothing fails").into_iter().eq(0..20));
    let mut items = from_stream(Slow(0..1000, false, drops.clone())).into_iter();
    assert!(items.next().is_some_and(|item| item.is_ok_and(|item| item.number == 0)));
    drop(items);
    drops.assert_all_dropped();
    let cancel = Cancel::new();
    let silent = from_stream(futures::stream::pending::<u64>()).cancelled_by(&cancel);
    let (port, running) = silent.into_port();
    cancel.cancel();
    assert_eq!(port.into_iter().count(), 0);
    assert!(running.join().expect_err("it was cancelled").stuck().is_empty());
}

/// A folder of its own, which is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pipes-skeleton-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("there is room");
        Folder(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("it is there").file_name();
        let mut names: Vec<_> = entries.map(|entry| name(entry).into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file is written as a whole, or not at all.
#[test_in(watched)]
fn whole_files() {
    let folder = Folder::new("files");
    let path = folder.0.join("all");
    let text = |n: u64| format!("{n}\n");
    let write = |last: u64| {
        let numbers = from_iter(0..100_u64).parallel(2, |n| n).in_order();
        numbers.try_map(move |n| if n < last { Ok(text(n)) } else { Err("enough") }).write_to(&path)
    };
    assert_eq!(write(50).expect_err("it fails").to_string(), "stage 2 failed: enough");
    assert_eq!(folder.names(), Vec::<String>::new());
    write(100).expect("nothing fails");
    let whole: String = (0..100).map(text).collect();
    assert_eq!(fs::read_to_string(&path).expect("it is there"), whole);
    write(99).expect_err("it fails");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), whole, "it stays as it was");
    let stops = from_iter(0..).map(|n: u64| {
        assert!(n < 5, "enough");
        "x"
    });
    stops.write_to(&path).expect_err("it panics");
    assert_eq!(folder.names(), ["all"]);

    let failure = from_iter(["x"]).write_to(folder.0.join("none/all")).expect_err("no such folder");
    assert_eq!((failure.stage(), folder.names()), ("sink", vec!["all".to_owned()]));
    from_iter(["x"]).write_to(folder.0.join("..")).expect_err("it is a folder");
}

/// What is no regular file is not replaced. A file keeps its permissions.
#[cfg(unix)]
#[test_in(watched)]
fn other_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("others");
    let write = |name: &str| from_iter(["x"]).write_to(folder.0.join(name));
    fs::write(folder.0.join("private"), "before").expect("there is room");
    let mode = fs::Permissions::from_mode(0o600);
    fs::set_permissions(folder.0.join("private"), mode).expect("it is mine");
    write("private").expect("nothing fails");
    let mode = fs::metadata(folder.0.join("private")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    symlink("nowhere", folder.0.join("dangling")).expect("links are possible");
    fs::create_dir(folder.0.join("folder")).expect("there is room");
    for name in ["dangling", "folder"] {
        assert_eq!(write(name).expect_err("it is no file").stage(), "sink");
    }
    write(&"n".repeat(250)).expect("a long name is one");
    let device = from_iter(["x"]).write_to("/dev/null").expect_err("it is a device");
    assert_eq!(device.to_string(), "sink failed: it is no regular file");
    assert_eq!(folder.names().len(), 4);
}

#[cfg(unix)]
#[test_in(watched)]
fn a_link_stays_a_link() {
    let folder = Folder::new("links");
    let (path, link) = (folder.0.join("file"), folder.0.join("link"));
    fs::write(&path, "before").expect("there is room");
    std::os::unix::fs::symlink(&path, &link).expect("links are possible");
    from_iter(["after"]).write_to(&link).expect("nothing fails");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "after");
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
}

/// An error of the sink's function ends the pipeline, and names the sink.
#[test_in(watched)]
fn sinks_that_fail() {
    let drops = DropCounter::new();
    let made = drops.clone();
    let endless = from_iter((0..).map(move |n| made.make(n))).parallel(2, |item| item);
    let mut left = 10;
    let failure = endless.try_for_each(|_| {
        left -= 1;
        if left == 0 { Err("enough") } else { Ok(()) }
    });
    assert_eq!(failure.expect_err("it has no end").to_string(), "sink failed: enough");
    drops.assert_all_dropped();
    let mut all = vec![7];
    from_iter(0..3).collect_into(&mut all).expect("nothing fails");
    assert_eq!(all, [7, 0, 1, 2]);
}
