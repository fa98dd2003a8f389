//! How a worker waits for what the other workers send.

use std::hint::spin_loop;
use std::io;
use std::thread::yield_now;

use pipes::Receive;

/// The number of times that a worker looks for a message before it blocks: a wake-up takes longer than most
/// levels of a small graph, and with one worker per core there is nothing else to do.
const LOOKS: usize = if cfg!(test) { 200 } else { 20_000 };
/// The number of looks after which the worker yields, in case another worker shares its core.
const COURTESY: usize = 64;

/// How a worker waits for what the other workers send.
pub trait Wait {
    /// Receives a message that is expected soon.
    ///
    /// # Errors
    ///
    /// The other worker has left.
    fn soon<R: Receive>(&self, receiver: R) -> Result<R::Message, Gone>;

    /// Lets messages travel while the worker computes, where they do not do so by themselves.
    fn pass(&self);
}

/// Looks for a while, and then blocks the thread: for workers in one process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spinning;

impl Wait for Spinning {
    fn soon<R: Receive>(&self, receiver: R) -> Result<R::Message, Gone> {
        for look in 1..=LOOKS {
            if receiver.is_ready() {
                break;
            }
            if look % COURTESY == 0 { yield_now() } else { spin_loop() }
        }
        receiver.recv().map_err(Gone::left)
    }

    #[inline]
    fn pass(&self) {}
}

impl<W: Wait> Wait for &W {
    fn soon<R: Receive>(&self, receiver: R) -> Result<R::Message, Gone> {
        (**self).soon(receiver)
    }

    #[inline]
    fn pass(&self) {
        (**self).pass();
    }
}

/// Why a search cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// Another worker has closed in the middle of the search.
    Left,
    /// Another worker has sent what is no part of the search.
    Astray,
}

impl Gone {
    /// Converts any failure to send or receive.
    pub fn left<E>(_: E) -> Gone {
        Gone::Left
    }
}

impl From<Gone> for io::Error {
    fn from(gone: Gone) -> io::Error {
        io::Error::other(match gone {
            Gone::Left => "a worker has left in the middle of a search",
            Gone::Astray => "a worker has sent what is no part of the search",
        })
    }
}
