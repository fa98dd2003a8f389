//! A field of a borrowed struct cannot be used up.

mod protocols;

use protocols::bank;

struct Teller {
    server: bank::server::Login,
}

impl Teller {
    fn serve(&mut self) {
        let _ = self.server.recv();
    }
}

fn main() {
    Teller { server: bank::pipe().1 }.serve();
}
