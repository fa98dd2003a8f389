//! States that no session comes to, and that are meant: one by one, or in the whole protocol.

#![deny(warnings)]

pipes::proto! {
    one {
        start: send { m -> start, end -> ! }
        #[allow(deprecated)]
        island: send { m -> start }
    }

    #[allow(deprecated)]
    all<T> {
        start: send { m -> start, end -> ! }
        island: send { m(T) -> peninsula }
        peninsula: recv { m -> island }
    }
}

fn main() {
    let (client, server) = one::pipe();
    client.end().unwrap();
    assert!(matches!(server.recv(), Ok(one::Start::End)));
    drop(all::pipe());
}
