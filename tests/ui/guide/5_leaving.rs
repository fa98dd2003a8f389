//! A method of a trait that is not in scope.

pipes::proto! {
    download {
        asking: send { fetch(u32) -> receiving }
        receiving: recv { part(String) -> receiving, done -> ! }
    }
}

fn has_left(server: &download::server::Receiving) -> bool {
    server.is_closed()
}

fn main() {}
