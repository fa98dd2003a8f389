//! The lifetime in the ends of a stream and a oneshot cannot be shortened.

use pipes::{Chan, ChanOne, Port};

fn chan<'short>(chan: Chan<&'static str>, _: &'short str) -> Chan<&'short str> {
    chan
}

fn one<'short>(chan: ChanOne<&'static str>, _: &'short str) -> ChanOne<&'short str> {
    chan
}

fn port<'short>(port: Port<&'short str>) -> Port<&'static str> {
    port
}

fn main() {
    let text = String::from("short");
    chan(pipes::stream().0, &text);
    one(pipes::oneshot().0, &text);
    port(pipes::stream().1);
}
