//! Borrowed text cannot come out of a message.

mod protocols {
    pipes::proto! {
        #[remote]
        pub shop { s: send { m(&'static str) -> ! } }
    }
}

fn main() {
    let _ = protocols::shop::listen(&pipes_remote::tcp("localhost:7000"));
}
