//! Payloads that cannot travel between programs.

use pipes_remote::tcp;

pub struct Bare {
    pub number: u64,
}

#[derive(serde::Serialize, serde::Deserialize)]
pub struct Shapeless {
    pub number: u64,
}

pipes::proto! {
    /// A payload needs serde's derives.
    #[remote]
    without_serde { s: send { m(Bare) -> ! } }

    /// Borrowed text cannot come out of a message.
    #[remote]
    borrowed { s: send { m(&'static str) -> ! } }

    /// An endpoint stays in its program.
    #[remote]
    endpoint { s: send { m(pipes::Chan<u8>) -> ! } }

    /// With `schema`, each payload needs a shape.
    #[remote(schema)]
    shapeless { s: send { m(Shapeless) -> ! } }
}

fn listens_without_serde() {
    let _ = without_serde::listen(&tcp("localhost:7000"));
}

fn listens_for_borrowed_text() {
    let _ = borrowed::listen(&tcp("localhost:7000"));
}

fn connects_to_send_an_endpoint() {
    let _ = endpoint::connect(&tcp("localhost:7000"));
}

fn connects_without_a_shape() {
    let _ = shapeless::connect(&tcp("localhost:7000"));
}

fn main() {}
