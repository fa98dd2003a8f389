//! A payload that must not leave its thread.

use std::rc::Rc;

pipes::proto! {
    exchange<T> {
        giving: send { give(T) -> taking }
        taking: recv { take(T) -> ! }
    }
}

fn main() {
    let (client, server) = exchange::pipe::<Rc<String>>();
    std::thread::spawn(move || drop(server.recv()));
    let _ = client.give(Rc::new("tea".to_owned()));
}
