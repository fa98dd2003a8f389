//! What looks like no arm at all.

use std::time::Duration;

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! { number in port => drop(number) }
    pipes::select! { number = port }
    pipes::select! { number = port => drop(number), after(Duration::ZERO) => {} }
}
