//! Payloads of very different sizes and alignments in one protocol.

use pipes_tests::{Counted, DropCounter, test_in, watched};
use std::thread;

type Large = [u64; 32];

/// A value that is aligned to a cache line.
#[repr(align(64))]
struct Line(u8);

/// A value with a larger alignment still.
#[repr(align(256))]
struct Page(Counted);

// Unread payloads are dropped in place, so these are addresses of slots.

impl Drop for Line {
    fn drop(&mut self) {
        assert_eq!(std::ptr::from_ref(self).addr() % 64, 0);
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        assert_eq!(std::ptr::from_ref(self).addr() % 256, 0);
    }
}

macro_rules! protocols {
    ($($(#[$meta:meta])* $name:ident { $($state:ident: $direction:ident -> $next:ident)* })*) => {
        pipes::proto! {
            $($(#[$meta])*
            $name {
                $($state: $direction {
                    byte(u8) -> $next,
                    large(Large) -> $next,
                    line(Line) -> $next,
                    page(Page) -> $next,
                    all(u8, Large, Line, Page) -> $next,
                })*
            })*
        }
    };
}

protocols! {
    /// Each message is answered with the same one.
    #[bounded(1)]
    echo { ask: send -> answer answer: recv -> ask }

    flood { open: send -> open }
}

/// Sends a message chosen by this number.
macro_rules! send {
    ($end:expr, $number:expr, $drops:expr) => {{
        let (end, number) = ($end, $number);
        let page = || Page($drops.make(u64::from(number)));
        let next = match number % 5 {
            0 => end.byte(number).ok(),
            1 => end.large([number.into(); 32]).ok(),
            2 => end.line(Line(number)).ok(),
            3 => end.page(page()).ok(),
            _ => end.all(number, [number.into(); 32], Line(number), page()).ok(),
        };
        next.expect("the other side is there")
    }};
}

/// Checks a received message of this number, and gives the next endpoint.
macro_rules! check {
    ($state:path, $message:expr, $number:expr) => {{
        use $state as State;
        let number: u8 = $number;
        let (found, next) = match $message.expect("it is sent") {
            State::Byte(byte, next) => ((0, byte == number), next),
            State::Large(large, next) => ((1, large == [number.into(); 32]), next),
            State::Line(line, next) => ((2, line.0 == number), next),
            State::Page(page, next) => ((3, page.0.number == number.into()), next),
            State::All(byte, large, line, page, next) => {
                let head = byte == number && large == [number.into(); 32];
                ((4, head && line.0 == number && page.0.number == number.into()), next)
            }
        };
        assert_eq!(found, (number % 5, true));
        next
    }};
}

#[test_in(watched)]
fn in_a_bounded_protocol() {
    let drops = DropCounter::new();
    let theirs = drops.clone();
    let (mut client, mut server) = echo::pipe();
    let serving = thread::spawn(move || {
        for number in 0..=u8::MAX {
            let answering = check!(echo::Ask, server.recv(), number);
            server = send!(answering, number, theirs);
        }
    });
    for number in 0..=u8::MAX {
        client = check!(echo::Answer, send!(client, number, drops).recv(), number);
    }
    serving.join().expect("the server does not panic");
    assert_eq!(drops.made(), 2 * 2 * 51);
    drops.assert_all_dropped();
}

#[test]
fn in_an_unbounded_protocol() {
    const MANY: usize = if cfg!(miri) { 60 } else { 300 };
    let drops = DropCounter::new();
    let (mut client, mut server) = flood::pipe();
    let (mut sent, mut received) = (0_u8, 0_u8);
    for _ in 0..10 {
        for _ in 0..MANY {
            client = send!(client, sent, drops);
            sent = sent.wrapping_add(1);
        }
        // Some messages are left over each time.
        for _ in 0..MANY - 10 {
            server = check!(flood::Open, server.recv(), received);
            received = received.wrapping_add(1);
        }
    }
    drop(server);
    drops.assert_all_dropped();
    assert!(client.byte(1).is_err());
}

/// Unread payloads are dropped as their own type, whatever the slot held before.
#[test]
fn unread() {
    for last in 0..10 {
        let drops = DropCounter::new();
        let (mut client, server) = flood::pipe();
        for number in 0..last {
            client = send!(client, number, drops);
        }
        drop(server);
        drops.assert_all_dropped();
        let page = Page(drops.make(9));
        let refused = client.all(1, [2; 32], Line(3), page).expect_err("the server has left");
        let (byte, large, line, page) = refused.into_payload();
        assert_eq!((byte, large, line.0, page.0.number), (1, [2; 32], 3, 9));
    }
}
