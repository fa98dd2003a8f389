//! Who does not wait is not late.

use std::time::Duration;

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        number = port => drop(number),
        default => {}
        timeout(Duration::from_secs(2)) => {}
    }
}
