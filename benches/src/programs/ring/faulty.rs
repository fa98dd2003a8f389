//! A contender that adds one to every number on its way, so that the verification itself can be tested.

use std::sync::mpsc::{self, Receiver, Sender};

use crate::links::{BlockingChan, Closed};

/// A chan that does not send what it was given.
#[derive(Debug)]
pub struct Faulty(Sender<u64>);

impl BlockingChan<u64> for Faulty {
    fn send(&mut self, value: u64) -> Result<(), Closed> {
        BlockingChan::send(&mut self.0, value + 1)
    }
}

/// A channel with a faulty chan and a sound port.
pub fn channel() -> (Faulty, Receiver<u64>) {
    let (chan, port) = mpsc::channel();
    (Faulty(chan), port)
}
