//! A payload that must stay in its thread keeps its endpoint there.

use pipes_tests::pingpong;
use std::rc::Rc;

fn main() {
    let (client, server) = pingpong::pipe::<Rc<u64>>();
    std::thread::spawn(move || server.recv());
    drop(client);
}
