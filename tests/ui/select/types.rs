//! What cannot be waited for, and values of other types.

#[path = "../use/protocols/mod.rs"]
mod protocols;

use pipes::{Chan, ChanOne, Port, select, select_async};
use protocols::bank;

/// What is neither an endpoint nor a port nor a set.
fn not_a_receiver(mut chan: Chan<u64>, mut port: Port<u64>) {
    let mut number = 5;
    select! {
        message = port => drop(message),
        message = chan => drop(message),
        message = number => drop(message),
    }
}

/// An endpoint whose turn it is to send has nothing to wait for.
fn endpoint_that_sends(mut client: bank::client::Login, mut server: bank::server::Login) {
    select! {
        message = server => drop(message),
        message = client => drop(message),
    }
}

/// What cannot send, or not here.
fn not_a_chan(mut once: ChanOne<u64>, mut port: Port<u64>) {
    select! {
        sent = once.send(1) => drop(sent),
        sent = port.send(2) => drop(sent),
    }
}

fn value_of_another_type(mut chan: Chan<u64>) {
    select! { sent = chan.send("one") => drop(sent) }
}

/// The arms are the arms of one expression.
fn different_types(mut first: Port<u64>, mut second: Port<String>) {
    let _value = select! {
        number = first => number,
        word = second => word,
    };
    let _value: u64 = select! {
        number = first => number.unwrap_or(0),
        default => "nothing",
    };
}

/// A condition is a `bool`.
fn wrong_condition(mut port: Port<u64>) {
    select! { number = port, if Some(1) => drop(number), else => {} }
}

/// A time for threads, a timer for tasks.
fn wrong_timeout(mut port: Port<u64>) {
    select! { number = port => drop(number), timeout(1) => {} }
}

async fn wrong_timer(mut port: Port<u64>) {
    let limit = std::time::Duration::from_secs(1);
    select_async! { number = port => drop(number), timeout(limit) => {} }
}

/// A timer is no receiver.
async fn timer(mut port: Port<u64>, mut timer: std::future::Ready<()>) {
    select_async! { number = port => drop(number), _ = timer => {} }
}

/// Only a task can await.
fn outside_of_a_task(mut port: Port<u64>) {
    select_async! { number = port => drop(number) }
}

fn main() {}
