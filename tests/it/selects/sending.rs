//! Arms that send.

use pipes::{select, shared_sync_stream, sync_stream};

#[test]
fn first() {
    let (mut chan, mut port) = sync_stream(1);
    let (mut shared, mut shared_port) = shared_sync_stream(1);
    for _ in 0..2 {
        select! {
            sent = chan.send("a") => assert_eq!(sent, Ok(())),
            sent = shared.send("b") => assert_eq!(sent, Ok(())),
        }
    }
    assert_eq!((port.recv(), shared_port.recv()), (Ok("a"), Ok("b")));
}
