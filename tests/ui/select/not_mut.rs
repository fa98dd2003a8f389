//! To wait leaves a mark in a receiver.

fn main() {
    let (_chan, port) = pipes::stream::<u64>();
    let (_other, once) = pipes::oneshot::<u64>();
    pipes::select! {
        number = port => drop(number),
        number = once => drop(number),
    }
}
