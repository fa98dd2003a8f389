//! A buffer that goes back and forth between a screen and the thread that draws on it.
//!
//! `run-pass/pipe-presentation-examples.rs`, which was only compiled. Its `select!` has a single port: here
//! it is a receive and a `match`.

use super::serve;
use double_buffer::{Acquire, Release, WaitBuffer};
use pipes::{Bound, select};
use pipes_tests::{Counted, Tally, watched};

/// A picture that is not `Clone`.
struct Buffer {
    pixels: Box<[u8; 4]>,
    _counted: Counted,
}

pipes::proto! {
    double_buffer {
        acquire: send { request -> wait_buffer }
        wait_buffer: recv { give_buffer(Buffer) -> release }
        release: send { release(Buffer) -> acquire }
    }
}

/// Draws one frame.
fn draw_frame(screen: double_buffer::client::Acquire, color: u8) -> Option<double_buffer::client::Acquire> {
    let WaitBuffer::GiveBuffer(mut buffer, screen) = screen.request().ok()?.recv().ok()?;
    buffer.pixels.fill(color);
    screen.release(buffer).ok()
}

/// Lends its buffer until the client leaves; returns the buffer and how often it was lent.
fn show(mut server: double_buffer::server::Acquire, mut buffer: Buffer) -> (Buffer, usize) {
    let mut frames = 0;
    loop {
        let mut lent = select! {
            request = server => match request {
                Ok(Acquire::Request(lending)) => lending.give_buffer(buffer).expect("the client waits"),
                Err(_) => return (buffer, frames),
            }
        };
        select! {
            given_back = lent => match given_back {
                Ok(Release::Release(back, next)) => (buffer, server, frames) = (back, next, frames + 1),
                Err(_) => panic!("the client gives it back"),
            }
        }
    }
}

#[test]
fn the_buffer_is_moved_and_never_copied() {
    watched(|| {
        for frames in [1, 2, 10] {
            let tally = Tally::new();
            let buffer = Buffer { pixels: Box::new([0; 4]), _counted: tally.make(0) };
            let place = std::ptr::from_ref(&*buffer.pixels).addr();
            let (mut screen, service) =
                serve::<double_buffer::Protocol, _>(move |server| show(server, buffer));
            for frame in 1..=frames {
                screen = draw_frame(screen, frame).expect("the screen is there");
            }
            drop(screen);
            let (buffer, shown) = service.join().expect("the screen ends");
            assert_eq!((*buffer.pixels, shown), ([frames; 4], usize::from(frames)));
            assert_eq!(std::ptr::from_ref(&*buffer.pixels).addr(), place);
            assert_eq!(tally.gone(), 0);
            drop(buffer);
            assert_eq!((tally.gone(), tally.made()), (1, 1));
        }
    });
}

/// Giving the buffer back and asking for the next one are two messages in a row.
#[test]
fn it_is_bounded() {
    assert_eq!(double_buffer::BOUND, Bound::Messages(2));
}
