//! The steps of a protocol, with both sides in one thread.

use crate::{TIMES, counted};
use std::hint::black_box;

pipes::proto! {
    /// A number there, and a number back, in a loop.
    calls {
        idle: send { call(u64) -> busy }
        busy: recv { reply(u64) -> idle }
    }
}

pub fn session_create() -> u64 {
    for _ in 0..TIMES {
        counted(|| drop(calls::pipe()));
    }
    TIMES
}

/// Each side sends once in each turn of the loop, and both of these are operations.
pub fn session_send() -> u64 {
    let (mut client, mut server) = calls::pipe();
    for value in 0..TIMES / 2 {
        let value = black_box(value);
        let waiting = counted(|| client.call(value)).expect("the server is here");
        let calls::Idle::Call(number, answering) = server.recv().expect("the call was sent");
        server = counted(|| answering.reply(number)).expect("the client is here");
        let calls::Busy::Reply(number, next) = waiting.recv().expect("the reply was sent");
        assert_eq!(number, value);
        client = next;
    }
    TIMES
}

pub fn session_receive() -> u64 {
    let (mut client, mut server) = calls::pipe();
    for value in 0..TIMES / 2 {
        let waiting = client.call(value).expect("the server is here");
        let calls::Idle::Call(number, answering) = counted(|| server.recv()).expect("the call was sent");
        server = answering.reply(number).expect("the client is here");
        let calls::Busy::Reply(number, next) = counted(|| waiting.recv()).expect("the reply was sent");
        assert_eq!(number, value);
        client = next;
    }
    TIMES
}
