//! The shorter one would always win.

use std::time::Duration;

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        number = port => drop(number),
        timeout(Duration::from_secs(1)) => {}
        timeout(Duration::from_secs(2)) => {}
    }
}
