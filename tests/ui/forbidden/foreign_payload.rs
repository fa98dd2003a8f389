//! A pipe of a protocol that is the user's own, without the protocol's endpoints: it would take any payload.
#![forbid(unsafe_code)]

use std::rc::Rc;

pipes::proto! {
    tiny { go: send { go(u64) -> ! } }
}

fn main() {
    let (client, server) = pipes::__private::pipe::<tiny::Go>();
    let foreign = Rc::new(7_u8);
    drop(client.finish(foreign, |payload| tiny::Go::Go(u64::from(*payload)), |_| loop {}));
    std::thread::spawn(move || drop(server));
}
