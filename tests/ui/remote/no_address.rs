//! What is no address.

mod protocols {
    pipes::proto! {
        #[remote]
        pub shop { s: send { m(u8) -> ! } }
    }
}

fn main() {
    let _ = protocols::shop::connect("localhost:7000");
    let _ = protocols::shop::listen(&7000);
}
