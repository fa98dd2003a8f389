//! Only one of them could run.

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        default => {}
        number = port => drop(number),
        default => {}
    }
}
