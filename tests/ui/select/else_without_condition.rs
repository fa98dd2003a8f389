//! Without a condition that never happens.

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        number = port => drop(number),
        else => {}
    }
}
