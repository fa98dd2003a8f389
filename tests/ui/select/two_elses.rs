//! Only one of them could run.

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        number = port, if true => drop(number),
        else => {}
        else => {}
    }
}
