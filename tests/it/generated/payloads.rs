//! Payloads of very different sizes and alignments in one protocol.

use pipes_tests::{Counted, Tally, watched};
use std::fmt::Debug;
use std::thread;

type Large = [u64; 32];

/// A value that is aligned to a cache line.
#[derive(Debug, PartialEq)]
#[repr(align(64))]
struct Line(u8);

/// A value with a larger alignment still.
#[derive(Debug)]
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

pipes::proto! {
    /// Each message is answered with the same one.
    #[bounded(1)]
    echo {
        ask: send {
            byte(u8) -> answer,
            large(Large) -> answer,
            line(Line) -> answer,
            page(Page) -> answer,
            all(u8, Large, Line, Page) -> answer,
        }
        answer: recv {
            byte(u8) -> ask,
            large(Large) -> ask,
            line(Line) -> ask,
            page(Page) -> ask,
            all(u8, Large, Line, Page) -> ask,
        }
    }

    /// These messages, without a bound.
    flood {
        open: send {
            byte(u8) -> open,
            large(Large) -> open,
            line(Line) -> open,
            page(Page) -> open,
            all(u8, Large, Line, Page) -> open,
        }
    }
}

/// A payload with a number.
trait Sample {
    fn make(number: u8, tally: &Tally) -> Self;

    /// Asserts that this is the payload of this number.
    fn check(&self, number: u8);
}

impl Sample for u8 {
    fn make(number: u8, _: &Tally) -> Self {
        number
    }

    fn check(&self, number: u8) {
        assert_eq!(*self, number);
    }
}

impl Sample for Large {
    fn make(number: u8, _: &Tally) -> Self {
        [number.into(); 32]
    }

    fn check(&self, number: u8) {
        assert_eq!(*self, [number.into(); 32]);
    }
}

impl Sample for Line {
    fn make(number: u8, _: &Tally) -> Self {
        Line(number)
    }

    fn check(&self, number: u8) {
        assert_eq!(*self, Line(number));
    }
}

impl Sample for Page {
    fn make(number: u8, tally: &Tally) -> Self {
        Page(tally.make(number.into()))
    }

    fn check(&self, number: u8) {
        assert_eq!(self.0.number, number.into());
    }
}

fn make<T: Sample>(number: u8, tally: &Tally) -> T {
    T::make(number, tally)
}

/// Sends a message chosen by this number.
macro_rules! send {
    ($end:expr, $number:expr, $tally:expr) => {{
        let (end, number, tally) = ($end, $number, $tally);
        let next = match number % 5 {
            0 => end.byte(make(number, tally)).ok(),
            1 => end.large(make(number, tally)).ok(),
            2 => end.line(make(number, tally)).ok(),
            3 => end.page(make(number, tally)).ok(),
            _ => {
                let (byte, large) = (make(number, tally), make(number, tally));
                end.all(byte, large, make(number, tally), make(number, tally)).ok()
            }
        };
        next.expect("the other side is there")
    }};
}

/// Checks a received message of this number, and gives the next endpoint.
macro_rules! check {
    ($state:path, $message:expr, $number:expr) => {{
        use $state as State;
        let number = $number;
        match $message.expect("it is sent") {
            State::Byte(byte, next) if number % 5 == 0 => (byte.check(number), next).1,
            State::Large(large, next) if number % 5 == 1 => (large.check(number), next).1,
            State::Line(line, next) if number % 5 == 2 => (line.check(number), next).1,
            State::Page(page, next) if number % 5 == 3 => (page.check(number), next).1,
            State::All(byte, large, line, page, next) if number % 5 == 4 => {
                byte.check(number);
                large.check(number);
                line.check(number);
                page.check(number);
                next
            }
            other => panic!("number {number} is not {other:?}"),
        }
    }};
}

#[test]
fn in_a_bounded_protocol() {
    watched(|| {
        let tally = Tally::new();
        let theirs = tally.clone();
        let (mut client, mut server) = echo::pipe();
        let serving = thread::spawn(move || {
            for number in 0..=u8::MAX {
                let answering = check!(echo::Ask, server.recv(), number);
                server = send!(answering, number, &theirs);
            }
        });
        for number in 0..=u8::MAX {
            client = check!(echo::Answer, send!(client, number, &tally).recv(), number);
        }
        serving.join().expect("the server does not panic");
        assert_eq!(tally.made(), 2 * 2 * 51);
        tally.assert_all_gone();
    });
}

#[test]
fn in_an_unbounded_protocol() {
    let tally = Tally::new();
    let (mut client, mut server) = flood::pipe();
    let (mut sent, mut received) = (0_u8, 0_u8);
    for _ in 0..10 {
        for _ in 0..300 {
            client = send!(client, sent, &tally);
            sent = sent.wrapping_add(1);
        }
        // Some messages are left over each time.
        for _ in 0..290 {
            server = check!(flood::Open, server.recv(), received);
            received = received.wrapping_add(1);
        }
    }
    drop(server);
    tally.assert_all_gone();
    assert!(client.byte(1).is_err());
}

/// Unread payloads are dropped as their own type, whatever the slot held before.
#[test]
fn unread() {
    for last in 0..10 {
        let tally = Tally::new();
        let (mut client, server) = flood::pipe();
        for number in 0..last {
            client = send!(client, number, &tally);
        }
        drop(server);
        tally.assert_all_gone();
        let refused = client.all(0, [0; 32], Line(0), make(9, &tally)).expect_err("the server has left");
        let (byte, large, line, page) = refused.into_payload();
        byte.check(0);
        large.check(0);
        line.check(0);
        page.check(9);
    }
}
