//! An endpoint that sends, in a set.

use pipes::PortSet;

pipes::proto! {
    pub poll {
        voting: send { yes -> thanking, no -> thanking }
        thanking: recv { thanks(votes: u32) -> voting }
    }
}

fn serve(server: poll::server::Thanking) {
    let mut clients = PortSet::new();
    clients.insert(server);
}

fn main() {}
