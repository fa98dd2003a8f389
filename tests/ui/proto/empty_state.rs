//! A state in which nothing can be sent, and which is no end therefore.

pipes::proto! {
    p {
        s: send { m -> s2 }
        s2: recv {}
    }
}

fn main() {
    let (client, _server) = p::pipe();
    let _ = client.m();
}
