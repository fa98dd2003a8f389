//! A contender that adds one to every number in transit, to test the verification itself.

use std::sync::mpsc::{self, Receiver, Sender};

use crate::links::{BlockingChan, Closed};

/// A chan that sends something other than what it was given.
#[derive(Debug)]
pub struct Faulty(Sender<u64>);

impl BlockingChan<u64> for Faulty {
    fn send(&mut self, value: u64) -> Result<(), Closed> {
        BlockingChan::send(&mut self.0, value + 1)
    }
}

/// A channel with a faulty chan and a correct port.
pub fn channel() -> (Faulty, Receiver<u64>) {
    let (chan, port) = mpsc::channel();
    (Faulty(chan), port)
}
