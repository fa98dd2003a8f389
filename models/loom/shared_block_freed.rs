//! A block of a shared stream is freed while a sender compares its address.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::shared_stream;

/// A block has two slots, and the block cache has room for one block. When the receiver goes on from the
/// second block, that block is freed, unless the other sender has seen it at the tail and is about to install
/// a block after it.
#[test]
fn while_a_sender_looks() {
    loom::model(|| {
        let (sent, count) = payload();
        let (chan, mut port) = shared_stream();
        for _ in 0..4 {
            chan.send(sent.clone()).expect("the port is there");
        }
        let (other, others) = (chan.clone(), sent.clone());
        let second = thread::spawn(move || other.send(others).expect("the port is there"));
        chan.send(sent).expect("the port is there");
        drop(chan);
        let mut came = 0;
        for _ in 0..5 {
            came += usize::from(port.try_recv().is_ok());
        }
        second.join().unwrap();
        assert_eq!(came + port.iter().count(), 6);
        assert_only(&count);
    });
}
