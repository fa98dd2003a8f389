//! 21 — Dining philosophers without deadlock or starvation.
//!
//! You will see: how often each philosopher ate, and how often each fork was used.
//! New here: why a program cannot deadlock; `ReceivingServer`. Before: 20_service. Next: 22_prime_sieve.
//!
//! Five philosophers have five forks, one between each two neighbours, and one who eats needs two. If each
//! picks up one fork and waits for the other, all wait in a circle, forever. That cannot happen here:
//! - a philosopher who waits has no fork, because both forks come in one message and go back in one;
//! - a philosopher waits for the waiter, not for a neighbour, and the waiter for all: there is no circle.
//!
//!     cargo run --example 21_philosophers

use dinner::{Client, Eating, Hungry, ReceivingServer, ServerReceived, Thinking};
use pipes::{Closed, PortSet};
use std::{collections::VecDeque, thread};

pipes::proto! {
    dinner {
        thinking: send { may_i_eat -> hungry }
        hungry: recv { forks(Fork, Fork) -> eating }
        eating: send { thanks(Fork, Fork) -> thinking }
    }
}

struct Fork(u32); // The number of uses. It needs no lock, because a fork has one owner at a time.

fn main() {
    let (mut seats, mut guests) = (PortSet::new(), Vec::new());
    for name in ["Hypatia", "Spinoza", "Hume", "Kant", "Arendt"] {
        let (client, server) = dinner::pipe();
        seats.insert(ReceivingServer::from(server)); // The key is the number of the seat, starting at 0.
        guests.push((name, thread::spawn(move || dine(client))));
    }
    let forks = serve(seats);
    for (name, guest) in guests {
        println!("{name} ate {} times", guest.join().expect("no philosopher panics").unwrap_or(0));
    }
    println!("the forks were used {:?} times", forks.map(|fork| fork.map_or(0, |Fork(times)| times)));
}

/// Eats a hundred meals, unless the waiter leaves.
fn dine(mut client: Client<Thinking>) -> Option<u32> {
    for _ in 0..100 {
        let Hungry::Forks(mut left, mut right, eating) = client.may_i_eat().ok()?.recv().ok()?;
        (left.0, right.0) = (left.0 + 1, right.0 + 1);
        client = eating.thanks(left, right).ok()?;
    }
    Some(100)
}

/// Serves until all guests have left. If one leaves with forks, those who wait for them see a close.
fn serve(mut seats: PortSet<ReceivingServer>) -> [Option<Fork>; 5] {
    let (mut forks, mut hungry) = ([const { Some(Fork(0)) }; 5], VecDeque::new());
    while let Ok((seat, message)) = seats.recv() {
        match message {
            Ok(ServerReceived::Thinking(Thinking::MayIEat(guest))) => hungry.push_back((seat, guest)),
            Ok(ServerReceived::Eating(Eating::Thanks(left, right, guest))) => {
                (forks[seat], forks[(seat + 1) % 5]) = (Some(left), Some(right));
                seats.insert_at(seat, guest.into());
            }
            Err(Closed) => {}
        }
        while let Some((seat, guest)) = hungry.pop_front() {
            match (forks[seat].take(), forks[(seat + 1) % 5].take()) {
                (Some(left), Some(right)) => {
                    if let Ok(guest) = guest.forks(left, right) {
                        seats.insert_at(seat, guest.into());
                    }
                }
                // A guest is served after all who have waited longer, so no guest starves.
                not_both => {
                    (forks[seat], forks[(seat + 1) % 5]) = not_both;
                    hungry.push_front((seat, guest));
                    break;
                }
            }
        }
    }
    forks
}
