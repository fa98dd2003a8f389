//! A payload of a stream that is not `Send` stays in its thread.

use std::rc::Rc;

fn main() {
    let (mut chan, port) = pipes::stream();
    chan.send(Rc::new(1)).unwrap();
    std::thread::spawn(move || port.into_iter().count());
}
