//! A type that is local to a function is not visible to a protocol written there.

fn main() {
    struct Local;
    pipes::proto! {
        p { s: send { m(Local) -> s } }
    }
    let _ = p::pipe();
}
