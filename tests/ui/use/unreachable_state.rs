//! A state that no session comes to is warned of, where it is written.

#![deny(warnings)]

pipes::proto! {
    p {
        start: send { m -> next }
        next: recv { m -> start, end -> ! }
        island: send { m -> peninsula }
        peninsula: recv { m -> island, back -> start }
    }
}

fn main() {
    drop(p::pipe());
}
