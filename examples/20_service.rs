//! 20 — A service: many clients, served by one thread.
//!
//! You will see: that no ticket is drawn twice; that one thread can ask for a ticket and another receive it.
//! New here: `listen`, `Connector`, `Listener`, a set in a `select!`.
//! Before: 19_shared_log. Next: 21_philosophers.
//!
//!     cargo run --example 20_service

use pipes::{Listener, PortSet};
use std::error::Error;
use std::thread;
use tickets::{Drawing, Ready};

pipes::proto! {
    tickets {
        ready: send { draw -> drawing }
        drawing: recv { ticket(u32) -> ready }
    }
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (connector, listener) = pipes::listen::<tickets::Protocol>();
    let machine = thread::spawn(move || serve(listener));

    // Each client has a clone of the connector. Each `connect` makes a new pipe and sends the server's end to
    // the listener.
    let clients = ["ada", "ben", "cleo", "dan"].map(|_| {
        let connector = connector.clone();
        thread::spawn(move || -> Result<[u32; 2], Box<dyn Error + Send + Sync>> {
            let Drawing::Ticket(first, client) = connector.connect()?.draw()?.recv()?;
            let Drawing::Ticket(second, _) = client.draw()?.recv()?;
            Ok([first, second])
        })
    });
    let mut tickets = Vec::new();
    for client in clients {
        tickets.extend(client.join().expect("no client panics")?);
    }
    tickets.sort();
    println!("drawn: {tickets:?}");

    // Delegation: the client's endpoint moves to another thread while it waits for a ticket. The service need
    // not know.
    let waiting = connector.connect()?.draw()?;
    let friend = thread::spawn(move || waiting.recv().map(|Drawing::Ticket(number, _)| number));
    println!("drawn for a friend: {}", friend.join().expect("the friend does not panic")?);

    drop(connector); // The service ends when all connectors and all clients are dropped.
    println!("all in all: {}", machine.join().expect("the machine does not panic"));
    Ok(())
}

/// The service: one thread for new and connected clients. Returns the number of tickets drawn.
fn serve(mut listener: Listener<tickets::Protocol>) -> u32 {
    let (mut clients, mut open, mut last) = (PortSet::new(), true, 0);
    loop {
        pipes::select! {
            // The conditions exclude a listener that has ended and a set without members, which would always
            // be ready.
            arrived = listener, if open => match arrived {
                Ok(server) => drop(clients.insert(server)),
                Err(_) => open = false,
            },
            turn = clients, if !clients.is_empty() => {
                let Ok((client, Ok(Ready::Draw(drawing)))) = turn else { continue }; // This client has left.
                last += 1;
                if let Ok(next) = drawing.ticket(last) {
                    clients.insert_at(client, next);
                }
            }
            else => break last,
        }
    }
}
