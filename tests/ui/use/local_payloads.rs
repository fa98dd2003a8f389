//! A payload that must stay in its thread keeps the endpoints of its protocol there, in every state, and the
//! ends of its stream.

use std::rc::Rc;

pipes::proto! {
    counter {
        count: send { from(u64) -> counted }
        counted: recv { to(Rc<u64>) -> count }
    }
}

fn main() {
    let (client, server) = counter::pipe();
    std::thread::spawn(move || drop(server));
    drop(client);
    let (mut chan, port) = pipes::stream();
    chan.send(Rc::new(1_u8)).unwrap();
    std::thread::spawn(move || port.into_iter().count());
}
