//! A second card with the same endpoint.

pipes::proto! {
    postcard {
        writing: send { card(String) -> ! }
    }
}

fn main() {
    let (client, _server) = postcard::pipe();
    let _ = client.card("first".to_owned());
    let _ = client.card("second".to_owned());
}
