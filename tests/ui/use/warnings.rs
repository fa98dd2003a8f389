//! What the compiler warns of: ends that are thrown away, and states that no session comes to.

#![deny(unused_must_use, deprecated)]

mod protocols;

use protocols::bank;

fn fresh() -> bank::client::Login {
    bank::pipe().0
}

fn any() -> bank::AnyClient {
    fresh().into()
}

fn endpoints() {
    fresh();
    fresh().login(String::new(), String::new());
    fresh().login(String::new(), String::new()).unwrap();
    any();
}

fn chan() -> pipes::Chan<u64> {
    pipes::stream().0
}

fn port() -> pipes::PortOne<u64> {
    pipes::oneshot().1
}

fn ends_and_futures() {
    chan();
    port();
    port().recv_async();
    port().ready();
}

pipes::proto! {
    unreachable_state {
        start: send { m -> next }
        next: recv { m -> start, end -> ! }
        island: send { m -> peninsula }
        peninsula: recv { m -> island, back -> start }
    }
}

fn main() {
    endpoints();
    ends_and_futures();
    drop(unreachable_state::pipe());
}
