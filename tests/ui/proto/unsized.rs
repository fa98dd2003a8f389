//! A payload without a known size; `Box<str>` and references have one.

pipes::proto! {
    texts {
        s: send {
            text(str) -> s,
            bytes(from: u8, bytes: [u8]) -> s,
            function((dyn Fn(u8) -> u8 + Send)) -> s,
            pair((u8, str)) -> s,
            sized(Box<str>, &'static str, [u8; 2]) -> !
        }
    }
}

fn main() {
    let (client, _server) = texts::pipe();
    let _ = client.text("text");
}
