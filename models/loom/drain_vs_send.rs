//! A port with unread messages is dropped while more messages are sent, into the next block.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::stream;

#[test]
fn unread_messages_and_those_on_the_way() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut chan, port) = stream();
        chan.send(sent.clone()).expect("the port is there");
        let receiver = thread::spawn(move || drop(port));
        let mut closed = false;
        for _ in 0..3 {
            let result = chan.send(sent.clone());
            assert!(!closed || result.is_err(), "once closed, always closed");
            closed = result.is_err();
        }
        drop((sent, chan));
        receiver.join().unwrap();
        assert_only(&count);
    });
}
