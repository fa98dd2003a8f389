//! A condition is a `bool`.

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        number = port, if Some(1) => drop(number),
        else => {}
    }
}
