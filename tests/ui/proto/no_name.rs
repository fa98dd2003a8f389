//! Names without a letter to make a name of.

pipes::proto! {
    p {
        __: send {
            ___ -> __
        }
    }
}

fn main() {
    let _ = p::pipe();
}
