//! 18 — A crowd that changes: many endpoints as one.
//!
//! You will see: guests served in turns, however much one of them orders at once; a guest who brings another;
//! a guest who is shown the door; and a service that ends after the last guest.
//! New here: `PortSet`, keys, `insert_at`. Before: 17_first_answer. Next: 19_shared_log.
//!
//!     cargo run --example 18_changing_crowd

use cafe::{Server, Table};
use pipes::{Closed, PortSet};
use std::error::Error;

pipes::proto! {
    cafe {
        table: send {
            order(&'static str) -> table,
            bring(&'static str, cafe::server::Table) -> table, // A friend's name, and a new guest's endpoint.
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // The members are receivers of one type. Each has a key: a number that the set chooses, or your own key,
    // as here.
    let mut guests = PortSet::new();
    let (ada, table) = cafe::pipe();
    guests.insert_at("ada", table);
    let (ben, table) = cafe::pipe();
    guests.insert_at("ben", table);

    // The guests could be threads or tasks. Here they send everything before the first is served, so that
    // this program always prints the same.
    let ada = ada.order("tea")?.order("cake")?.order("more cake")?.order("yet more cake")?;
    let (cleo, table) = cafe::pipe();
    let ben = ben.order("coffee")?.bring("cleo", table)?;
    let cleo = cleo.order("water")?.order("a harp")?.order("another glass")?;
    drop((ada, ben, cleo)); // They leave. Their orders are still received.

    serve(guests);
    Ok(())
}

/// Serves until the set is empty.
fn serve(mut guests: PortSet<Server<Table>, &'static str>) {
    // The member that became ready first has the first turn, and a turn is one message. A turn costs the same
    // however many guests are silent.
    while let Ok((name, turn)) = guests.recv() {
        // A message removes its member from the set. The next endpoint is in the message.
        let next = match turn {
            Ok(Table::Order("a harp", _)) => {
                println!("{name} is shown the door"); // This endpoint is dropped, not inserted again.
                continue;
            }
            Ok(Table::Order(what, next)) => {
                println!("{name} gets {what}");
                next
            }
            Ok(Table::Bring(friend, table, next)) => {
                println!("{name} brings {friend}");
                guests.insert_at(friend, table);
                next
            }
            Err(Closed) => {
                println!("{name} has left"); // Reported once, after all messages. The member is removed.
                continue;
            }
        };
        guests.insert_at(name, next); // With another message, this member goes to the end of the queue.
    }
    println!("the café is empty");
}
