//! A receiver is in two arms.

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        number = port => drop(number),
        again = port => drop(again),
    }
}
