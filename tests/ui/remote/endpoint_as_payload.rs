//! An endpoint stays in its program.

mod protocols {
    pipes::proto! {
        #[remote]
        pub shop { s: send { m(pipes::Chan<u8>) -> ! } }
    }
}

fn main() {
    let _ = protocols::shop::connect(&pipes_remote::tcp("localhost:7000"));
}
