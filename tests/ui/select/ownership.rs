//! What a selection borrows and moves, and the patterns of its arms.

#[path = "../use/protocols/mod.rs"]
mod protocols;

use pipes::{Chan, Port, PortOne, SharedChan, select};
use protocols::bank::{self, Login, LoginResponse};

/// To wait leaves a mark in a receiver or a chan, also if it is borrowed already.
fn not_mut(port: Port<u64>, once: PortOne<u64>, borrowed: &mut Port<u64>) {
    select! {
        number = port => drop(number),
        number = once => drop(number),
        number = borrowed => drop(number),
    }
}

fn chans_not_mut(chan: Chan<u64>, shared: SharedChan<u64>) {
    select! {
        sent = chan.send(1) => drop(sent),
        sent = shared.send(2) => drop(sent),
    }
}

fn twice(mut port: Port<u64>) {
    select! {
        number = port => drop(number),
        again = port => drop(again),
    }
}

/// A chan is in two arms, and in its own value.
fn chan_twice(mut chan: Chan<u64>) {
    select! {
        sent = chan.send(1) => drop(sent),
        again = chan.send(2) => drop(again),
    }
    select! { sent = chan.send(chan.capacity().unwrap_or(0) as u64) => drop(sent) }
}

/// A chosen endpoint is used up, unless its own arm puts another one in its place.
fn moved(mut server: bank::server::Login, mut port: Port<u64>) {
    select! {
        message = server => drop(message),
        number = port => drop(number),
    }
    drop(server.recv());
    drop(port.recv());
}

fn moved_in_a_loop(mut once: PortOne<u64>, mut port: Port<u64>) {
    loop {
        select! {
            number = once => drop(number),
            number = port => drop(number),
        }
    }
}

/// An arm gets what `recv` or `send` gives, whatever it is.
fn refutable(mut port: Port<u64>, mut chan: Chan<u64>) {
    select! { Ok(number) = port => drop(number) }
    select! { Ok(()) = chan.send(1) => {} }
}

/// A `match` in an arm has to know every message, and the close.
fn forgotten(mut waiting: bank::client::LoginResponse, mut server: bank::server::Login) {
    select! {
        response = waiting => match response {
            Ok(LoginResponse::Ok(_)) => {}
            Err(_) => {}
        },
        message = server => match message {
            Ok(Login::Login(..)) => {}
        },
    }
}

fn main() {}
