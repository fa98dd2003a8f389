//! What is no arm of a selection, and arms that do not go together.

use pipes::{Chan, Port, SharedChan, select, select_async};
use std::time::Duration;

/// Without a receiver there is nothing to wait for.
fn no_receiver() {
    select! {}
    select! { default => {} }
    select! { timeout(Duration::ZERO) => {} }
}

fn no_arm(mut port: Port<u64>) {
    select! { number in port => drop(number) }
    select! { number = port }
    select! { number = port => drop(number), after(Duration::ZERO) => {} }
}

/// If no condition holds there is no receiver to wait for, and something has to be done. With an arm without
/// a condition that never happens.
fn conditions(mut first: Port<u64>, mut second: Port<u64>, open: bool) {
    select! {
        number = first, if open => drop(number),
        number = second, if !open => drop(number),
    }
    select! { number = first, if open => drop(number), number = second => drop(number), else => {} }
}

/// Who does not wait is not late.
fn default_and_timeout(mut port: Port<u64>) {
    select! { number = port => drop(number), default => {} timeout(Duration::from_secs(2)) => {} }
}

/// Only one of them could run.
fn two_of_a_kind(mut port: Port<u64>) {
    select! { default => {} number = port => drop(number), default => {} }
    select! { number = port, if true => drop(number), else => {} else => {} }
    select! { number = port => drop(number), timeout(Duration::ZERO) => {} timeout(Duration::MAX) => {} }
}

struct Ends {
    port: Port<u64>,
    ports: Vec<Port<u64>>,
    chan: Chan<u64>,
    chans: Vec<SharedChan<u64>>,
}

/// A receiver or a chan is named by a variable.
fn fields(mut ends: Ends) {
    select! { number = ends.port => drop(number), default => {} }
    select! { number = ends.ports[0] => drop(number), default => {} }
    select! { number = pipes::stream::<u64>().1 => drop(number) }
    select! { sent = ends.chan.send(1) => drop(sent), default => {} }
    select! { sent = ends.chans[0].send(1), if true => drop(sent), else => {} }
}

/// The only call in an arm is `send`, with one value.
fn calls(mut chan: Chan<u64>, mut port: Port<u64>) {
    select! { sent = chan.send() => drop(sent) }
    select! { sent = chan.send(1, 2) => drop(sent) }
    select! { sent = chan.try_send(1) => drop(sent) }
    select! { sent = chan.send_async(1), if true => drop(sent), else => {} }
    select! { number = port.recv() => drop(number) }
}

/// A limit on the wait is not a receiver.
fn timers(mut port: Port<u64>) {
    select! { number = port => drop(number), _ = after(Duration::ZERO) => {} }
    let _ = async {
        select_async! { number = port => drop(number), _ = tokio::time::sleep(Duration::ZERO) => {} }
        select_async! { number = port => drop(number), sleep(Duration::ZERO) => {} }
        select_async! { number = port => drop(number), timeout(Duration::ZERO) => {} }
        select_async! { number = port => drop(number), timeout(Duration::from_secs(1)) => {} }
    };
}

/// The order of the arms is chosen before them.
fn biased_too_late(mut port: Port<u64>) {
    select! { number = port => drop(number), biased; default => {} }
    select! { biased; biased; number = port => drop(number) }
    select! { biased, number = port => drop(number) }
    select! { biased; }
}

fn main() {}
