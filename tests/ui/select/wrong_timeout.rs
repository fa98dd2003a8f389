//! A time for threads, a timer for tasks.

use std::time::Duration;

async fn task() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select_async! {
        number = port => drop(number),
        timeout(Duration::from_secs(1)) => {}
    }
}

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        number = port => drop(number),
        timeout(1) => {}
    }
    drop(task());
}
