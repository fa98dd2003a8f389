//! A message that steps to what is neither a state nor the end: a number, a type, a keyword, nothing.

pipes::proto! {
    p {
        s: send {
            number -> 3,
            tuple(u8) -> (u8, u8),
            keyword -> self,
            nothing ->,
            last ->
        }
    }
}

fn main() {
    let _ = p::pipe();
}
