//! Names that are generated already: of states, of parameters, in bounds.

pipes::proto! {
    p {
        client: send { m -> Server }
        Server: recv { m -> protocol }
        protocol: send { m -> any_client }
        any_client: send { m -> client_message }
        client_message: send { m -> not_receiving }
        not_receiving: send { m -> receiving_server }
        receiving_server: send { m -> client_received }
        client_received: send { m -> client }
    }
    q<Client> {
        s: send { m(Client) -> s }
    }
    r<Copy> {
        copy: send { m(Copy) -> copy }
    }
    o<T: Clone> where T: Iterator {
        clone: send { m(T) -> iterator }
        iterator: recv { m -> clone }
    }
    n {
        s: send<Debug> { m(Debug) -> debug }
        debug: recv { m -> ! }
    }
}

fn main() {}
