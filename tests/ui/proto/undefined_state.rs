//! A step to a state that is not there: with a similar one and without, with arguments, in another case.

pipes::proto! {
    p {
        start: send {
            similar -> conected,
            dissimilar -> nowhere,
            arguments -> elsewhere<u8>,
            another_case -> Start
        }
        connected: recv { end -> ! }
    }
}

fn main() {
    let (client, _server) = p::pipe();
    let _ = client.similar();
}
