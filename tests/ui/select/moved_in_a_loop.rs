//! And so it is in a loop.

fn main() {
    let (_one, mut once) = pipes::oneshot::<u64>();
    let (_chan, mut port) = pipes::stream::<u64>();
    loop {
        pipes::select! {
            number = once => drop(number),
            number = port => drop(number),
        }
    }
}
