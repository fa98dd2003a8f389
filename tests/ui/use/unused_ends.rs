//! Ends and futures that are thrown away.

#![deny(unused_must_use)]

fn chan() -> pipes::Chan<u64> {
    pipes::stream().0
}

fn port() -> pipes::PortOne<u64> {
    pipes::oneshot().1
}

fn main() {
    chan();
    port();
    port().recv_async();
    port().ready();
}
