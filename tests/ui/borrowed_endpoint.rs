//! A field of a borrowed struct cannot be used up.

use pipes_tests::pingpong::{Ping, Server};

struct Service {
    server: Server<Ping<u64>>,
}

impl Service {
    fn serve(&mut self) {
        let _ = self.server.recv();
    }
}

fn main() {
    Service { server: pipes_tests::pingpong::pipe().1 }.serve();
}
