//! Two fields of one name in one payload.

pipes::proto! {
    p {
        s: send { m(x: u8, y: u8, x: u8) -> s }
    }
}

fn main() {
    let _ = p::pipe();
}
